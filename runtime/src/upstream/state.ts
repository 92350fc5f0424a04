import { changePart, withAreas } from './areas.ts'
import { opened, reopened, type Probe } from './breaker.ts'
import { latelyOf, sumOf, withFailure } from './failure-count.ts'
import { lowered, recovered } from './learnt-rate.ts'
import type { Rest } from './rest.ts'
import type { OwnBudget, TrafficState, UpstreamState } from './stored-state.ts'

/** A state after a change, and what the change answers. */
export interface Changed<Result> {
  state: UpstreamState
  result: Result
}

/**
 * Whether the hub must look at the state before it sends a request, even if the adapter declares no
 * budget.
 */
export function isGuarded ({ own, areas = {}, ...whole }: UpstreamState): boolean {
  return own !== undefined || [whole, ...Object.values(areas)].some(hasTrouble)
}

function hasTrouble ({ learnt, throttledUntil, rest, breaker }: TrafficState): boolean {
  return [learnt, throttledUntil, rest, breaker].some(trouble => trouble !== undefined)
}

/** Drops what time has ended. Returns the same object when nothing has. */
export function withoutPast (state: UpstreamState, now: number): UpstreamState {
  const whole = changePart(state, undefined, part => withoutPastOf(part, now))
  const areas = Object.entries(whole.areas ?? {})
  const present = areas.map(([name, part]) => [name, withoutIdle(withoutPastOf(part, now), now)] as const)
  const isSame = present.every(([, part], index) => part === areas[index]?.[1])
  return isSame ? whole : withAreas(whole, Object.fromEntries(present))
}

function withoutPastOf (part: TrafficState, now: number): TrafficState {
  const learnt = recovered(part.learnt, now)
  const hasRested = hasEnded(part, now)
  if (learnt === part.learnt && !hasRested) return part
  const { learnt: _learnt, throttledUntil, rest, ...others } = part
  return {
    ...others,
    ...(learnt === undefined ? {} : { learnt }),
    ...(hasRested || throttledUntil === undefined ? {} : { throttledUntil }),
    ...(hasRested || rest === undefined ? {} : { rest })
  }
}

/** A rest that nobody probes for so long after its end is over. */
const unprobedMs = 300_000

function hasEnded ({ throttledUntil, rest }: TrafficState, now: number): boolean {
  if (rest === undefined) return throttledUntil !== undefined && throttledUntil <= now
  return (throttledUntil ?? 0) + unprobedMs <= now
}

/** An area without trouble leaves no trace: the states of connections would keep every area. */
function withoutIdle (part: TrafficState, now: number): TrafficState {
  const isCounting = part.failures !== undefined && sumOf(latelyOf(part.failures, now)) > 0
  return hasTrouble(part) || isCounting ? part : {}
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
  const { own, ...rest } = changePart(state, undefined, withoutPlan)
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

/** An answer that asks for a rest: 429, 503 with `Retry-After`, or one that says it is away. */
export interface Throttling extends Pick<Rest, 'reason' | 'isAway'> {
  restMs: number
  /** The rate of the budget that the adapter declares or the operator set. */
  budgeted: number | undefined
  /** Requests per second that this process sent lately. */
  measured: number
}

/**
 * The state of a part after such an answer. A platform that is away says nothing of the rate that
 * it takes.
 */
export function throttled (given: TrafficState, throttling: Throttling, now: number): TrafficState {
  const part = withoutPastOf(given, now)
  const { restMs, reason, isAway, budgeted, measured } = throttling
  const throttledUntil = Math.max(part.throttledUntil ?? 0, now + restMs)
  const learnt = isAway ? part.learnt : lowered(part.learnt, { budgeted, measured, restUntil: throttledUntil }, now)
  return {
    ...part,
    ...(learnt === undefined ? {} : { learnt }),
    throttledUntil,
    rest: { since: part.rest?.since ?? now, reason, isAway }
  }
}

const leastFailures = 10

/**
 * The state of a part after a failure. The breaker opens when all processes together counted ten
 * failures in a minute, and at least half of the requests of this process failed.
 */
export function failed (
  part: TrafficState,
  { failure, failsByHalf }: { failure: string, failsByHalf: boolean },
  now: number
): TrafficState {
  // Requests that were under way when it opened may still fail.
  if (part.breaker !== undefined) return part
  const failures = withFailure(part.failures, now)
  return failsByHalf && sumOf(failures) >= leastFailures
    ? { ...part, failures, breaker: opened(failure, now) }
    : { ...part, failures }
}

/**
 * The state of a part after a probe that failed: the breaker opens again, or for the first time
 * when the probe came after a rest.
 */
export function probeFailed (part: TrafficState, failure: string, now: number): TrafficState {
  if (part.breaker !== undefined) return { ...part, breaker: reopened(part.breaker, failure, now) }
  return part.rest === undefined ? part : { ...withoutRest(part), breaker: opened(failure, now) }
}

/** The state of a part after a probe that succeeded. */
export function closed (part: TrafficState): TrafficState {
  return withoutRest(withoutBreaker(withoutPlan(part)))
}

/** The platform answers again: what it answers is another question. */
export function withoutBreaker (part: TrafficState): TrafficState {
  if (part.breaker === undefined) return part
  const { breaker: _breaker, failures: _failures, ...others } = part
  return others
}

function withoutRest (part: TrafficState): TrafficState {
  if (part.rest === undefined) return part
  const { rest: _rest, throttledUntil: _until, ...others } = part
  return others
}

/** The refused requests begin a new plan: what they wait for has changed. */
export function withoutPlan (part: TrafficState): TrafficState {
  if (part.plannedUntil === undefined) return part
  const { plannedUntil: _planned, ...others } = part
  return others
}

/** Lets another call probe: the probe of this call has sent nothing. */
export function withoutProbeOf (part: TrafficState, callId: string): TrafficState {
  const { breaker, rest } = part
  const isOf = (probe: Probe | undefined): boolean => probe?.callId === callId
  if (!isOf(breaker?.probe) && !isOf(rest?.probe)) return part
  return {
    ...part,
    ...(breaker === undefined ? {} : { breaker: isOf(breaker.probe) ? withoutProbe(breaker) : breaker }),
    ...(rest === undefined ? {} : { rest: isOf(rest.probe) ? withoutProbe(rest) : rest })
  }
}

function withoutProbe<Probed extends { probe?: Probe }> ({ probe: _probe, ...others }: Probed): Omit<Probed, 'probe'> {
  return others
}
