import type { LoggedRequest } from '@linker/simulators'

export interface Write {
  offer: string
  quantity: number
}

/** Returns the writes of a request: one offer, or every offer of a batch. */
export function toWrites ({ path, body }: LoggedRequest): Write[] {
  const written = Array.isArray(body)
    ? body as { externalId: string, stock: number }[]
    : [{ externalId: path.slice(path.lastIndexOf('/') + 1), ...body as { stock: number } }]
  return written.map(({ externalId, stock }) => ({ offer: externalId, quantity: stock }))
}

/**
 * The quantities that the shop had of each offer's variant, oldest first. No quantity comes twice,
 * so that a write belongs to exactly one of them.
 */
export type Histories = ReadonlyMap<string, readonly number[]>

/**
 * Counts wrong writes. `stale`: a newer quantity was written before; `ghost`: the shop never had
 * the quantity.
 */
export function judgeWrites (writes: readonly Write[], histories: Histories): { stale: number, ghost: number } {
  const newest = new Map<string, number>()
  const counts = { stale: 0, ghost: 0 }
  for (const { offer, quantity } of writes) {
    const position = histories.get(offer)?.indexOf(quantity) ?? -1
    const last = newest.get(offer) ?? 0
    if (position === -1) counts.ghost += 1
    else if (position < last) counts.stale += 1
    newest.set(offer, Math.max(last, position))
  }
  return counts
}

/** Returns the offers that do not show the shop's last quantity. */
export function findDiverged (quantities: ReadonlyMap<string, number>, histories: Histories): string[] {
  return [...histories].filter(([offer, history]) => quantities.get(offer) !== history.at(-1)).map(([offer]) => offer)
}
