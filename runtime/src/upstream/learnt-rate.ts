/** The rate that the hub learnt from answers 429. */
export interface Learnt {
  ratePerSecond: number
  /** When the hub last changed it. */
  changedAt: number
  /** When an answer 429 last lowered it. Absent: an earlier version of the hub learnt it. */
  loweredAt?: number
  /** When the platform last answered 429. */
  throttledAt: number
  /** Until when the platform asked for a rest. Absent: an earlier version of the hub learnt it. */
  restUntil?: number
}

const usualFloor = 5
const cut = 0.5
const raise = 1.25
const raiseEveryMs = 5_000
const forgetAfterMs = 60_000
/** Answers 429 that come within this time count once: their requests were sent together. */
const togetherMs = 5_000

/** The traffic that the platform refused. */
export interface RefusedTraffic {
  /** The rate of the budget that the adapter declares or the operator set. */
  budgeted: number | undefined
  /** Requests per second that this process sent lately. */
  measured: number
  /** The end of the rest that the platform asked for. */
  restUntil: number
}

/**
 * The learnt rate after an answer 429: half of the rate learnt before, at first half of the rate at
 * which this process sent. It is never below half of the budget, or five requests per second
 * without one: the hub may have sent little because it had little to send, and the rests that the
 * platform asks for slow it down anyway. A process that sends less than one request per second
 * learns nothing.
 */
export function lowered (
  learnt: Learnt | undefined,
  { budgeted, measured, restUntil }: RefusedTraffic,
  now: number
): Learnt | undefined {
  if (learnt !== undefined && now - (learnt.loweredAt ?? learnt.throttledAt) < togetherMs) {
    return { ...learnt, throttledAt: now, restUntil }
  }
  if (learnt === undefined && measured < 1) return undefined
  // The rests that the hub keeps would lower what it measures after the first answer.
  const sent = Math.min(budgeted ?? Infinity, learnt?.ratePerSecond ?? measured)
  const floor = budgeted === undefined ? usualFloor : budgeted * cut
  return {
    ratePerSecond: Math.max(floor, sent * cut),
    changedAt: now,
    loweredAt: now,
    throttledAt: now,
    restUntil
  }
}

/**
 * The learnt rate some time later: a quarter more for every five seconds after the rest, forgotten
 * after a minute. Returns the same object when nothing changes.
 */
export function recovered (learnt: Learnt | undefined, now: number): Learnt | undefined {
  if (learnt === undefined) return undefined
  const { changedAt, throttledAt, restUntil = throttledAt } = learnt
  if (now - restUntil >= forgetAfterMs) return undefined
  const since = Math.max(changedAt, restUntil)
  const raises = Math.floor((now - since) / raiseEveryMs)
  if (raises < 1) return learnt
  return {
    ...learnt,
    ratePerSecond: learnt.ratePerSecond * raise ** raises,
    changedAt: since + raises * raiseEveryMs
  }
}
