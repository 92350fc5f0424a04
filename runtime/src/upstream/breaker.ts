/**
 * The circuit breaker of a connection while it is not closed. When `openUntil` has passed, one
 * request, the probe, finds out whether the platform works again.
 */
export interface Breaker {
  openedAt: number
  openUntil: number
  /** How often it opened without closing in between. */
  openings: number
  /** The last failure, for people. */
  failure: string
  probe?: Probe
}

/** The call that may send requests while the breaker is half open. */
export interface Probe {
  callId: string
  /** If its process dies, another call may probe after this time. */
  until: number
}

const firstOpenMs = 30_000
const longestOpenMs = 600_000
// By default an attempt takes at most 30 s, and 5 s to connect.
const probeMs = 60_000
/** How soon a job asks again while the probe is under way. */
const askAgainMs = 2_000

export function opened (failure: string, now: number): Breaker {
  return { openedAt: now, openUntil: now + firstOpenMs, openings: 1, failure }
}

/** Opens a breaker again after a failed probe, for twice as long each time. */
export function reopened ({ openedAt, openings }: Breaker, failure: string, now: number): Breaker {
  const openMs = Math.min(longestOpenMs, firstOpenMs * 2 ** openings)
  return { openedAt, openUntil: now + openMs, openings: openings + 1, failure }
}

export type Passage = { kind: 'pass', breaker: Breaker } | { kind: 'refused', until: number }

/**
 * Decides about a request while the breaker is not closed. `isTest`: a person asks whether the
 * platform works, so the request goes out at once and is not the probe of the hub.
 */
export function passThrough (
  breaker: Breaker,
  { callId, isTest }: { callId: string, isTest: boolean },
  now: number
): Passage {
  const { openUntil, probe } = breaker
  if (isTest) return { kind: 'pass', breaker }
  if (now < openUntil) return { kind: 'refused', until: openUntil }
  if (probe?.callId === callId) return { kind: 'pass', breaker }
  if (probe !== undefined && now < probe.until) return { kind: 'refused', until: now + askAgainMs }
  return { kind: 'pass', breaker: { ...breaker, probe: { callId, until: now + probeMs } } }
}
