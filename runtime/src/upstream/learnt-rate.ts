/** The rate that the hub learnt from answers 429. */
export interface Learnt {
  ratePerSecond: number
  /** When the hub last changed it. */
  changedAt: number
  /** When the platform last answered 429. */
  throttledAt: number
}

const leastRate = 0.5
const cut = 0.5
const raise = 1.25
const raiseEveryMs = 60_000
const forgetAfterMs = 900_000
/** Answers 429 that come within this time count once: their requests were sent together. */
const togetherMs = 5_000

/**
 * The learnt rate after an answer 429: half of the rate learnt before, at first half of the rate at
 * which this process sent. A process that sends less than one request per second learns nothing: a
 * single 429 says nothing about its rate.
 */
export function lowered (
  learnt: Learnt | undefined,
  { limit, measured }: { limit: number | undefined, measured: number },
  now: number
): Learnt | undefined {
  if (learnt !== undefined && now - learnt.changedAt < togetherMs) return { ...learnt, throttledAt: now }
  if (learnt === undefined && measured < 1) return undefined
  // The rests that the hub keeps would lower what it measures after the first answer.
  const sent = Math.min(limit ?? Infinity, learnt?.ratePerSecond ?? measured)
  return { ratePerSecond: Math.max(leastRate, sent * cut), changedAt: now, throttledAt: now }
}

/**
 * The learnt rate some time later: a quarter more for each minute without 429, forgotten after a
 * quarter of an hour. Returns the same object when nothing changes.
 */
export function recovered (learnt: Learnt | undefined, now: number): Learnt | undefined {
  if (learnt === undefined || now - learnt.throttledAt >= forgetAfterMs) return undefined
  const since = Math.max(learnt.changedAt, learnt.throttledAt)
  const raises = Math.floor((now - since) / raiseEveryMs)
  if (raises < 1) return learnt
  return {
    ...learnt,
    ratePerSecond: learnt.ratePerSecond * raise ** raises,
    changedAt: since + raises * raiseEveryMs
  }
}
