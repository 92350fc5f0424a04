import type { RequestBudget } from '@linker/sdk'
import type { Actor } from '../audit/actor.ts'
import { opened, reopened, type Breaker } from './breaker.ts'
import { effectiveBudget } from './budget.ts'
import { sumOf, withFailure, type FailureCount } from './failure-count.ts'
import { lowered, recovered, type Learnt } from './learnt-rate.ts'

/** The budget that an operator set, with who set it and why. */
export interface OwnBudget extends RequestBudget {
  reason?: string
  /** Absent: an earlier version of the hub stored the budget. */
  by?: Pick<Actor, 'kind' | 'name' | 'tokenId'>
  since?: number
}

/**
 * The traffic to the platform of one connection, as the hub stores it for all processes. Times are
 * milliseconds since 1970 by the clock of the database.
 */
export interface UpstreamState {
  own?: OwnBudget
  /** The rate to which answers 429 have slowed the hub down. */
  learnt?: Learnt
  /** The theoretical arrival time of the next request (GCRA): the later, the less burst is left. */
  nextSlotAt?: number
  /** The time between two requests at the pace at which `nextSlotAt` was set. */
  slotMs?: number
  /** The next turn in the plan: when the next refused request is told to come again. */
  plannedUntil?: number
  /** The platform asked for a rest until then. */
  throttledUntil?: number
  breaker?: Breaker
  /** Failures of the platform in the last minute. */
  failures?: FailureCount
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
  const hasRested = state.throttledUntil !== undefined && state.throttledUntil <= now
  if (learnt === state.learnt && !hasRested) return state
  const { learnt: _learnt, throttledUntil, ...rest } = state
  return {
    ...rest,
    ...(learnt === undefined ? {} : { learnt }),
    ...(hasRested || throttledUntil === undefined ? {} : { throttledUntil })
  }
}

/**
 * The state after an operator set or removed the budget. The same budget again is no change, so it
 * keeps its author.
 */
export function withOwn (
  state: UpstreamState,
  budget: Omit<OwnBudget, 'since'> | undefined,
  now: number
): UpstreamState {
  const { own, ...rest } = withoutPlan(state)
  if (budget === undefined) return rest
  const members = ['ratePerSecond', 'burst', 'reason'] as const
  const isSame = own !== undefined && members.every(member => own[member] === budget[member])
  return { ...rest, own: isSame ? own : { ...budget, since: now } }
}

/** The state after an operator's reset: only the operator's own budget stays. */
export function resetState ({ own, nextSlotAt, slotMs }: UpstreamState): UpstreamState {
  return {
    ...(own === undefined ? {} : { own }),
    ...(nextSlotAt === undefined ? {} : { nextSlotAt }),
    ...(slotMs === undefined ? {} : { slotMs })
  }
}

/** An answer 429, or 503 with `Retry-After`. */
export interface Throttling {
  retryAfterMs: number
  declared: RequestBudget | undefined
  /** Requests per second that this process sent lately. */
  measured: number
}

/** The state after the platform asked to slow down. */
export function throttled (given: UpstreamState, throttling: Throttling, now: number): UpstreamState {
  const state = withoutPast(given, now)
  const { retryAfterMs, declared, measured } = throttling
  const throttledUntil = Math.max(state.throttledUntil ?? 0, now + retryAfterMs)
  const { own } = state
  const budgeted = effectiveBudget(declared, own === undefined ? {} : { own })?.ratePerSecond
  const learnt = lowered(state.learnt, { budgeted, measured, restUntil: throttledUntil }, now)
  return {
    ...state,
    ...(learnt === undefined ? {} : { learnt }),
    throttledUntil
  }
}

const leastFailures = 10

/**
 * The state after a failure. The breaker opens when all processes together counted ten failures in
 * a minute, and at least half of the requests of this process failed.
 */
export function failed (
  state: UpstreamState,
  { failure, failsByHalf }: { failure: string, failsByHalf: boolean },
  now: number
): UpstreamState {
  // Requests that were under way when it opened may still fail.
  if (state.breaker !== undefined) return state
  const failures = withFailure(state.failures, now)
  return failsByHalf && sumOf(failures) >= leastFailures
    ? { ...state, failures, breaker: opened(failure, now) }
    : { ...state, failures }
}

/** The state after a probe that failed: the breaker opens again, for longer. */
export function probeFailed (state: UpstreamState, failure: string, now: number): UpstreamState {
  return state.breaker === undefined ? state : { ...state, breaker: reopened(state.breaker, failure, now) }
}

/** The state after a probe that succeeded. */
export function closed (state: UpstreamState): UpstreamState {
  const { breaker: _breaker, failures: _failures, ...rest } = withoutPlan(state)
  return rest
}

/** The refused requests begin a new plan: what they wait for has changed. */
export function withoutPlan (state: UpstreamState): UpstreamState {
  if (state.plannedUntil === undefined) return state
  const { plannedUntil: _planned, ...rest } = state
  return rest
}

/** Lets another call probe: the probe of this call has sent nothing. */
export function withoutProbeOf (state: UpstreamState, callId: string): UpstreamState {
  if (state.breaker?.probe?.callId !== callId) return state
  const { probe: _probe, ...breaker } = state.breaker
  return { ...state, breaker }
}
