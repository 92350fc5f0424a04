import {
  abortError,
  decodeError,
  type AdapterCall,
  type CallAnswer,
  type Carrier,
  type HostServices,
  type ThreadEnd,
  type ThreadMemory,
  withThreadTimeLimit
} from '@linker/sdk/host'
import { setTimeout as sleep } from 'node:timers/promises'
import { actAsHub } from '../../audit/actor.ts'
import { AdapterCrashedError, AdapterUnavailableError } from '../../errors.ts'
import type { AdapterProblem } from '../states.ts'
import type { MemoryReport, Outcome, ThreadData } from './protocol.ts'
import { createRestartBudget } from './restart-budget.ts'
import { describeEnd, startThread, type CarrierThread } from './thread.ts'

export interface WorkerCarrierOptions {
  data: ThreadData
  services: HostServices
  /** A thread that has loaded and initialised the adapter already; the first that serves. */
  first?: CarrierThread
  limits?: Partial<WorkerLimits>
}

export interface WorkerLimits {
  /**
   * How often the carrier asks a thread with calls under way whether it still turns, and how long
   * the thread may take to answer.
   */
  pingMs: number
  hungMs: number
  initMs: number
  /** Heap and buffers together; the heap alone has a limit of its own. */
  memoryBytes: number
  /** Threads that may die in `windowMs` before the adapter stays down. */
  mostRestarts: number
  windowMs: number
}

export type Health = { state: 'ready' | 'degraded' } | AdapterProblem

export interface WorkerCarrier extends Carrier {
  health(): Health
  /** Ends the thread, at once or as soon as the calls under way have ended. */
  close(when?: 'now' | 'after calls'): Promise<void>
}

export const workerLimits: WorkerLimits = {
  pingMs: 1_000,
  hungMs: 3_000,
  initMs: 10_000,
  memoryBytes: 512 * 1024 * 1024,
  mostRestarts: 5,
  windowMs: 600_000
}

/**
 * How long a thread may take to report the requests that an abort broke off. On a busy machine its
 * turn comes late.
 */
const reportMs = 1_000
/** An idle thread is asked once in so many turns. */
const idleShare = 10

interface Running {
  thread: CarrierThread
  isLoaded: Promise<void>
}

/**
 * Runs an adapter in its own thread. The carrier ends a thread that does not answer. Calls under
 * way then reject with `LNK_ADAPTER_CRASHED`, which their jobs survive, and the next call starts
 * another thread. After too many deaths of threads the adapter stays down.
 */
export function createWorkerCarrier ({ data, services, first, limits: given }: WorkerCarrierOptions): WorkerCarrier {
  const limits = { ...workerLimits, ...given }
  const budget = createRestartBudget({
    most: limits.mostRestarts,
    windowMs: limits.windowMs,
    now: () => performance.now()
  })
  let running = first === undefined ? undefined : watch({ thread: first, isLoaded: Promise.resolve() })
  let pinging: NodeJS.Timeout | undefined
  const asked = new WeakSet<CarrierThread>()
  let down: AdapterProblem | undefined
  let isClosed = false
  /**
   * The memory report for which the carrier ends a thread. A later report may come before the
   * thread has gone.
   */
  const tooMuch = new WeakMap<CarrierThread, ThreadMemory>()
  let lastId = 0
  let underWay = 0
  const { promise: hasNoCalls, resolve: tellNoCalls } = Promise.withResolvers<void>()
  let isLeaving = false

  function watch (started: Running): Running {
    started.thread.onEnd(end => {
      if (running === started) running = undefined
      if (end.kind !== 'closed') noteDeath(end.kind, describeEnd(end), fieldsOf(end, started.thread))
    })
    return started
  }

  function fieldsOf (end: ThreadEnd, thread: CarrierThread): object {
    if (end.kind === 'error') return { err: end.error }
    return end.kind === 'memory' ? { mostBytes: limits.memoryBytes, memory: tooMuch.get(thread) } : {}
  }

  function noteDeath (reason: ThreadEnd['kind'], description: string, fields: object = {}): void {
    const message = `${data.adapter} (${data.entry}): ${description}`
    if (budget.spend()) {
      services.log('error', { reason, ...fields }, `the adapter crashed; its next call starts it again. ${message}`)
      return
    }
    down ??= {
      state: 'crashed',
      code: 'LNK_ADAPTER_CRASHED',
      message: `${message}, more than ${limits.mostRestarts} times in ${
        limits.windowMs / 60_000
      } minutes: only a restart of the hub starts it again`
    }
    services.log('error', { reason, ...fields }, `the adapter is not available any more. ${down.message}`)
  }

  function start (): Running {
    // The thread serves many callers, so it must not act for the one whose call started it.
    const thread = actAsHub(() => startThread(data, services))
    const isLoaded = load(thread)
    isLoaded.catch((error: unknown) => {
      if (running?.thread === thread) running = undefined
      // The listener in `watch` counts a thread that has died.
      if (thread.endedWith() === undefined) {
        noteDeath('error', `it could not be started again: ${error instanceof Error ? error.message : String(error)}`)
      }
      thread.end('closed').catch(() => undefined)
    })
    return watch({ thread, isLoaded })
  }

  async function load (thread: CarrierThread): Promise<void> {
    const { description } = unwrap(await answerOf(thread, thread.functions.load()))
    if (description.hasInit) {
      await callOn(thread, { target: { kind: 'init' }, args: [], signal: AbortSignal.timeout(limits.initMs) })
    }
  }

  /**
   * A thread with calls under way must answer. The carrier looks at an idle thread less often, for
   * memory that it keeps and code that it left running.
   */
  function keepAsking (): void {
    let idleTicks = 0
    pinging ??= setInterval(() => {
      if (running === undefined) {
        clearInterval(pinging)
        pinging = undefined
        return
      }
      idleTicks = underWay > 0 ? 0 : idleTicks + 1
      // Look in the first turn after a call too: the call may have left memory or running code
      // behind.
      if (idleTicks > 1 && idleTicks % idleShare !== 0) return
      ask(running.thread)
      weigh(running.thread).catch(() => undefined)
    }, limits.pingMs).unref()
  }

  function ask (thread: CarrierThread): void {
    if (asked.has(thread)) return
    asked.add(thread)
    withThreadTimeLimit(thread, limits.hungMs, thread.functions.ping(), () => new Error('no answer'))
      .then(report => judge(thread, report), () => thread.end('hung'))
      .finally(() => {
        asked.delete(thread)
      })
  }

  async function judge (thread: CarrierThread, held: ThreadMemory & Partial<MemoryReport>): Promise<void> {
    const { heap, external, arrayBuffers = 0 } = held
    if (heap + Math.max(external, arrayBuffers) <= limits.memoryBytes || tooMuch.has(thread)) return
    tooMuch.set(thread, held)
    await thread.end('memory')
  }

  /** Asks V8, which also reports the memory of a busy thread. */
  async function weigh (thread: CarrierThread): Promise<void> {
    const held = await thread.memory()
    if (held !== undefined) await judge(thread, held)
  }

  async function answerOf<Value> (thread: CarrierThread, work: Promise<Value>): Promise<Value> {
    try {
      return await work
    } catch (error) {
      const end = thread.endedWith()
      throw end === undefined ? error : new AdapterCrashedError(data.adapter, describeEnd(end))
    }
  }

  async function callOn (
    thread: CarrierThread,
    { signal, ...call }: AdapterCall,
    isLoaded?: Promise<void>
  ): Promise<CallAnswer> {
    if (signal.aborted) throw abortError(signal)
    const id = ++lastId
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const abort = (): void => {
      const reported = thread.functions.abort(id).catch(() => undefined)
      Promise.race([reported, sleep(reportMs, undefined, { ref: false })]).finally(() => {
        reject(abortError(signal))
      })
    }
    aborted.catch(() => undefined)
    signal.addEventListener('abort', abort, { once: true })
    underWay += 1
    // The thread holds the process until the call ends: nothing else may be left that keeps the
    // process alive.
    thread.hold(true)
    keepAsking()
    try {
      if (isLoaded !== undefined) await Promise.race([isLoaded, aborted])
      const answered = answerOf(thread, thread.functions.call(id, call))
      // An aborted call rejects with its own reason, which the thread does not know.
      return unwrap(await Promise.race([answered.finally(() => signal.aborted ? aborted : undefined), aborted]))
    } finally {
      underWay -= 1
      if (underWay === 0) {
        thread.hold(false)
        if (isLeaving) tellNoCalls()
      }
      signal.removeEventListener('abort', abort)
    }
  }

  return {
    async call (call) {
      if (down !== undefined || isClosed) {
        throw new AdapterUnavailableError(data.adapter, down?.message ?? 'the hub stops')
      }
      const { thread, isLoaded } = running ??= start()
      return callOn(thread, call, isLoaded)
    },
    forget (connectionId) {
      running?.thread.functions.forget.asEvent(connectionId).catch(() => undefined)
    },
    health: () => down ?? { state: budget.isTouched() ? 'degraded' : 'ready' },
    async close (when = 'now') {
      if (when === 'after calls' && underWay > 0) {
        isLeaving = true
        await hasNoCalls
      }
      isClosed = true
      clearInterval(pinging)
      await running?.thread.end('closed')
    }
  }
}

export function unwrap<Value> (outcome: Outcome<Value>): Value {
  if ('error' in outcome) throw decodeError(outcome.error)
  return outcome.value
}
