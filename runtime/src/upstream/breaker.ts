/**
 * The circuit breaker of a connection, or of an area of its platform, while it is not closed. When
 * `openUntil` has passed, one request, the probe, finds out whether the platform works again.
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

/** The call that may send requests while the breaker is half open, or after a rest. */
export interface Probe {
  callId: string
  /** If its process dies, another call may probe after this time. */
  until: number
}

/** After an outage, the hub must be back within a minute. */
export const openMs = 30_000
// By default an attempt takes at most 30 s, and 5 s to connect.
const probeMs = 60_000
/** How soon a job asks again while the probe is under way. */
export const askAgainMs = 2_000

export function opened (failure: string, now: number): Breaker {
  return { openedAt: now, openUntil: now + openMs, openings: 1, failure }
}

/** Opens a breaker again after a failed probe. */
export function reopened ({ openedAt, openings }: Breaker, failure: string, now: number): Breaker {
  return { openedAt, openUntil: now + openMs, openings: openings + 1, failure }
}

/**
 * Finds the probe for a request that asks: that of its own call, or a new one when there is none.
 * Undefined while another call probes.
 */
export function probeFor (probe: Probe | undefined, callId: string, now: number): Probe | undefined {
  if (probe?.callId === callId) return probe
  return probe !== undefined && now < probe.until ? undefined : { callId, until: now + probeMs }
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
  if (isTest) return { kind: 'pass', breaker }
  if (now < breaker.openUntil) return { kind: 'refused', until: breaker.openUntil }
  const probe = probeFor(breaker.probe, callId, now)
  if (probe === undefined) return { kind: 'refused', until: now + askAgainMs }
  return { kind: 'pass', breaker: probe === breaker.probe ? breaker : { ...breaker, probe } }
}
