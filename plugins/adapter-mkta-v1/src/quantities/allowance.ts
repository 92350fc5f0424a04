import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { MarketplaceContext } from '../config.ts'

/**
 * A limit of the marketplace for one user: so many changed offers within a time, whatever the
 * number of requests. `reserve`: the part that only a small call may use, so that a change of one
 * offer does not wait for a synchronisation of all. The count is kept in slices.
 */
interface Limit {
  windowMs: number
  most: number
  reserve: number
  sliceMs: number
}

const limits: readonly Limit[] = [
  { windowMs: 60_000, most: 9_000, reserve: 1_000, sliceMs: 5_000 },
  { windowMs: 3_600_000, most: 250_000, reserve: 10_000, sliceMs: 60_000 }
]
/** A call for more offers than this leaves the reserve alone. */
const smallCall = 10

/** Offers that commands changed, by the beginning of the slice of time. One list for each limit. */
const Used = Type.Array(Type.Array(Type.Object({ from: Type.Integer(), count: Type.Integer() })))
export type Used = Static<typeof Used>

const key = 'offer-changes'

/**
 * Takes changes out of the limits before commands are sent. `counts`: the offers of each command; a
 * command with 0 is not limited. Returns for each command how many milliseconds it has to wait, or
 * undefined when it may be sent.
 */
export async function takeAllowance (
  { kv, locks, clock }: Pick<MarketplaceContext, 'kv' | 'locks' | 'clock'>,
  counts: readonly number[]
): Promise<(number | undefined)[]> {
  if (counts.every(count => count === 0)) return counts.map(() => undefined)
  // Jobs of other processes send for the same user.
  return locks.run(key, async () => {
    const stored = await kv.get(key)
    const { used, waits } = allow(Value.Check(Used, stored) ? stored : [], counts, clock.now().getTime())
    await kv.set(key, used, { ttlSeconds: 2 * 3_600 })
    return waits
  })
}

/** Decides which commands fit into the limits, in their order, and counts those that do. */
export function allow (
  before: Used,
  counts: readonly number[],
  nowMs: number
): { used: Used, waits: (number | undefined)[] } {
  const isSmall = counts.reduce((sum, count) => sum + count, 0) <= smallCall
  const used = limits.map((limit, index) =>
    (before[index] ?? []).filter(({ from }) => endOf(limit, from) > nowMs).map(slice => ({ ...slice }))
  )
  const waits = counts.map(count => {
    if (count === 0) return undefined
    const longest = Math
      .max(...limits.map((limit, index) => waitOf(limit, used[index] ?? [], { count, isSmall, nowMs })))
    if (longest > 0) return longest
    for (const [index, limit] of limits.entries()) add(used[index] ?? [], limit, count, nowMs)
    return undefined
  })
  return { used, waits }
}

/** When the marketplace has forgotten the last change of a slice. */
function endOf ({ windowMs, sliceMs }: Limit, from: number): number {
  return from + sliceMs + windowMs
}

function waitOf (
  limit: Limit,
  slices: Used[number],
  { count, isSmall, nowMs }: { count: number, isSmall: boolean, nowMs: number }
): number {
  const most = isSmall ? limit.most : limit.most - limit.reserve
  let over = slices.reduce((sum, slice) => sum + slice.count, 0) + count - most
  for (const { from, count: freed } of slices) {
    if (over <= 0) return 0
    over -= freed
    if (over <= 0) return endOf(limit, from) - nowMs
  }
  return 0
}

function add (slices: Used[number], { sliceMs }: Limit, count: number, nowMs: number): void {
  const from = nowMs - nowMs % sliceMs
  const last = slices.at(-1)
  if (last?.from === from) last.count += count
  else slices.push({ from, count })
}
