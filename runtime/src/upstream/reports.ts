import type { HttpRequestEvent } from '@linker/sdk/host'
import { LRUCache } from 'lru-cache'
import { changePart, partOf, type Area } from './areas.ts'
import { openMs } from './breaker.ts'
import { effectiveBudget } from './budget.ts'
import type { Begun } from './calls.ts'
import { describeFailure } from './describe.ts'
import { createFailureWindow, type FailureWindow } from './failure-window.ts'
import { restMsOf } from './rest.ts'
import { closed, failed, probeFailed, throttled, withoutBreaker, withoutProbeOf } from './state.ts'
import type { UpstreamStates } from './states.ts'
import type { OwnBudget, TrafficState } from './stored-state.ts'

export interface ReportsOptions {
  states: UpstreamStates
  now: () => Date
  /**
   * Called when the breaker of a connection or of an area closes, and when a rest ends early: the
   * jobs that wait for it are due.
   */
  onClosed(connectionId: string, area: Area): Promise<void>
  /** Called when other processes should look at the state of a connection. */
  onChanged(): void
  /** Called when a breaker opens, or opens again after a failed probe. */
  onOpened(adapter: string): void
  log: Record<'info' | 'warn', (fields: object, message: string) => void>
}

/** Learns from the ends of requests. */
export interface Reports {
  /** `area`: the one that the request named. */
  note(call: Begun, event: HttpRequestEvent, area: Area): void
  /** Lets the platform, or an area of it, rest. */
  rest(call: Begun, event: HttpRequestEvent, area: Area): void
  /** Changes a part of a state without anybody waiting for it. */
  change(connectionId: string, area: Area, next: (part: TrafficState, at: number) => TrafficState): void
  /** Forgets the requests that this process counted of a part. */
  forget(connectionId: string, area: Area): void
  forgetAll(connectionId: string): void
}

type NextPart = (part: TrafficState, at: number, own: OwnBudget | undefined) => TrafficState

interface ChangedPart {
  before: TrafficState
  after: TrafficState
  at: number
}

const mostWindows = 10_000
const tellAgainMs = 60_000
const longestReason = 300
/**
 * A job that probed in vain leaves the next probe to others: if only its own request fails, it
 * would keep the breaker open for all.
 */
const laterThanOthersMs = 5_000

export function createReports ({ states, now, onClosed, onChanged, onOpened, log }: ReportsOptions): Reports {
  const windows = new LRUCache<string, Map<Area, FailureWindow>>({ max: mostWindows })
  const told = new LRUCache<string, true>({ max: mostWindows, ttl: tellAgainMs })

  function windowOf (connectionId: string, area: Area): FailureWindow {
    const ofConnection = windows.get(connectionId) ?? new Map<Area, FailureWindow>()
    windows.set(connectionId, ofConnection)
    const window = ofConnection.get(area) ?? createFailureWindow()
    ofConnection.set(area, window)
    return window
  }

  function forget (connectionId: string, area: Area): void {
    windows.get(connectionId)?.delete(area)
  }

  /** Changes a part of a state. Answers what it was before, and what it is now. */
  function changeOne (connectionId: string, area: Area, next: NextPart): Promise<ChangedPart> {
    return states.change(connectionId, (state, at) => {
      const before = partOf(state, area)
      const changed = changePart(state, area, part => next(part, at, state.own))
      return { state: changed, result: { before, after: partOf(changed, area), at } }
    })
  }

  function change (
    connectionId: string,
    area: Area,
    next: (part: TrafficState, at: number) => TrafficState
  ): void {
    unwatched(connectionId, changeOne(connectionId, area, next).then(onChanged))
  }

  function unwatched (connectionId: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      log.warn({ err: error, connectionId }, 'the state of the traffic to a platform could not be stored')
    })
  }

  /** Counts a failure, and opens the breaker when there are enough of them. */
  function fail (call: Begun, area: Area, event: HttpRequestEvent, failsByHalf: boolean): void {
    const { connectionId, adapter, isTest } = call
    const failure = describeFailure(event)
    const isProbe = call.probes.delete(area)
    // Not closed, so that the next request without an area finds out about the connection.
    const isProbeOfWhole = area !== undefined && giveUpWhole(call)
    // A person who tries during a repair must not make the hub wait longer.
    if ((isProbe || isProbeOfWhole) && isTest) return
    if (isProbe) {
      call.wait ??= {
        connectionId,
        reason: 'circuit-breaker',
        area,
        retryAfterMs: openMs + laterThanOthersMs,
        message: failure,
        kind: 'probed',
        isUncertain: false
      }
    }
    const storing = changeOne(
      connectionId,
      area,
      (part, at) => isProbe ? probeFailed(part, failure, at) : failed(part, { failure, failsByHalf }, at)
    )
    unwatched(
      connectionId,
      storing.then(({ before, after }) => {
        if (after.breaker === before.breaker) return
        forget(connectionId, area)
        onOpened(adapter)
        log.warn({ connectionId, area, adapter, failure }, 'the circuit breaker opens: the platform fails')
        onChanged()
      })
    )
  }

  /**
   * What an area answers tells nothing of the whole connection, be it a success: one request
   * without an area finds out.
   */
  function giveUpWhole (call: Begun): boolean {
    const isProbe = call.probes.delete(undefined)
    if (isProbe) change(call.connectionId, undefined, part => withoutProbeOf(part, call.callId))
    return isProbe
  }

  function close (call: Begun, area: Area, next: (part: TrafficState) => TrafficState): void {
    const { connectionId, adapter } = call
    call.probes.delete(area)
    unwatched(
      connectionId,
      changeOne(connectionId, area, next).then(async ({ before, after, at }) => {
        const hasClosed = before.breaker !== undefined && after.breaker === undefined
        const hasRested = before.rest !== undefined && after.rest === undefined
        if (hasClosed) {
          log.info({ connectionId, area, adapter }, 'the circuit breaker closes: the platform works again')
        }
        if (hasClosed || hasRested) onChanged()
        // After the end of a rest, the plan lets the jobs come one after the other.
        const isEarly = hasRested && (before.throttledUntil ?? 0) > at
        if (hasClosed || isEarly) await onClosed(connectionId, area)
      })
    )
  }

  function throttle (call: Begun, event: HttpRequestEvent, area: Area): void {
    const { connectionId, adapter, declared } = call
    const { status, fault, retryAfterMs } = event
    const isAway = fault === 'away'
    const restMs = restMsOf({ isAway, status, retryAfterMs })
    // The thread of an adapter can send anything.
    const reason = isAway ? String(event.reason).slice(0, longestReason) : describeFailure(event)
    // The error of the call says what the platform answered.
    call.wait ??= {
      connectionId,
      reason: isAway ? 'unavailable' : 'rate-limit',
      area,
      retryAfterMs: restMs,
      message: '',
      kind: 'answered',
      isUncertain: false
    }
    const part = `${connectionId} ${area ?? ''}`
    if (!told.has(part)) {
      told.set(part, true)
      const what = isAway ? 'the platform is away' : 'the platform asks to slow down'
      log.warn({ connectionId, area, adapter, retryAfterMs: restMs, reason }, what)
    }
    // The hub lets a test out although the platform rests, so its answer says nothing of the rate.
    const measured = call.isTest ? 0 : windowOf(connectionId, area).ratePerSecond(now().getTime())
    unwatched(
      connectionId,
      changeOne(connectionId, area, (part, at, own) => {
        const budgeted = effectiveBudget(declared, own === undefined ? {} : { own })?.ratePerSecond
        return throttled(part, { restMs, reason, isAway, budgeted, measured }, at)
      }).then(onChanged)
    )
  }

  return {
    note (call, event, area) {
      if (event.error === 'ABORTED') return
      const at = now().getTime()
      const window = windowOf(call.connectionId, area)
      const isFailure = event.fault === 'unavailable'
      window.count(isFailure, at)
      if (isFailure) {
        call.mayHaveWritten ||= event.method !== 'GET' && event.method !== 'HEAD'
        return fail(call, area, event, window.failsByHalf(at))
      }
      const asksForRest = event.fault === 'throttled' || event.fault === 'away'
      if (call.probes.has(area)) close(call, area, asksForRest ? withoutBreaker : closed)
      if (area !== undefined) giveUpWhole(call)
      if (asksForRest) throttle(call, event, area)
    },
    rest: throttle,
    change,
    forget,
    forgetAll (connectionId) {
      windows.delete(connectionId)
    }
  }
}
