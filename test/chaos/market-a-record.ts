import type { LoggedRequest } from '@linker/simulators'
import type { Write } from './stock-record.ts'

/**
 * A request that sets quantities at marketplace A: a command, which has an id and names offers, or
 * a write to one offer.
 */
export interface SentToA {
  commandId: string | undefined
  offers: string[]
  quantity: number
  body: string
  startedAt: number
  endedAt: number
  /**
   * Whether the marketplace did what was asked. A lost answer counts as yes: the faults lose an
   * answer only after the work was done.
   */
  isTaken: boolean
}

interface CommandBody {
  modification: { value: number }
  offerCriteria: { offers: { id: string }[] }[]
}

/** Reads a logged request. Returns an empty list if it set no quantity or did not arrive whole. */
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

/** The log rounds times to a millisecond. */
const grainMs = 1

/** Counts requests that began while another for the same offer was under way. */
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

/** Counts the ids of commands that came with more than one body. */
export function countReused (sent: readonly SentToA[]): number {
  const bodies = Map.groupBy(sent.filter(({ commandId }) => commandId !== undefined), ({ commandId }) => commandId)
  return [...bodies.values()].filter(requests => new Set(requests.map(({ body }) => body)).size > 1).length
}

/** Returns the writes that took place, in order. A command that was sent again counts once. */
export function takenWrites (sent: readonly SentToA[]): Write[] {
  const seen = new Set<string>()
  const taken = sent.filter(({ isTaken, commandId }) => {
    const isNew = commandId === undefined || !seen.has(commandId)
    if (isTaken && commandId !== undefined) seen.add(commandId)
    return isTaken && isNew
  })
  return taken.flatMap(({ offers, quantity }) => offers.map(offer => ({ offer, quantity })))
}
