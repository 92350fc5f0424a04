import type { Debugger } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * The adapter's call that running code belongs to. `callId` is unique in its hub and the same at
 * every look: it tells one long call from two.
 */
export interface BlockedCall {
  callId: string
  adapter: string
  connectionId?: string
  target: string
}

/** The data that the parent passes in `workerData`. */
export interface WatchedLoop {
  /**
   * Three numbers: how often the loop's timer ran, whether a debugger can attach (1), and whether
   * no call can be to blame (1).
   */
  beats: Int32Array
  beatMs: number
  blockedMs: number
  terminateMs: number
  /** An expression for the watchdog in the parent's thread. */
  watchdog: string
}

/** The code that was running when the loop was paused. */
interface Sighting {
  member?: number
  call?: BlockedCall
  frames: readonly string[]
}

/** Message to the parent. It arrives when the loop is alive again. */
export interface BlockReport extends Sighting {
  blockedMs: number
  wasTerminated: boolean
}

/** The time since the last beat. */
interface Stretch {
  beat: number
  blockedMs: number
  nextLookMs: number
  first?: Sighting
  latest?: Sighting
  terminated?: Sighting
}

const { beats, beatMs, blockedMs, terminateMs, watchdog } = workerData as WatchedLoop
const lookEveryMs = Math.max(beatMs, terminateMs - blockedMs)

// A termination skips every `finally`. Without the work that these functions of Node do in theirs,
// Node fails on the next immediate, and a timer counts as alive for ever.
const skippedFinally: ReadonlyMap<string, string> = new Map([
  ['processImmediate', 'immediate._destroyed && (outstandingQueue.head = immediate._idleNext)'],
  ['listOnTimeout', 'timer._idleNext === null && clearTimeout(timer)']
])

let stretch = beginStretch()
let isLooking = false
let previousTick = performance.now()

const watching = setInterval(() => {
  const now = performance.now()
  // A sleeping machine or a stopped process stops this thread too. Time that this thread did not
  // see itself is nobody's fault.
  const elapsedMs = Math.min(now - previousTick, blockedMs / 4)
  previousTick = now
  const isAlive = Atomics.load(beats, 0) !== stretch.beat || Atomics.load(beats, 1) === 1
  if (!isAlive) stretch.blockedMs += elapsedMs
  // A late look may still break the call off, and that call belongs to this stretch.
  if (isLooking) return
  if (isAlive) endStretch()
  else if (stretch.blockedMs >= stretch.nextLookMs && Atomics.load(beats, 2) === 0) lookNow()
}, beatMs)
parentPort?.once('message', () => {
  stop()
})
parentPort?.postMessage('ready')

/** Ends this thread, after the look that may be under way. */
function stop (): void {
  clearInterval(watching)
  if (isLooking) setTimeout(stop, beatMs)
  else parentPort?.close()
}

function beginStretch (): Stretch {
  return { beat: Atomics.load(beats, 0), blockedMs: 0, nextLookMs: blockedMs }
}

function endStretch (): void {
  if (stretch.blockedMs >= blockedMs) {
    const report: BlockReport = {
      ...(stretch.terminated ?? stretch.first ?? { frames: [] }),
      blockedMs: Math.round(stretch.blockedMs),
      wasTerminated: stretch.terminated !== undefined
    }
    parentPort?.postMessage(report)
  }
  stretch = beginStretch()
}

function lookNow (): void {
  isLooking = true
  look(stretch).catch(() => undefined).finally(() => {
    isLooking = false
    stretch.nextLookMs = stretch.blockedMs + lookEveryMs
    // Report a termination at once: if the loop still does not run, another call is to blame.
    if (stretch.terminated !== undefined) endStretch()
  })
}

/**
 * Pauses the loop's thread, asks which call runs there, and lets the call go on or breaks it off.
 * Does nothing when the loop came alive before the pause.
 *
 * Measured on Node 24.21 and 22.23: a pause reaches loops, recursion through promises and ticks, a
 * regular expression that backtracks, Atomics.wait. A pause waits for execSync, JSON.parse and long
 * built-ins to return, and then still finds their caller. `Runtime.terminateExecution` may arrive
 * after the blocking code has ended, and would break off any code that runs then;
 * `terminateOnResume` breaks off exactly the paused code.
 */
async function look (looked: Stretch): Promise<void> {
  const session = new Session()
  session.connectToMainThread()
  const scripts = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => {
    scripts.set(params.scriptId, params.url)
  })
  const paused = new Promise<Debugger.CallFrame[]>(resolve => {
    session.once('Debugger.paused', ({ params }) => {
      resolve(params.callFrames)
    })
  })
  try {
    // Send both together: a native call returns only once, and the loop would be alive before a
    // second message came.
    await Promise.all([session.post('Debugger.enable'), session.post('Debugger.pause')])
    const callFrames = await paused
    // The pause came too late: the code that runs now has not blocked.
    if (Atomics.load(beats, 0) !== looked.beat) return
    const running = JSON.parse(String(await evaluate(session, `${watchdog}.describe()`))) as Omit<Sighting, 'frames'>
    const sighting: Sighting = { ...running, frames: callFrames.map(frame => describeFrame(frame, scripts)) }
    if (isSame(sighting, looked.latest) && await evaluate(session, `${watchdog}.prepareTermination()`) === true) {
      await terminate(session, callFrames)
      looked.terminated = sighting
    }
    looked.first ??= sighting
    looked.latest = sighting
  } finally {
    // The inspector refuses this when the thread runs already.
    await session.post('Debugger.resume').catch(() => undefined)
    await session.post('Debugger.disable')
    session.disconnect()
  }
}

/**
 * One look is not enough: it may come after a garbage collection that blocked the loop, and find a
 * call that has just begun.
 */
function isSame ({ member, call }: Sighting, seen: Sighting | undefined): boolean {
  return call !== undefined && member === seen?.member && call.callId === seen?.call?.callId
}

async function evaluate (session: Session, expression: string): Promise<unknown> {
  const { result } = await session.post('Runtime.evaluate', { expression, returnByValue: true })
  return result.value
}

async function terminate (session: Session, callFrames: readonly Debugger.CallFrame[]): Promise<void> {
  for (const { functionName, callFrameId } of callFrames) {
    const expression = skippedFinally.get(functionName)
    if (expression !== undefined) await session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression })
  }
  await session.post('Debugger.resume', { terminateOnResume: true })
}

function describeFrame ({ functionName, location }: Debugger.CallFrame, scripts: ReadonlyMap<string, string>): string {
  const place = `${scripts.get(location.scriptId) ?? ''}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`
  return functionName === '' ? place : `${functionName} (${place})`
}
