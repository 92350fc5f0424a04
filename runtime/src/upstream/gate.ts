import { AdapterErrorCode, isAdapterError, type UnavailableError } from '@linker/sdk'
import type { HttpRequestEvent, RefusedRequest } from '@linker/sdk/host'
import { setTimeout as sleep } from 'node:timers/promises'
import { admit, type Refused, type TakenPlace, type WaitReason } from './admission.ts'
import { createAreas, partOf, type Area } from './areas.ts'
import { createAwaitedAreas } from './awaited-areas.ts'
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
  /**
   * Ends a call, with its error if it failed. Returns why some of its requests were refused, or why
   * the platform rests.
   */
  end(callId: string, failure?: unknown): UpstreamWait | undefined
  /**
   * Resolves when a request may be sent, or says why it must not. `renewsToken`: the others wait
   * for it, so it waits for none of them.
   */
  admit(
    connectionId: string,
    callId: string | undefined,
    options?: { renewsToken?: boolean, area?: string | undefined }
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

/** A request that asks. `missed`: the places that it got before, and comes too late for. */
interface Asked extends Patience {
  area: Area
  missed?: readonly TakenPlace[] | undefined
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
  const areaOf = createAreas()
  const awaited = createAwaitedAreas()
  // The connections of a run that have let out their first request, or are about to.
  const runs = new WeakMap<object, Map<string, Promise<RefusedRequest | undefined>>>()

  async function ask (call: Begun, { area, ...patience }: Asked): Promise<RefusedRequest | undefined> {
    const { callId, connectionId, declared, isTest } = call
    const { longestWaitMs, kind, missed } = patience
    const comesAgain = kind === 'first of a run'
    const isUrgent = kind === 'urgent'
    // A job that waited for an area would only repeat its other requests before it waits again.
    const needed = comesAgain ? awaited.areaOf(call) : undefined
    const areas = [...new Set([area, needed])].filter(name => name !== undefined)
    const wish = { callId, areas, isTest, isUrgent, declared, longestWaitMs, comesAgain, random: random(), missed }
    let decidedAt = 0
    const admission = await states.change(connectionId, (state, at) => {
      decidedAt = clock()
      return admit(state, wish, at)
    })
    if (admission.kind === 'wait') return refuse(call, admission, kind)
    const dueAt = decidedAt + admission.inMs
    const leftMs = dueAt - clock()
    const later = { area, longestWaitMs: longestWaitMs - Math.max(0, leftMs), kind }
    if (admission.kind === 'send') noteProbes(call, admission.probes)
    if (leftMs > 0) {
      await rest(call, leftMs)
      if (!calls.has(callId)) return overdue
    }
    if (call.signal.aborted) return undefined
    if (admission.kind === 'hold') return ask(call, { ...later, missed })
    if (admission.probes.length > 0) return undefined
    // The platform may have failed or asked for a rest meanwhile.
    if (leftMs > 0 && areStopped(connectionId, areas)) return ask(call, later)
    // Once only: where every decision takes long, a further one would be late as well.
    const isLate = missed === undefined && clock() - dueAt > latestMs
    return isLate && admission.places.length > 0 ? ask(call, { ...later, missed: admission.places }) : undefined
  }

  function noteProbes ({ connectionId, probes }: Begun, areas: readonly Area[]): void {
    for (const area of areas) {
      probes.add(area)
      reports.forget(connectionId, area)
    }
  }

  /** Waits, but not longer than the call. */
  async function rest ({ signal, ended }: Begun, ms: number): Promise<void> {
    const controller = new AbortController()
    ended.add(controller)
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, controller.signal]) }).catch(() => undefined)
    ended.delete(controller)
  }

  function areStopped (connectionId: string, areas: readonly string[]): boolean {
    const state = states.guarded().get(connectionId) ?? {}
    return [undefined, ...areas].some(area => {
      const { breaker, throttledUntil = 0 } = partOf(state, area)
      return breaker !== undefined || throttledUntil > now().getTime()
    })
  }

  function refuse (call: Begun, admission: Refused, patience: Patience['kind']): RefusedRequest {
    const { connectionId, adapter } = call
    const { reason, area, inMs: retryAfterMs } = admission
    const isTooLate = patience === 'later of a run' && reason === 'budget'
    // This process counted requests before the breaker opened. They must not open it again later.
    if (reason === 'circuit-breaker') reports.forget(connectionId, area)
    const message = describeWait(admission, isTooLate, now())
    if (call.wait?.kind !== 'refused') {
      const kind = isTooLate ? 'too-late' : 'refused'
      call.wait = { connectionId, reason, area, retryAfterMs, message, kind, isUncertain: false }
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
  async function askInRun (call: Begun, area: Area, run: object): Promise<RefusedRequest | undefined> {
    const lasts = runs.get(run) ?? new Map<string, Promise<RefusedRequest | undefined>>()
    runs.set(run, lasts)
    const { connectionId } = call
    const last = lasts.get(connectionId)
    const asking = last === undefined
      ? ask(call, { area, ...call.isNested === true ? laterRequest(call) : firstRequest })
      : askAfter(last, call, area)
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
    call: Begun,
    area: Area
  ): Promise<RefusedRequest | undefined> {
    const refused = await last
    if (!calls.has(call.callId)) return overdue
    // An earlier call of the run may have left a request behind.
    return refused === undefined || refused === overdue ? ask(call, { area, ...laterRequest(call) }) : refused
  }

  return {
    begin (callId, call) {
      calls.set(callId, {
        ...call,
        callId,
        probes: new Set(),
        last: undefined,
        wait: undefined,
        mayHaveWritten: false,
        ended: new Set()
      })
    },
    end (callId, failure) {
      const call = calls.get(callId)
      if (call === undefined) return undefined
      calls.delete(callId)
      for (const waiting of call.ended) waiting.abort()
      if (isUnavailable(failure) && call.last !== undefined && call.wait === undefined) {
        const { message: reason, retryAfterMs } = failure
        const event = {
          ...call.last,
          fault: 'away' as const,
          reason,
          ...(retryAfterMs === undefined ? {} : { retryAfterMs })
        }
        reports.rest(call, event, areaOf(call.connectionId, event.area))
      }
      // It sent nothing, or was aborted: the next call finds out.
      for (const area of call.probes) reports.change(call.connectionId, area, part => withoutProbeOf(part, callId))
      if (call.wait !== undefined) awaited.note(call, call.wait.area)
      return call.wait && { ...call.wait, isUncertain: call.mayHaveWritten }
    },
    async admit (connectionId, callId, { renewsToken = false, area: name } = {}) {
      const call = calls.get(callId ?? '')
      if (call?.connectionId !== connectionId) return overdue
      const isGuarded = states.guarded().has(connectionId) || states.isChanging(connectionId)
      if (call.declared === undefined && !isGuarded) return undefined
      const area = areaOf(connectionId, name)
      if (renewsToken || call.isTest) return ask(call, { area, ...urgent })
      return call.run === undefined ? ask(call, { area, ...interactive }) : askInRun(call, area, call.run)
    },
    note (event, callId) {
      const call = calls.get(callId ?? '')
      if (call === undefined) return
      call.last = event
      const area = areaOf(call.connectionId, event.area)
      if (event.fault === undefined) awaited.forget(call, area)
      reports.note(call, event, area)
    },
    forget: reports.forgetAll
  }
}

function isUnavailable (error: unknown): error is UnavailableError {
  return isAdapterError(error) && error.code === AdapterErrorCode.unavailable
}
