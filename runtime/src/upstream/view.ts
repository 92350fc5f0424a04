import type { RequestBudget } from '@linker/sdk'
import { effectiveBudget } from './budget.ts'
import { withoutPast, type UpstreamState } from './state.ts'

/** The traffic to the platform of a connection, as people see it. Times are ISO 8601. */
export interface UpstreamView {
  budget: {
    /** The one that the adapter declares. */
    declared: RequestBudget | null,
    /** The one that an operator set. */
    own: RequestBudget | null,
    /** The rate to which answers 429 have slowed the hub down. */
    learnt: { ratePerSecond: number, throttledAt: string } | null,
    /** The one that holds now. */
    effective: RequestBudget | null
  }
  /** The platform asked for a pause until then. */
  throttledUntil: string | null
  breaker: {
    /** `probing`: one call finds out whether the platform works again. */
    state: 'closed' | 'open' | 'probing',
    openedAt: string | null,
    /** When the next call may probe. */
    openUntil: string | null,
    /** How often it opened without closing in between. */
    openings: number,
    /** The failure that opened it. */
    failure: string | null
  }
}

/** Describes a state at a time by the clock of the database. */
export function viewOf (given: UpstreamState, declared: RequestBudget | undefined, now: number): UpstreamView {
  const state = withoutPast(given, now)
  const { own, learnt, throttledUntil, breaker } = state
  return {
    budget: {
      declared: declared ?? null,
      own: own ?? null,
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

function isoOf (milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
