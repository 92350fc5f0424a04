import { namesOf, partOf, type Area } from './areas.ts'
import type { Breaker } from './breaker.ts'
import type { UpstreamState } from './stored-state.ts'

/** A platform, or an area of it, that rests. Its reason may hold secrets. */
export interface RestEvidence {
  area: Area
  /** Milliseconds since 1970, as is `until`. */
  since: number
  /** The hub tries again then. */
  until: number
  reason: string
  isAway: boolean
}

/** A rest of so long is more than a pause between requests. */
const longRestMs = 120_000
/** The first request after a rest comes within this time, or nobody sends any. */
const probeDueMs = 60_000

/**
 * Finds the rests that take more than two minutes, from their first answer to their end. One that
 * has ended stays while its probe is due or under way. The state keeps it until the next request.
 */
export function findLongRests (state: UpstreamState, nowMs: number): RestEvidence[] {
  return [undefined, ...namesOf(state)].flatMap(area => {
    const { rest, throttledUntil: until = 0 } = partOf(state, area)
    if (rest === undefined) return []
    const { since, reason, isAway, probe } = rest
    const isOver = Math.max(until + probeDueMs, probe?.until ?? 0) < nowMs
    return !isOver && Math.max(until, nowMs) - since > longRestMs ? [{ area, since, until, reason, isAway }] : []
  })
}

/** A circuit breaker that is not closed. Its failure may hold secrets. */
export interface BreakerEvidence extends Pick<Breaker, 'openedAt' | 'failure'> {
  area: Area
}

export function findBreakers (state: UpstreamState): BreakerEvidence[] {
  return [undefined, ...namesOf(state)].flatMap(area => {
    const { breaker } = partOf(state, area)
    return breaker === undefined ? [] : [{ area, openedAt: breaker.openedAt, failure: breaker.failure }]
  })
}
