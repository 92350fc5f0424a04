import type { RequestBudget } from '@linker/sdk'
import { passThrough } from './breaker.ts'
import { effectiveBudget, paceOf, type Pace } from './budget.ts'
import { withoutPast, type Changed, type UpstreamState } from './state.ts'

export const waitReasons = ['budget', 'throttled', 'circuit-breaker'] as const
/** Why a request must wait longer than its sender can. */
export type WaitReason = typeof waitReasons[number]

/** A request that asks to be sent. */
export interface Wish {
  callId: string
  /** Whether a person asks whether the platform works: the breaker lets it pass. */
  isTest: boolean
  /** The budget that the adapter declares. */
  declared: RequestBudget | undefined
  /** How long its sender can wait. */
  longestWaitMs: number
}

export type Admission =
  | { kind: 'send', inMs: number, isProbe: boolean }
  | { kind: 'wait', reason: WaitReason, inMs: number, budget: RequestBudget | undefined, failure: string | undefined }

/** The distance at which refused requests come again when there is no budget. */
const usualGapMs = 20

/** Decides whether a request may be sent, and when. Uses up the place that it gets. */
export function admit (given: UpstreamState, wish: Wish, now: number): Changed<Admission> {
  const state = withoutPast(given, now)
  const budget = effectiveBudget(wish.declared, state)
  const pace = budget === undefined ? undefined : paceOf(budget)
  const { breaker } = state
  if (breaker === undefined) return takeSlot(state, { pace, budget, isProbe: false }, wish, now)

  const passage = passThrough(breaker, wish, now)
  if (passage.kind === 'refused') {
    return planned(
      state,
      passage.until,
      wish,
      now,
      inMs => ({ kind: 'wait', reason: 'circuit-breaker', inMs, budget, failure: breaker.failure })
    )
  }
  return takeSlot({ ...state, breaker: passage.breaker }, { pace, budget, isProbe: true }, wish, now, state)
}

interface Limits {
  pace: Pace | undefined
  budget: RequestBudget | undefined
  isProbe: boolean
}

/** `otherwise`: the state to go on with when there is no place in time. */
function takeSlot (
  state: UpstreamState,
  { pace, budget, isProbe }: Limits,
  wish: Wish,
  now: number,
  otherwise = state
): Changed<Admission> {
  const { longestWaitMs } = wish
  const { throttledUntil = 0, nextSlotAt = 0 } = state
  const earliest = Math.max(now, throttledUntil)
  const arrival = Math.max(nextSlotAt, earliest)
  const sendAt = pace === undefined ? earliest : Math.max(earliest, arrival - pace.toleranceMs)
  if (sendAt - now > longestWaitMs) {
    const reason = earliest - now > longestWaitMs ? 'throttled' : 'budget'
    return planned(otherwise, sendAt, wish, now, inMs => ({ kind: 'wait', reason, inMs, budget, failure: undefined }))
  }
  const result: Admission = { kind: 'send', inMs: sendAt - now, isProbe }
  return { state: pace === undefined ? state : { ...state, nextSlotAt: arrival + pace.intervalMs }, result }
}

/**
 * Refuses a request and tells it when to come again: one after the other at the pace of the budget,
 * or they would all come at once and be refused again. The pace is that of the time when they come:
 * a learnt rate has grown until then, and many jobs would wait for hours after it is forgotten.
 */
function planned (
  state: UpstreamState,
  from: number,
  { declared }: Wish,
  now: number,
  refuse: (inMs: number) => Admission
): Changed<Admission> {
  const at = Math.max(from, state.plannedUntil ?? 0)
  const budget = effectiveBudget(declared, withoutPast(state, at))
  const gapMs = budget === undefined ? usualGapMs : paceOf(budget).intervalMs
  return { state: { ...state, plannedUntil: at + gapMs }, result: refuse(at - now) }
}
