import { once } from 'node:events'
import { url as debuggerUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import pTimeout from 'p-timeout'
import type { BlockedCall, BlockReport, WatchedLoop } from './loop-watchdog-worker.ts'

/** One stretch in which no timer of the thread could run. */
export interface BlockedEvent {
  /**
   * Absent when the hub itself or a garbage collection blocked the loop, or when the block was over
   * before the watchdog could look. The watchdog never breaks off such a stretch.
   */
  call: BlockedCall | undefined
  blockedMs: number
  /** The stack that was found, innermost first. */
  frames: readonly string[]
  /**
   * The watchdog broke the code off, and the promise of `call` will never settle: reject the
   * promises that wait for it. V8 also empties the microtask queue. So every continuation that
   * waited there is lost, no matter whose it is, and so is all code on the same stack.
   */
  wasTerminated: boolean
}

export interface LoopWatchdogOptions {
  /**
   * Describes the call that the running code belongs to. The watchdog calls it in the middle of
   * foreign code, so it reads an AsyncLocalStorage and does nothing else.
   */
  currentCall(): BlockedCall | undefined
  /** Called when the loop is alive again, once for each stretch. */
  onBlocked(event: BlockedEvent): void
  /**
   * Whether no call can be to blame now: the watchdog then reports a block without a look. The
   * loop's timer asks at every beat. Default: never.
   */
  isQuiet?(): boolean
  /** The time after which a loop counts as blocked. */
  blockedMs?: number
  /**
   * The time after which the watchdog breaks off a call that two looks in a row have found running.
   * The first look comes after `blockedMs`.
   */
  terminateMs?: number
}

export interface LoopWatchdog {
  /**
   * Call it when a call begins: the watchdog then looks at the next block, even if that begins
   * before the next beat.
   */
  endQuiet(): void
  close(): Promise<void>
}

interface Watchdog {
  members: Map<number, LoopWatchdogOptions>
  nextMember: number
  ready: Promise<void>
  stop(): Promise<void>
  /**
   * The worker evaluates it while this thread is paused. Returns JSON of the call that runs and of
   * the hub that knows the call.
   */
  describe(): string
  endQuiet(): void
  /**
   * The worker evaluates it while this thread is paused. Prepares the thread and returns whether
   * the worker may break the code off now.
   */
  prepareTermination(): boolean
}

// The process has one watchdog, even when two copies of the runtime are loaded: of two debugger
// sessions, each would resume the thread that the other one paused.
const watchdogKey = Symbol.for('linker.loopWatchdog')

/**
 * Watches this thread's event loop from a worker: names a call that blocks the loop, and breaks off
 * a call that does not end. The hubs of one process share the watchdog, with the times of the first
 * hub. The watchdog rests while a debugger can attach (`inspector.url()`), because a breakpoint
 * looks like a block. It never keeps the process alive. Measured: idle 0.3 % of a core and 17 MB; a
 * look takes 0.17 s of this thread's processor time once the runtime is loaded. All times are clock
 * time, without the time in which this process was stopped. On a machine with too little processor
 * time, a call that needs 0.6 s of it can therefore last `terminateMs`.
 */
export async function startLoopWatchdog (options: LoopWatchdogOptions): Promise<LoopWatchdog> {
  const watchdog = runningWatchdog() ?? createWatchdog(options.blockedMs ?? 1_000, options.terminateMs ?? 10_000)
  Reflect.set(globalThis, watchdogKey, watchdog)
  const member = watchdog.nextMember++
  watchdog.members.set(member, options)

  async function close (): Promise<void> {
    if (!watchdog.members.delete(member) || watchdog.members.size > 0) return
    if (runningWatchdog() === watchdog) Reflect.deleteProperty(globalThis, watchdogKey)
    await watchdog.stop()
  }

  try {
    await watchdog.ready
  } catch (error) {
    await close()
    throw error
  }
  return { endQuiet: watchdog.endQuiet, close }
}

function runningWatchdog (): Watchdog | undefined {
  return Reflect.get(globalThis, watchdogKey) as Watchdog | undefined
}

const longestStopMs = 5_000

function createWatchdog (blockedMs: number, terminateMs: number): Watchdog {
  const members: Watchdog['members'] = new Map()
  const beats = new Int32Array(new SharedArrayBuffer(12))
  const beatMs = Math.min(100, Math.ceil(blockedMs / 10))
  const timer = setInterval(() => {
    Atomics.store(beats, 1, debuggerUrl() === undefined ? 0 : 1)
    Atomics.store(beats, 2, [...members.values()].every(({ isQuiet }) => isQuiet?.() === true) ? 1 : 0)
    Atomics.add(beats, 0, 1)
  }, beatMs).unref()

  const workerData: WatchedLoop = {
    beats,
    beatMs,
    blockedMs,
    terminateMs,
    watchdog: `globalThis[Symbol.for('${watchdogKey.description}')]`
  }
  // Sources run unbuilt in development: the worker has the extension of this file.
  const worker = new Worker(
    new URL(
      import.meta.url.endsWith('.ts') ? './loop-watchdog-worker.ts' : './loop-watchdog-worker.js',
      import.meta.url
    ),
    { workerData, name: 'loop-watchdog' }
  )
  // Once the worker watches, its failure ends the watch and not the hub.
  const ready = once(worker, 'message').then(() => {
    worker.on('message', (report: BlockReport) => {
      tell(members, report)
    })
    worker.on('error', () => undefined)
    worker.unref()
  })

  return {
    members,
    nextMember: 1,
    ready,
    async stop () {
      clearInterval(timer)
      // Let the worker end by itself: a debugger session that is cut off in the middle of a look
      // can take the process with it.
      worker.ref()
      const ended = once(worker, 'exit')
      worker.postMessage('stop')
      await pTimeout(ended, { milliseconds: longestStopMs, fallback: () => worker.terminate() })
    },
    endQuiet () {
      Atomics.store(beats, 2, 0)
    },
    describe: () => JSON.stringify(findCall(members)),
    prepareTermination
  }
}

function findCall (members: Watchdog['members']): { member?: number, call?: BlockedCall } {
  for (const [member, { currentCall }] of members) {
    const call = currentCall()
    if (call !== undefined) return { member, call }
  }
  return {}
}

/** Tells the hub whose call blocked the loop, or all hubs when the block belongs to no call. */
function tell (members: Watchdog['members'], { member, call, blockedMs, frames, wasTerminated }: BlockReport): void {
  for (const [id, { onBlocked }] of members) {
    if (member === undefined || member === id) onBlocked({ call, blockedMs, frames, wasTerminated })
  }
}

/**
 * Empties the stack of async ids, as Node does after an uncaught exception. A termination runs no
 * `finally`, so the ids of the timer, tick or promise that is broken off would stay, and Node ends
 * the process when it finds them ("async hook stack has become corrupted"). Replaces `process.emit`
 * meanwhile, so that no listener hears of an exception that never happened.
 */
function prepareTermination (): boolean {
  const clean: unknown = Reflect.get(process, '_fatalException')
  if (typeof clean !== 'function') return false
  const { emit } = process
  Object.assign(process, { emit: () => true })
  try {
    clean.call(process, new Error('the hub stopped an adapter that blocked the event loop'), false)
  } finally {
    process.emit = emit
  }
  return true
}
