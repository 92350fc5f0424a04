import type { HttpRequestEvent } from '@linker/sdk/host'
import { LRUCache } from 'lru-cache'
import type { Begun } from './calls.ts'
import { describeFailure } from './describe.ts'
import { createFailureWindow, type FailureWindow } from './failure-window.ts'
import { closed, failed, probeFailed, throttled, type UpstreamState } from './state.ts'
import type { UpstreamStates } from './states.ts'

export interface ReportsOptions {
  states: UpstreamStates
  now: () => Date
  /** Called when the breaker of a connection closes: the jobs that wait for it are due. */
  onClosed(connectionId: string): Promise<void>
  /** Called when other processes should look at the state of a connection. */
  onChanged(): void
  /** Called when the breaker of a connection opens, or opens again after a failed probe. */
  onOpened(adapter: string): void
  log: Record<'info' | 'warn', (fields: object, message: string) => void>
}

/** Learns from the ends of requests. */
export interface Reports {
  note(call: Begun, event: HttpRequestEvent): void
  /** Changes a state without anybody waiting for it. */
  change(connectionId: string, next: (state: UpstreamState, at: number) => UpstreamState): void
  /** Forgets the requests that this process counted. */
  forget(connectionId: string): void
}

const mostWindows = 10_000
/** The rest after an answer 429 that names none. */
const defaultRestMs = 5_000
const longestRestMs = 3_600_000
const tellAgainMs = 60_000

export function createReports ({ states, now, onClosed, onChanged, onOpened, log }: ReportsOptions): Reports {
  const windows = new LRUCache<string, FailureWindow>({ max: mostWindows })
  const told = new LRUCache<string, true>({ max: mostWindows, ttl: tellAgainMs })

  function windowOf (connectionId: string): FailureWindow {
    const known = windows.get(connectionId)
    if (known !== undefined) return known
    const window = createFailureWindow()
    windows.set(connectionId, window)
    return window
  }

  function change (connectionId: string, next: (state: UpstreamState, at: number) => UpstreamState): void {
    unwatched(
      connectionId,
      states.change(connectionId, (state, at) => ({ state: next(state, at), result: true })).then(onChanged)
    )
  }

  function unwatched (connectionId: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      log.warn({ err: error, connectionId }, 'the state of the traffic to a platform could not be stored')
    })
  }

  /** Counts a failure, and opens the breaker when there are enough of them. */
  function fail (call: Begun, event: HttpRequestEvent, failsByHalf: boolean): void {
    const { connectionId, adapter, isProbe, isTest } = call
    const failure = describeFailure(event)
    call.isProbe = false
    // A person who tries during a repair must not make the hub wait longer.
    if (isProbe && isTest) return
    const storing = states.change(connectionId, (state, at) => {
      const next = isProbe ? probeFailed(state, failure, at) : failed(state, { failure, failsByHalf }, at)
      return { state: next, result: next.breaker !== state.breaker }
    })
    unwatched(
      connectionId,
      storing.then(hasOpened => {
        if (!hasOpened) return
        windows.delete(connectionId)
        onOpened(adapter)
        log.warn({ connectionId, adapter, failure }, 'the circuit breaker opens: the platform fails')
        onChanged()
      })
    )
  }

  function close (call: Begun): void {
    const { connectionId, adapter } = call
    call.isProbe = false
    const storing = states.change(connectionId, state => ({
      state: closed(state),
      result: state.breaker !== undefined
    }))
    unwatched(
      connectionId,
      storing.then(async hasClosed => {
        if (!hasClosed) return
        log.info({ connectionId, adapter }, 'the circuit breaker closes: the platform works again')
        onChanged()
        await onClosed(connectionId)
      })
    )
  }

  function throttle (call: Begun, event: HttpRequestEvent): void {
    const { connectionId, adapter, declared } = call
    const retryAfterMs = restOf(event.retryAfterMs)
    // The error of the call says what the platform answered.
    call.wait ??= {
      connectionId,
      reason: 'rate-limit',
      retryAfterMs,
      message: '',
      kind: 'answered',
      isUncertain: false
    }
    if (!told.has(connectionId)) {
      told.set(connectionId, true)
      log.warn({ connectionId, adapter, retryAfterMs }, 'the platform asks to slow down')
    }
    // The hub lets a test out although the platform rests, so its answer says nothing of the rate.
    const measured = call.isTest ? 0 : windowOf(connectionId).ratePerSecond(now().getTime())
    change(connectionId, (state, at) => throttled(state, { retryAfterMs, declared, measured }, at))
  }

  return {
    note (call, event) {
      if (event.error === 'ABORTED') return
      const at = now().getTime()
      const window = windowOf(call.connectionId)
      const isFailure = event.fault === 'unavailable'
      window.count(isFailure, at)
      if (isFailure) {
        call.mayHaveWritten ||= event.method !== 'GET' && event.method !== 'HEAD'
        return fail(call, event, window.failsByHalf(at))
      }
      if (call.isProbe) close(call)
      if (event.fault === 'throttled') throttle(call, event)
    },
    change,
    forget (connectionId) {
      windows.delete(connectionId)
    }
  }
}

/** The rest to take. An adapter may have computed any number. */
function restOf (askedMs = Number.NaN): number {
  return askedMs >= 0 ? Math.min(longestRestMs, askedMs) : defaultRestMs
}
