import type { RequestBudget } from '@linker/sdk'
import type { HttpRequestEvent, RefusedRequest } from '@linker/sdk/host'
import { LRUCache } from 'lru-cache'
import { setTimeout as sleep } from 'node:timers/promises'
import { admit, type Admission, type WaitReason } from './admission.ts'
import { opened, reopened, withoutProbe } from './breaker.ts'
import { describeFailure, describeWait } from './describe.ts'
import { createFailureWindow, type FailureWindow } from './failure-window.ts'
import { closed, defaultPauseMs, throttled, type UpstreamState } from './state.ts'
import type { UpstreamStates } from './states.ts'

/** A call of an adapter for a connection that is stored. */
export interface CallUnderWay {
  connectionId: string
  /** `adapterKey@version`. */
  adapter: string
  /** The budget that the adapter declares. */
  declared: RequestBudget | undefined
  signal: AbortSignal
  /** Milliseconds since 1970. */
  deadline: number | undefined
  /**
   * The run of a job, the same object for all its calls. Its first request must get its place soon,
   * or the job waits outside; the later ones may wait until its deadline. Absent: a person waits.
   */
  run: object | undefined
  /** Whether the call tests the connection: it finds out whether a broken platform works again. */
  isTest: boolean
}

/** Why the requests of a call have to wait. */
export interface UpstreamWait {
  connectionId: string
  reason: WaitReason
  retryAfterMs: number
  message: string
  /**
   * `refused`: a request was not sent. `too-late`: the requests of the job do not fit into its
   * time, and waiting does not help. `answered`: the platform itself asked for a pause.
   */
  kind: 'refused' | 'too-late' | 'answered'
}

export interface GateOptions {
  states: UpstreamStates
  now: () => Date
  /** Called when the breaker of a connection closes: the jobs that wait for it are due. */
  onClosed(connectionId: string): Promise<void>
  /** Called when other processes should look at the state of a connection. */
  onChanged(): void
  onOpened(adapter: string): void
  onRefused(adapter: string, reason: WaitReason): void
  log: Record<'info' | 'warn', (fields: object, message: string) => void>
}

export interface Gate {
  /** Begins a call, whose requests name it by `callId`. */
  begin(callId: string, call: CallUnderWay): void
  /** Ends a call. Returns why some of its requests were refused. */
  end(callId: string): UpstreamWait | undefined
  /** Resolves when a request may be sent, or says why it must not. */
  admit(connectionId: string, callId: string | undefined): Promise<RefusedRequest | undefined>
  /** Learns from the end of a request. */
  note(event: HttpRequestEvent, callId: string | undefined): void
  /** Forgets the failures that this process counted. */
  forget(connectionId: string): void
}

interface Begun extends CallUnderWay {
  isProbe: boolean
  wait: UpstreamWait | undefined
}

const firstRequestMs = 2_000
const interactiveMs = 10_000
/** The time that a call keeps for its last request and its end. */
const reserveMs = 1_000
const mostWindows = 10_000
const tellAgainMs = 60_000

/**
 * Lets the requests of calls out to their platforms: within the budget of the connection, not while
 * the platform asks for a pause, and not while it is broken.
 */
export function createGate (options: GateOptions): Gate {
  const { states, now, onClosed, onChanged, onOpened, onRefused, log } = options
  const calls = new Map<string, Begun>()
  // The connections of a run that have let out their first request, or are about to.
  const runs = new WeakMap<object, Map<string, Promise<RefusedRequest | undefined>>>()
  const windows = new LRUCache<string, FailureWindow>({ max: mostWindows })
  const told = new LRUCache<string, true>({ max: mostWindows, ttl: tellAgainMs })

  function windowOf (connectionId: string): FailureWindow {
    const known = windows.get(connectionId)
    if (known !== undefined) return known
    const window = createFailureWindow()
    windows.set(connectionId, window)
    return window
  }

  async function ask (
    callId: string,
    call: Begun,
    longestWaitMs: number,
    isLater = false
  ): Promise<RefusedRequest | undefined> {
    const { connectionId, declared, isTest } = call
    const askedAt = performance.now()
    const admission = await states.change(
      connectionId,
      (state, at) => admit(state, { callId, isTest, declared, longestWaitMs }, at)
    )
    if (admission.kind === 'wait') return refuse(call, admission, isLater)
    if (admission.isProbe) {
      call.isProbe = true
      windows.delete(connectionId)
    }
    const leftMs = admission.inMs - (performance.now() - askedAt)
    if (leftMs <= 0) return undefined
    await sleep(leftMs, undefined, { signal: call.signal }).catch(() => undefined)
    // The platform may have failed or asked for a pause meanwhile.
    const isStill = call.isProbe || call.signal.aborted || !isStopped(connectionId)
    return isStill ? undefined : ask(callId, call, Math.max(0, longestWaitMs - leftMs), isLater)
  }

  function isStopped (connectionId: string): boolean {
    const { breaker, throttledUntil = 0 } = states.guarded().get(connectionId) ?? {}
    return breaker !== undefined || throttledUntil > now().getTime()
  }

  function refuse (
    call: Begun,
    admission: Extract<Admission, { kind: 'wait' }>,
    isLater: boolean
  ): RefusedRequest {
    const { reason, inMs: retryAfterMs } = admission
    const isTooLate = isLater && reason === 'budget'
    // What this process counted before the breaker opened is old when it closes.
    if (reason === 'circuit-breaker') windows.delete(call.connectionId)
    const message = describeWait(admission, isTooLate, now())
    const kind = isTooLate ? 'too-late' : 'refused'
    if (call.wait?.kind !== 'refused') {
      call.wait = { connectionId: call.connectionId, reason, retryAfterMs, message, kind }
    }
    onRefused(call.adapter, reason)
    return { message, retryAfterMs }
  }

  function laterRequestMs ({ deadline }: Begun): number {
    return deadline === undefined ? interactiveMs : Math.max(0, deadline - now().getTime() - reserveMs)
  }

  /** The first request of a run decides for those that come at the same time. */
  async function askInRun (callId: string, call: Begun, run: object): Promise<RefusedRequest | undefined> {
    const firsts = runs.get(run) ?? new Map<string, Promise<RefusedRequest | undefined>>()
    runs.set(run, firsts)
    const begun = firsts.get(call.connectionId)
    if (begun !== undefined) return await begun ?? ask(callId, call, laterRequestMs(call), true)
    const first = ask(callId, call, firstRequestMs)
    firsts.set(call.connectionId, first)
    const refused = await first.catch((error: unknown) => {
      firsts.delete(call.connectionId)
      throw error
    })
    if (refused !== undefined) firsts.delete(call.connectionId)
    return refused
  }

  /** Changes a state without anybody waiting for it. */
  function change (connectionId: string, next: (state: UpstreamState, at: number) => UpstreamState): void {
    states.change(connectionId, (state, at) => ({ state: next(state, at), result: true }))
      .then(onChanged, (error: unknown) => {
        log.warn({ err: error, connectionId }, 'the state of the traffic to a platform could not be stored')
      })
  }

  function open (call: Begun, event: HttpRequestEvent): void {
    const { connectionId, adapter, isProbe } = call
    const failure = describeFailure(event)
    call.isProbe = false
    windows.delete(connectionId)
    // Requests that were under way when it opened may still fail.
    if (!isProbe && states.guarded().get(connectionId)?.breaker !== undefined) return
    onOpened(adapter)
    log.warn({ connectionId, adapter, failure }, 'the circuit breaker opens: the platform fails')
    change(connectionId, (state, at) => ({
      ...state,
      breaker: isProbe && state.breaker !== undefined
        ? reopened(state.breaker, failure, at)
        : opened(state.breaker, failure, at)
    }))
  }

  function close (call: Begun): void {
    const { connectionId, adapter } = call
    call.isProbe = false
    log.info({ connectionId, adapter }, 'the circuit breaker closes: the platform works again')
    states.change(connectionId, state => ({ state: closed(state), result: true }))
      .then(() => onClosed(connectionId))
      .then(onChanged)
      .catch((error: unknown) => {
        log.warn({ err: error, connectionId }, 'the end of a circuit breaker could not be stored')
      })
  }

  function throttle (call: Begun, { retryAfterMs = defaultPauseMs }: HttpRequestEvent): void {
    const { connectionId, adapter, declared } = call
    call.wait ??= {
      connectionId,
      reason: 'throttled',
      retryAfterMs,
      message: 'the platform asked for a pause',
      kind: 'answered'
    }
    if (!told.has(connectionId)) {
      told.set(connectionId, true)
      log.warn({ connectionId, adapter, retryAfterMs }, 'the platform asks to slow down')
    }
    const measured = windowOf(connectionId).ratePerSecond(now().getTime())
    change(connectionId, (state, at) => throttled(state, { retryAfterMs, declared, measured }, at))
  }

  return {
    begin (callId, call) {
      calls.set(callId, { ...call, isProbe: false, wait: undefined })
    },
    end (callId) {
      const call = calls.get(callId)
      calls.delete(callId)
      if (call?.isProbe === true) {
        // It sent nothing, or was aborted: the next call finds out.
        change(
          call.connectionId,
          state => state.breaker === undefined ? state : { ...state, breaker: withoutProbe(state.breaker) }
        )
      }
      return call?.wait
    },
    async admit (connectionId, callId) {
      const call = calls.get(callId ?? '')
      // A trial of settings that are not stored, or work that an adapter left behind.
      if (callId === undefined || call?.connectionId !== connectionId) return undefined
      if (call.declared === undefined && !states.guarded().has(connectionId)) return undefined
      return call.run === undefined ? ask(callId, call, interactiveMs) : askInRun(callId, call, call.run)
    },
    note (event, callId) {
      const call = calls.get(callId ?? '')
      if (call === undefined || event.error === 'ABORTED') return
      const at = now().getTime()
      const window = windowOf(call.connectionId)
      const isFailure = event.fault === 'unavailable'
      window.count(isFailure, at)
      if (isFailure && (call.isProbe || window.isBroken(at))) return open(call, event)
      if (!isFailure && call.isProbe) close(call)
      if (event.fault === 'throttled') throttle(call, event)
    },
    forget (connectionId) {
      windows.delete(connectionId)
    }
  }
}
