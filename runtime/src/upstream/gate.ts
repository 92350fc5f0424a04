import type { HttpRequestEvent, RefusedRequest } from '@linker/sdk/host'
import { setTimeout as sleep } from 'node:timers/promises'
import { admit, type Admission, type TakenPlace, type WaitReason } from './admission.ts'
import { lateSeconds } from './budget.ts'
import type { Begun, CallUnderWay, UpstreamWait } from './calls.ts'
import { describeWait } from './describe.ts'
import { createReports, type ReportsOptions } from './reports.ts'
import { withoutProbeOf } from './state.ts'

export interface GateOptions extends ReportsOptions {
  /** From 0 to 1. Default: `Math.random`. */
  random?: () => number
  /** Milliseconds of a clock that is never set. Default: `performance.now`. */
  clock?: () => number
  /** Called for each request that is not sent. */
  onRefused(adapter: string, reason: WaitReason): void
}

export interface Gate {
  /** Begins a call, whose requests name it by `callId`. */
  begin(callId: string, call: CallUnderWay): void
  /** Ends a call. Returns why some of its requests were refused. */
  end(callId: string): UpstreamWait | undefined
  /**
   * Resolves when a request may be sent, or says why it must not. `renewsToken`: the others wait
   * for it, so it waits for none of them.
   */
  admit(
    connectionId: string,
    callId: string | undefined,
    options?: { renewsToken?: boolean }
  ): Promise<RefusedRequest | undefined>
  /** Learns from the end of a request. */
  note(event: HttpRequestEvent, callId: string | undefined): void
  /** Forgets the failures that this process counted. */
  forget(connectionId: string): void
}

/** How long a request can wait for its place. */
interface Patience {
  longestWaitMs: number
  kind: 'first of a run' | 'later of a run' | 'interactive' | 'urgent'
}

const firstRequest: Patience = { longestWaitMs: 2_000, kind: 'first of a run' }
const interactive: Patience = { longestWaitMs: 10_000, kind: 'interactive' }
const urgent: Patience = { ...interactive, kind: 'urgent' }
/**
 * A request that would go out so much after its time takes a place of its own time. Otherwise a
 * process that stood still would send all requests of that while at once. The rest of the time that
 * `paceOf` allows is for the way to the platform.
 */
const latestMs = 0.8 * 1_000 * lateSeconds
/** The time that a call keeps for its last request and its end. */
const reserveMs = 1_000
/** The answer to a request that an adapter left behind: its job may run again already. */
const overdue: RefusedRequest = { message: 'its call has ended', retryAfterMs: 0 }

/**
 * Lets the requests of calls out to their platforms: within the budget of the connection, not while
 * the platform asked for a rest, and not while it is broken.
 */
export function createGate ({
  onRefused,
  random = Math.random,
  clock = () => performance.now(),
  ...options
}: GateOptions): Gate {
  const { states, now } = options
  const reports = createReports(options)
  const calls = new Map<string, Begun>()
  // The connections of a run that have let out their first request, or are about to.
  const runs = new WeakMap<object, Map<string, Promise<RefusedRequest | undefined>>>()

  /** `missed`: the place that the request got before, and comes too late for. */
  async function ask (
    call: Begun,
    { longestWaitMs, kind }: Patience,
    missed?: TakenPlace
  ): Promise<RefusedRequest | undefined> {
    const { callId, connectionId, declared, isTest } = call
    const comesAgain = kind === 'first of a run'
    const isUrgent = kind === 'urgent'
    const wish = { callId, isTest, isUrgent, declared, longestWaitMs, comesAgain, random: random(), missed }
    let decidedAt = 0
    const admission = await states.change(connectionId, (state, at) => {
      decidedAt = clock()
      return admit(state, wish, at)
    })
    if (admission.kind === 'wait') return refuse(call, admission, kind)
    if (admission.isProbe) {
      call.isProbe = true
      reports.forget(connectionId)
    }
    const dueAt = decidedAt + admission.inMs
    const leftMs = dueAt - clock()
    if (leftMs > 0) {
      await rest(call, leftMs)
      if (!calls.has(callId)) return overdue
    }
    if (call.isProbe || call.signal.aborted) return undefined
    const later = { longestWaitMs: longestWaitMs - Math.max(0, leftMs), kind }
    // The platform may have failed or asked for a rest meanwhile.
    if (leftMs > 0 && isStopped(connectionId)) return ask(call, later)
    // Once only: where every decision takes long, a further one would be late as well.
    const isLate = missed === undefined && clock() - dueAt > latestMs
    return isLate && admission.place !== undefined ? ask(call, later, admission.place) : undefined
  }

  /** Waits, but not longer than the call. */
  async function rest ({ signal, ended }: Begun, ms: number): Promise<void> {
    const controller = new AbortController()
    ended.add(controller)
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, controller.signal]) }).catch(() => undefined)
    ended.delete(controller)
  }

  function isStopped (connectionId: string): boolean {
    const { breaker, throttledUntil = 0 } = states.guarded().get(connectionId) ?? {}
    return breaker !== undefined || throttledUntil > now().getTime()
  }

  function refuse (
    call: Begun,
    admission: Extract<Admission, { kind: 'wait' }>,
    patience: Patience['kind']
  ): RefusedRequest {
    const { connectionId, adapter } = call
    const { reason, inMs: retryAfterMs } = admission
    const isTooLate = patience === 'later of a run' && reason === 'budget'
    // This process counted requests before the breaker opened. They must not open it again later.
    if (reason === 'circuit-breaker') reports.forget(connectionId)
    const message = describeWait(admission, isTooLate, now())
    if (call.wait?.kind !== 'refused') {
      const kind = isTooLate ? 'too-late' : 'refused'
      call.wait = { connectionId, reason, retryAfterMs, message, kind, isUncertain: false }
    }
    onRefused(adapter, reason)
    return { message, retryAfterMs }
  }

  function laterRequest ({ deadline }: Begun): Patience {
    const leftMs = deadline === undefined ? interactive.longestWaitMs : deadline - now().getTime() - reserveMs
    return { longestWaitMs: Math.max(0, leftMs), kind: 'later of a run' }
  }

  /**
   * The first request of a run decides for those that come at the same time. The later ones ask one
   * after the other, so that a run never holds more than one place that others could have.
   */
  async function askInRun (call: Begun, run: object): Promise<RefusedRequest | undefined> {
    const lasts = runs.get(run) ?? new Map<string, Promise<RefusedRequest | undefined>>()
    runs.set(run, lasts)
    const { connectionId } = call
    const last = lasts.get(connectionId)
    const asking = last === undefined
      ? ask(call, call.isNested === true ? laterRequest(call) : firstRequest)
      : askAfter(last, call)
    lasts.set(connectionId, asking)
    const forget = (): void => {
      if (lasts.get(connectionId) === asking) lasts.delete(connectionId)
    }
    // The run begins anew with the next request, if there is one.
    asking.then(refused => {
      if (refused !== undefined) forget()
    }, forget)
    return asking
  }

  async function askAfter (
    last: Promise<RefusedRequest | undefined>,
    call: Begun
  ): Promise<RefusedRequest | undefined> {
    const refused = await last
    if (!calls.has(call.callId)) return overdue
    // An earlier call of the run may have left a request behind.
    return refused === undefined || refused === overdue ? ask(call, laterRequest(call)) : refused
  }

  return {
    begin (callId, call) {
      calls.set(callId, { ...call, callId, isProbe: false, wait: undefined, mayHaveWritten: false, ended: new Set() })
    },
    end (callId) {
      const call = calls.get(callId)
      if (call === undefined) return undefined
      calls.delete(callId)
      for (const waiting of call.ended) waiting.abort()
      // It sent nothing, or was aborted: the next call finds out.
      if (call.isProbe) reports.change(call.connectionId, state => withoutProbeOf(state, callId))
      return call.wait && { ...call.wait, isUncertain: call.mayHaveWritten }
    },
    async admit (connectionId, callId, { renewsToken = false } = {}) {
      const call = calls.get(callId ?? '')
      if (call?.connectionId !== connectionId) return overdue
      const isGuarded = states.guarded().has(connectionId) || states.isChanging(connectionId)
      if (call.declared === undefined && !isGuarded) return undefined
      if (renewsToken || call.isTest) return ask(call, urgent)
      return call.run === undefined ? ask(call, interactive) : askInRun(call, call.run)
    },
    note (event, callId) {
      const call = calls.get(callId ?? '')
      if (call !== undefined) reports.note(call, event)
    },
    forget: reports.forget
  }
}
