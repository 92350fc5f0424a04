import type { RequestBudget } from '@linker/sdk'
import { changePart, partOf, type Area } from './areas.ts'
import { askAgainMs, passThrough, probeFor } from './breaker.ts'
import { effectiveBudget, paceOf } from './budget.ts'
import { withoutPast, type Changed } from './state.ts'
import type { TrafficState, UpstreamState } from './stored-state.ts'

export const waitReasons = ['budget', 'rate-limit', 'unavailable', 'circuit-breaker'] as const
/** Why a request must wait longer than its sender can. */
export type WaitReason = typeof waitReasons[number]

/** A request that asks to be sent. */
export interface Wish {
  callId: string
  /** The areas that it needs, besides the whole connection. */
  areas: readonly string[]
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
  /** The places that the request got before, if it comes too late for them. */
  missed?: readonly TakenPlace[] | undefined
}

/** The change of a state when a request takes a place: in the budget, or in the rate of an area. */
export interface TakenPlace extends Required<Pick<TrafficState, 'nextSlotAt' | 'slotMs'>> {
  area: Area
}

export type Admission =
  | {
    kind: 'send',
    inMs: number,
    /** Where the call finds out whether the platform works. */
    probes: readonly Area[],
    /** None without a budget: there are places enough. */
    places: readonly TakenPlace[]
  }
  /** The sender can wait for the end of a rest, and asks again then. */
  | { kind: 'hold', inMs: number }
  | Refused

export interface Refused {
  kind: 'wait'
  reason: WaitReason
  /** The area that makes it wait. Undefined: the whole connection. */
  area: Area
  inMs: number
  budget: RequestBudget | undefined
  /** The last failure of the platform, or its reason for a rest. */
  cause: string | undefined
}

/** The distance at which refused requests come again when there is no budget. */
const usualGapMs = 20
/**
 * How far the plan of refused requests reaches. Those that come after it are spread over it at
 * random: a plan of hours would keep its times when jobs are cancelled or the budget grows.
 */
const planMs = 600_000
/** The plan behind an open breaker is short: its first job finds out whether it closes. */
const planAfterBreakerMs = 60_000
/** How soon a request that can wait asks again while another finds out whether a rest is over. */
const holdMs = 500
/**
 * A run that sat out the rest of an area, or of a platform that is away, would take the place of
 * the jobs that need neither.
 */
const longestSittingMs = 2_000

/** Decides whether a request may be sent, and when. Uses up the places that it gets. */
export function admit (given: UpstreamState, wish: Wish, now: number): Changed<Admission> {
  const { missed = [], longestWaitMs } = wish
  const state = withoutPast(missed.reduce(withoutPlace, given), now)
  const passed = passAll(state, wish, now)
  if ('refusal' in passed) return refused(state, passed.refusal, wish, now)
  if ('holdMs' in passed) return { state, result: { kind: 'hold', inMs: passed.holdMs } }

  const places = findPlaces(passed.state, wish, now)
  const sendAt = wish.isUrgent ? now : Math.max(now, ...places.map(place => place.sendAt))
  if (sendAt - now > longestWaitMs) {
    // Refused again and again, no request would ever go out where every decision takes long.
    if (missed.length > 0) return { state: given, result: sendNow }
    const last = places.find(place => place.sendAt === sendAt)
    const refusal = { reason: 'budget', area: last?.place.area, from: sendAt, cause: undefined } as const
    return refused(state, refusal, wish, now)
  }
  const taken = places.map(({ place }) => place)
  const result: Admission = { ...sendNow, inMs: sendAt - now, probes: passed.probes, places: taken }
  return { state: taken.reduce(withPlace, passed.state), result }
}

const sendNow = { kind: 'send', inMs: 0, probes: [], places: [] } as const satisfies Admission

type PassedAll =
  | { state: UpstreamState, probes: Area[] }
  | { holdMs: number }
  | { refusal: Refusal }

/** Asks the whole connection and each area that the request needs. */
function passAll (given: UpstreamState, wish: Wish, now: number): PassedAll {
  let state = given
  const probes: Area[] = []
  for (const area of [undefined, ...wish.areas]) {
    const part = partOf(state, area)
    const passage = passPart(part, wish, now)
    if (passage.kind === 'held' && passage.until - now <= patienceFor(passage, area, wish)) {
      return { holdMs: passage.until - now }
    }
    if (passage.kind !== 'pass') {
      const { reason, from, cause } = passage
      return { refusal: { reason, area, from, cause } }
    }
    if (passage.isProbe) probes.push(area)
    if (passage.part !== part) state = changePart(state, area, () => passage.part)
  }
  return { state, probes }
}

/** How long a request waits for the end of a rest. */
function patienceFor ({ reason }: { reason: WaitReason }, area: Area, { longestWaitMs }: Wish): number {
  return area === undefined && reason !== 'unavailable' ? longestWaitMs : Math.min(longestSittingMs, longestWaitMs)
}

type Passage =
  | { kind: 'pass', part: TrafficState, isProbe: boolean }
  | { kind: 'refused', reason: WaitReason, from: number, cause: string }
  /** A request that can wait until then asks again. Others come again `from` then on. */
  | { kind: 'held', until: number, reason: WaitReason, from: number, cause: string | undefined }

function passPart (part: TrafficState, wish: Wish, now: number): Passage {
  const { breaker } = part
  if (breaker === undefined) return passRest(part, wish, now)
  const passage = passThrough(breaker, wish, now)
  if (passage.kind === 'refused') {
    return { kind: 'refused', reason: 'circuit-breaker', from: passage.until, cause: breaker.failure }
  }
  const rested = passRest(part, wish, now)
  if (rested.kind !== 'pass') return rested
  const changed = passage.breaker === breaker ? rested.part : { ...rested.part, breaker: passage.breaker }
  return { kind: 'pass', part: changed, isProbe: true }
}

function passRest (part: TrafficState, { callId, isTest, isUrgent }: Wish, now: number): Passage {
  const { rest, throttledUntil = 0 } = part
  const reason = rest?.isAway === true ? 'unavailable' : 'rate-limit'
  const cause = rest?.reason
  // One answer to a person does not show that the hub may send as much as before.
  if (isUrgent) return { kind: 'pass', part, isProbe: isTest && rest?.isAway === true }
  if (throttledUntil > now) return { kind: 'held', until: throttledUntil, reason, from: throttledUntil, cause }
  if (rest === undefined) return { kind: 'pass', part, isProbe: false }
  const probe = probeFor(rest.probe, callId, now)
  if (probe === undefined) return { kind: 'held', until: now + holdMs, reason, from: now + askAgainMs, cause }
  return { kind: 'pass', part: probe === rest.probe ? part : { ...part, rest: { ...rest, probe } }, isProbe: true }
}

/** Gives a place back that was not used, if no other was taken after it. */
function withoutPlace (state: UpstreamState, { area, nextSlotAt, slotMs }: TakenPlace): UpstreamState {
  return changePart(
    state,
    area,
    part => part.nextSlotAt === nextSlotAt ? { ...part, nextSlotAt: nextSlotAt - slotMs } : part
  )
}

function withPlace (state: UpstreamState, { area, ...place }: TakenPlace): UpstreamState {
  return changePart(state, area, part => ({ ...part, ...place }))
}

/** A time at which a request may be sent, and the place that it takes then. */
interface Found {
  sendAt: number
  place: TakenPlace
}

/** Finds a place in the budget of the connection, and one in the learnt rate of each area. */
function findPlaces (state: UpstreamState, { declared, areas }: Wish, now: number): Found[] {
  return [undefined, ...areas].flatMap(area => {
    const part = partOf(state, area)
    const budget = area === undefined
      ? effectiveBudget(declared, state)
      : effectiveBudget(undefined, { learnt: part.learnt })
    return budget === undefined ? [] : [findPlace(part, area, budget, now)]
  })
}

function findPlace (part: TrafficState, area: Area, budget: RequestBudget, now: number): Found {
  const { nextSlotAt = 0, slotMs } = part
  const { intervalMs, toleranceMs } = paceOf(budget)
  // Places that were taken at another pace count as so many places, not as so much time.
  const takenMs = Math.max(0, nextSlotAt - now) * (slotMs === undefined ? 1 : intervalMs / slotMs)
  const arrival = now + takenMs
  return {
    sendAt: Math.max(now, arrival - toleranceMs),
    place: { area, nextSlotAt: arrival + intervalMs, slotMs: intervalMs }
  }
}

/** Why a request is refused, and when it could be sent at the earliest. */
interface Refusal extends Pick<Refused, 'reason' | 'area' | 'cause'> {
  from: number
}

/**
 * Refuses a request. A job is told to come again when it is its turn: one after the other at the
 * pace of the budget, or all would come at once and be refused again. The pace is that of the time
 * when they come: a learnt rate has grown until then.
 */
function refused (
  state: UpstreamState,
  { reason, area, from, cause }: Refusal,
  { declared, comesAgain, random }: Wish,
  now: number
): Changed<Admission> {
  const budgetAt = (at: number): RequestBudget | undefined => {
    const later = withoutPast(state, at)
    const whole = effectiveBudget(declared, later)
    return area === undefined ? whole : effectiveBudget(whole, { learnt: partOf(later, area).learnt })
  }
  const refuse = (at: number): Refused => ({ kind: 'wait', reason, area, inMs: at - now, budget: budgetAt(now), cause })
  if (!comesAgain) return { state, result: refuse(from) }
  const lengthMs = reason === 'circuit-breaker' ? planAfterBreakerMs : planMs
  const at = Math.max(from, partOf(state, area).plannedUntil ?? 0)
  if (at > from + lengthMs) return { state, result: refuse(from + random * lengthMs) }
  const later = budgetAt(at)
  const gapMs = later === undefined ? usualGapMs : paceOf(later).intervalMs
  return { state: changePart(state, area, part => ({ ...part, plannedUntil: at + gapMs })), result: refuse(at) }
}
