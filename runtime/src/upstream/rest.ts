import type { Probe } from './breaker.ts'

/**
 * A rest of a platform, or of an area of it. When it has ended, one request, the probe, finds out
 * whether the platform works, and the others follow.
 */
export interface Rest {
  /** When it began. A rest that follows at once belongs to it. */
  since: number
  /** `GET /x answered 429`, or why the platform is away, as its adapter says it. */
  reason: string
  /** Whether the platform is off for a while; else it asked to slow down. */
  isAway: boolean
  probe?: Probe
}

/** The wait that a platform asked for, and how it answered. */
export interface AskedRest {
  isAway: boolean
  status: number | undefined
  retryAfterMs: number | undefined
}

/** The rest after an answer 429 that names none. */
const usualThrottledMs = 5_000
const usualAwayMs = 60_000
const longestThrottledMs = 900_000
/** Maintenance pages ask for an hour by habit, and the hub must be back soon after it. */
const longestAwayMs = 300_000

/** The milliseconds to rest. An adapter may have computed any number. */
export function restMsOf ({ isAway, status, retryAfterMs = Number.NaN }: AskedRest): number {
  const longestMs = isAway || status === 503 ? longestAwayMs : longestThrottledMs
  const usualMs = isAway ? usualAwayMs : usualThrottledMs
  return retryAfterMs >= 0 ? Math.min(longestMs, retryAfterMs) : usualMs
}
