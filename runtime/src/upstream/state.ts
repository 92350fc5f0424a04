import type { RequestBudget } from '@linker/sdk'
import type { Breaker } from './breaker.ts'
import { effectiveBudget } from './budget.ts'
import { lowered, recovered, type Learnt } from './learnt-rate.ts'

/**
 * What the hub keeps of the traffic to the platform of one connection. All processes share it. All
 * times are milliseconds since 1970 by the clock of the database.
 */
export interface UpstreamState {
  /** The budget that an operator set. */
  own?: RequestBudget
  /** The rate at which the platform stopped answering 429. */
  learnt?: Learnt
  /** The theoretical arrival time of the next request (GCRA): the later, the less burst is left. */
  nextSlotAt?: number
  /** The last time at which a refused request was told to come again. */
  plannedUntil?: number
  /** The platform asked for a pause until then. */
  throttledUntil?: number
  breaker?: Breaker
}

/** A state after a change, and what the change answers. */
export interface Changed<Result> {
  state: UpstreamState
  result: Result
}

/**
 * Whether the hub must look at the state before it sends a request, even if the adapter declares no
 * budget.
 */
export function isGuarded ({ own, learnt, throttledUntil, breaker }: UpstreamState): boolean {
  return own !== undefined || learnt !== undefined || throttledUntil !== undefined || breaker !== undefined
}

/** Drops what time has ended. Returns the same object when nothing has. */
export function withoutPast (state: UpstreamState, now: number): UpstreamState {
  const learnt = recovered(state.learnt, now)
  const hasPaused = state.throttledUntil !== undefined && state.throttledUntil <= now
  if (learnt === state.learnt && !hasPaused) return state
  const { learnt: _learnt, throttledUntil, ...rest } = state
  return {
    ...rest,
    ...(learnt === undefined ? {} : { learnt }),
    ...(hasPaused || throttledUntil === undefined ? {} : { throttledUntil })
  }
}

/** The state after an operator's reset: only the operator's own budget stays. */
export function resetState ({ own, nextSlotAt }: UpstreamState): UpstreamState {
  return { ...(own === undefined ? {} : { own }), ...(nextSlotAt === undefined ? {} : { nextSlotAt }) }
}

/** The pause after an answer 429 that names none. */
export const defaultPauseMs = 5_000
const longestPauseMs = 3_600_000

/** An answer 429, or 503 with `Retry-After`. */
export interface Throttling {
  retryAfterMs: number
  declared: RequestBudget | undefined
  /** Requests per second that were sent lately. */
  measured: number
}

/** The state after the platform asked to slow down. */
export function throttled (given: UpstreamState, throttling: Throttling, now: number): UpstreamState {
  const state = withoutPast(given, now)
  const { retryAfterMs, declared, measured } = throttling
  const limit = effectiveBudget(declared, state)?.ratePerSecond
  const learnt = lowered(state.learnt, { limit, measured }, now)
  const until = now + Math.min(longestPauseMs, retryAfterMs)
  return {
    ...state,
    ...(learnt === undefined ? {} : { learnt }),
    throttledUntil: Math.max(state.throttledUntil ?? 0, until)
  }
}

/** The state after a probe that succeeded. */
export function closed ({ breaker: _breaker, plannedUntil: _planned, ...state }: UpstreamState): UpstreamState {
  return state
}
