import type { LoggedRequest } from '@linker/simulators'
import type { Write } from './stock-record.ts'

/**
 * A request that sets the quantity of offers at marketplace A: by a command, which has an id, or of
 * the one offer itself.
 */
export interface SentToA {
  commandId: string | undefined
  offers: string[]
  quantity: number
  body: string
  startedAt: number
  endedAt: number
  /**
   * Whether the marketplace did what was asked, as far as its answer tells: one that was lost was
   * made first.
   */
  isTaken: boolean
}

interface CommandBody {
  modification: { value: number }
  offerCriteria: { offers: { id: string }[] }[]
}

/** What a logged request sent; nothing if it sets no quantity or never arrived whole. */
export function toSent (
  realTime: (at: string) => number,
  { at, method, path, body: logged, status, durationMs }: LoggedRequest
): SentToA[] {
  if ((method !== 'PUT' && method !== 'PATCH') || logged === undefined || durationMs === undefined) return []
  const body = typeof logged === 'string' ? logged : JSON.stringify(logged)
  const startedAt = realTime(at)
  const common = { body, startedAt, endedAt: startedAt + durationMs, isTaken: status === undefined || status < 300 }
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (method === 'PUT') {
    const { modification: { value }, offerCriteria } = JSON.parse(body) as CommandBody
    return [{
      ...common,
      commandId: name,
      offers: offerCriteria.flatMap(({ offers }) => offers.map(({ id }) => id)),
      quantity: value
    }]
  }
  const { stock } = JSON.parse(body) as { stock?: { available: number } }
  return stock === undefined ? [] : [{ ...common, commandId: undefined, offers: [name], quantity: stock.available }]
}

/** Times are known to the millisecond. */
const grainMs = 1

/** Requests for an offer that began while another for the same offer was under way. */
export function countOverlaps (sent: readonly SentToA[]): number {
  const freeAt = new Map<string, number>()
  let overlaps = 0
  for (const { offers, startedAt, endedAt } of sent.toSorted((a, b) => a.startedAt - b.startedAt)) {
    for (const offer of offers) {
      const free = freeAt.get(offer) ?? 0
      if (startedAt + grainMs < free) overlaps += 1
      freeAt.set(offer, Math.max(free, endedAt))
    }
  }
  return overlaps
}

/** Ids of commands that came with more than one body. */
export function countReused (sent: readonly SentToA[]): number {
  const bodies = Map.groupBy(sent.filter(({ commandId }) => commandId !== undefined), ({ commandId }) => commandId)
  return [...bodies.values()].filter(requests => new Set(requests.map(({ body }) => body)).size > 1).length
}

/** The writes that took place, in their order: of a command that was sent again, the first. */
export function takenWrites (sent: readonly SentToA[]): Write[] {
  const seen = new Set<string>()
  const taken = sent.filter(({ isTaken, commandId }) => {
    const isNew = commandId === undefined || !seen.has(commandId)
    if (isTaken && commandId !== undefined) seen.add(commandId)
    return isTaken && isNew
  })
  return taken.flatMap(({ offers, quantity }) => offers.map(offer => ({ offer, quantity })))
}
