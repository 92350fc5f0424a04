import type { RequestBudget } from '@linker/sdk'
import { passThrough } from './breaker.ts'
import { effectiveBudget, paceOf } from './budget.ts'
import { withoutPast, type Changed, type UpstreamState } from './state.ts'

export const waitReasons = ['budget', 'rate-limit', 'circuit-breaker'] as const
/** Why a request must wait longer than its sender can. */
export type WaitReason = typeof waitReasons[number]

/** A request that asks to be sent. */
export interface Wish {
  callId: string
  /** Whether a person asks whether the platform works: the breaker lets it pass. */
  isTest: boolean
  /**
   * Whether it goes out at once, rest and budget or not: it tests the connection, or it renews the
   * token that all other requests need. It still takes a place from them.
   */
  isUrgent: boolean
  /** The budget that the adapter declares. */
  declared: RequestBudget | undefined
  /** How long its sender can wait. */
  longestWaitMs: number
  /** Whether a job comes again with it: a refused one gets its turn in the plan. */
  comesAgain: boolean
  /** From 0 to 1, to spread what comes after the plan. */
  random: number
  /** The place that the request got before, if it comes too late for it. */
  missed?: TakenPlace | undefined
}

/** The part of the state that a request changes when it takes a place. */
export type TakenPlace = Pick<UpstreamState, 'nextSlotAt' | 'slotMs'>

export type Admission =
  | {
    kind: 'send',
    inMs: number,
    isProbe: boolean,
    /** Undefined without a budget: there are places enough. */
    place: TakenPlace | undefined
  }
  | { kind: 'wait', reason: WaitReason, inMs: number, budget: RequestBudget | undefined, failure: string | undefined }

/** The distance at which refused requests come again when there is no budget. */
const usualGapMs = 20
/**
 * How far the plan of refused requests reaches. Those that come after it are spread over it at
 * random: a plan of hours would keep its times when jobs are cancelled or the budget grows.
 */
const planMs = 600_000
/** The plan behind an open breaker is short: its first job finds out whether it closes. */
const planAfterBreakerMs = 60_000

/** Decides whether a request may be sent, and when. Uses up the place that it gets. */
export function admit (given: UpstreamState, wish: Wish, now: number): Changed<Admission> {
  const { missed, longestWaitMs } = wish
  const state = withoutPast(withoutPlace(given, missed), now)
  const budget = effectiveBudget(wish.declared, state)
  const passage = state.breaker === undefined ? undefined : passThrough(state.breaker, wish, now)
  if (passage?.kind === 'refused') {
    return refused(state, { reason: 'circuit-breaker', from: passage.until, budget }, wish, now)
  }
  const found = findPlace(state, budget, now)
  const { sendAt, place } = wish.isUrgent ? { ...found, sendAt: now } : found
  if (sendAt - now > longestWaitMs) {
    const restMs = (state.throttledUntil ?? 0) - now
    // Refused again and again, no request would ever go out where every decision takes long.
    if (missed !== undefined && restMs <= 0) return { state: given, result: sendNow }
    const reason = restMs > longestWaitMs ? 'rate-limit' : 'budget'
    return refused(state, { reason, from: sendAt, budget }, wish, now)
  }
  const result: Admission = { ...sendNow, inMs: sendAt - now, isProbe: passage !== undefined, place }
  if (place === undefined && passage?.breaker === state.breaker) return { state, result }
  return { state: { ...state, ...place, ...passage === undefined ? {} : { breaker: passage.breaker } }, result }
}

const sendNow = { kind: 'send', inMs: 0, isProbe: false, place: undefined } as const satisfies Admission

/** Gives a place back that was not used, if no other was taken after it. */
function withoutPlace (state: UpstreamState, { nextSlotAt, slotMs }: TakenPlace = {}): UpstreamState {
  if (nextSlotAt === undefined || slotMs === undefined || state.nextSlotAt !== nextSlotAt) return state
  return { ...state, nextSlotAt: nextSlotAt - slotMs }
}

/** A time at which a request may be sent, and the place that it takes then. */
interface Found {
  sendAt: number
  place: TakenPlace | undefined
}

function findPlace (
  { throttledUntil = 0, nextSlotAt = 0, slotMs }: UpstreamState,
  budget: RequestBudget | undefined,
  now: number
): Found {
  const earliest = Math.max(now, throttledUntil)
  if (budget === undefined) return { sendAt: earliest, place: undefined }
  const { intervalMs, toleranceMs } = paceOf(budget)
  // Places that were taken at another pace count as so many places, not as so much time.
  const takenMs = Math.max(0, nextSlotAt - now) * (slotMs === undefined ? 1 : intervalMs / slotMs)
  const arrival = Math.max(now + takenMs, earliest)
  return {
    sendAt: Math.max(earliest, arrival - toleranceMs),
    place: { nextSlotAt: arrival + intervalMs, slotMs: intervalMs }
  }
}

/** Why a request is refused, and when it could be sent at the earliest. */
interface Refusal {
  reason: WaitReason
  from: number
  budget: RequestBudget | undefined
}

/**
 * Refuses a request. A job is told to come again when it is its turn: one after the other at the
 * pace of the budget, or all would come at once and be refused again. The pace is that of the time
 * when they come: a learnt rate has grown until then.
 */
function refused (
  state: UpstreamState,
  { reason, from, budget }: Refusal,
  { declared, comesAgain, random }: Wish,
  now: number
): Changed<Admission> {
  const failure = reason === 'circuit-breaker' ? state.breaker?.failure : undefined
  const refuse = (at: number): Admission => ({ kind: 'wait', reason, inMs: at - now, budget, failure })
  if (!comesAgain) return { state, result: refuse(from) }
  const lengthMs = reason === 'circuit-breaker' ? planAfterBreakerMs : planMs
  const at = Math.max(from, state.plannedUntil ?? 0)
  if (at > from + lengthMs) return { state, result: refuse(from + random * lengthMs) }
  const later = effectiveBudget(declared, withoutPast(state, at))
  const gapMs = later === undefined ? usualGapMs : paceOf(later).intervalMs
  return { state: { ...state, plannedUntil: at + gapMs }, result: refuse(at) }
}
