import type { RequestBudget } from '@linker/sdk'
import { namesOf, partOf } from './areas.ts'
import { effectiveBudget } from './budget.ts'
import type { AreaTraffic, Traffic } from './schemas.ts'
import { withoutPast } from './state.ts'
import type { OwnBudget, TrafficState, UpstreamState } from './stored-state.ts'

/** Describes a state at a time by the clock of the database. */
export function viewOf (given: UpstreamState, declared: RequestBudget | undefined, now: number): Traffic {
  const state = withoutPast(given, now)
  const { own } = state
  const { learnt, ...whole } = viewOfPart(state, now)
  return {
    budget: {
      declared: declared ?? null,
      own: own === undefined ? null : viewOfOwn(own),
      learnt,
      effective: effectiveBudget(declared, state) ?? null
    },
    ...whole,
    areas: namesOf(state).toSorted().map(name => ({ name, ...viewOfPart(partOf(state, name), now) }))
  }
}

function viewOfPart (part: TrafficState, now: number): Omit<AreaTraffic, 'name'> {
  const { learnt, throttledUntil = 0, rest, breaker } = part
  return {
    learnt: learnt === undefined
      ? null
      : { ratePerSecond: learnt.ratePerSecond, throttledAt: isoOf(learnt.throttledAt) },
    throttledUntil: throttledUntil > now ? isoOf(throttledUntil) : null,
    rest: rest === undefined
      ? null
      : { since: isoOf(rest.since), reason: rest.reason, isAway: rest.isAway },
    breaker: breaker === undefined
      ? { state: 'closed', openedAt: null, openUntil: null, openings: 0, failure: null }
      : {
        state: now < breaker.openUntil ? 'open' : 'probing',
        openedAt: isoOf(breaker.openedAt),
        openUntil: isoOf(breaker.openUntil),
        openings: breaker.openings,
        failure: breaker.failure
      }
  }
}

function viewOfOwn ({ reason, by, since, ...budget }: OwnBudget): NonNullable<Traffic['budget']['own']> {
  return { ...budget, reason: reason ?? null, by: by ?? null, since: since === undefined ? null : isoOf(since) }
}

function isoOf (milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
