import type { RequestBudget } from '@linker/sdk'
import { effectiveBudget } from './budget.ts'
import type { Traffic } from './schemas.ts'
import { withoutPast, type OwnBudget, type UpstreamState } from './state.ts'

/** Describes a state at a time by the clock of the database. */
export function viewOf (given: UpstreamState, declared: RequestBudget | undefined, now: number): Traffic {
  const state = withoutPast(given, now)
  const { own, learnt, throttledUntil, breaker } = state
  return {
    budget: {
      declared: declared ?? null,
      own: own === undefined ? null : viewOfOwn(own),
      learnt: learnt === undefined
        ? null
        : { ratePerSecond: learnt.ratePerSecond, throttledAt: isoOf(learnt.throttledAt) },
      effective: effectiveBudget(declared, state) ?? null
    },
    throttledUntil: throttledUntil === undefined ? null : isoOf(throttledUntil),
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
