import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { execSync } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BlockedCall } from '../../../src/adapters/isolation/loop-watchdog-worker.ts'
import { startLoopWatchdog, type BlockedEvent } from '../../../src/adapters/isolation/loop-watchdog.ts'

// A process that blocks its own event loop in the way that its first argument names. With the
// prefix `hub:`, the code blocks outside of any call, like code of the hub itself. Prints the
// reports of the watchdog and the outcome, and ends when nothing keeps it alive.

export interface Outcome {
  events: BlockedEvent[]
  /** Whether the blocking code reached its end. */
  wentOn: boolean
  /** The names of other code that ran. */
  others: string[]
  /** The call to which a timer after the block belongs. */
  callAfter: BlockedCall | undefined
}

const [blocker = '', ...flags] = process.argv.slice(2)
const calls = new AsyncLocalStorage<BlockedCall>()
const others: string[] = []
const call = (callId: string): BlockedCall => ({
  callId,
  adapter: 'feed.api.v1@1.0.0',
  connectionId: 'connection',
  target: blocker
})
const never = new Promise<void>(() => undefined)

function spin (ms: number): void {
  const end = Date.now() + ms
  while (Date.now() < end);
}

/** The limit does not count the time in which the process is stopped. */
function spinOnProcessor (ms: number): void {
  const start = process.cpuUsage()
  let usedMs = 0
  while (usedMs < ms) {
    const { user, system } = process.cpuUsage(start)
    usedMs = (user + system) / 1_000
  }
}

function spinForever (): never {
  for (;;);
}

const blockers: Record<string, () => Promise<void>> = {
  async spin () {
    await sleep(1)
    spin(2_500)
  },
  async loop () {
    await sleep(1)
    spinForever()
  },
  async catchingLoop () {
    await sleep(1)
    for (;;) {
      try {
        JSON.parse('{')
      } catch {
      } finally {
        // oxlint-disable-next-line no-unsafe-finally
        continue
      }
    }
  },
  async awaitingLoop () {
    await sleep(1)
    for (;;) await undefined
  },
  async promiseRecursion () {
    await sleep(1)
    function again (): Promise<unknown> {
      return Promise.resolve().then(again)
    }
    await again()
  },
  async regularExpression () {
    await sleep(1)
    // oxlint-disable-next-line no-control-regex
    others.push(String(/(a+)+$/.test(`${'a'.repeat(40)}b`)))
  },
  async timer () {
    setTimeout(spinForever, 1)
    setTimeout(() => {
      others.push('timer')
    }, 1)
    await never
  },
  async immediate () {
    setImmediate(spinForever)
    setImmediate(() => {
      others.push('immediate')
    })
    await never
  },
  async tick () {
    process.nextTick(spinForever)
    process.nextTick(() => {
      others.push('tick')
    })
    await never
  },
  async microtaskInImmediate () {
    setImmediate(() => {
      queueMicrotask(spinForever)
    })
    setImmediate(() => {
      others.push('immediate')
    })
    await never
  },
  async statement () {
    await sleep(1)
    for (;;) {
      // oxlint-disable-next-line no-debugger
      debugger
    }
  },
  async child () {
    await sleep(1)
    execSync('sleep 2')
  },
  async succession () {
    await sleep(1)
    // Two calls block one after the other: no call runs at both looks of the watchdog.
    calls.run(call('first'), spin, 600)
    calls.run(call('second'), spin, 600)
  },
  async ahead () {
    await sleep(1)
    void Promise.resolve().then(() => {
      others.push('behind')
    })
    spinForever()
  },
  async strokes () {
    let isOver = false
    void once(process, 'SIGUSR2').then(() => {
      isOver = true
    })
    writeSync(1, 'ready\n')
    while (!isOver) {
      spinOnProcessor(20)
      await sleep(1)
    }
  }
}

if (flags.includes('async-hooks')) createHook({ init () {}, before () {}, after () {} }).enable()
const events: BlockedEvent[] = []
const told = Promise.withResolvers<void>()
const watchdog = await startLoopWatchdog({
  currentCall: () => calls.getStore(),
  onBlocked (event) {
    events.push(event)
    told.resolve()
  },
  ...(flags.includes('patient') ? { blockedMs: 1_000, terminateMs: 60_000 } : { blockedMs: 300, terminateMs: 900 })
})

// Keep the loop alive: the blocking promise may never settle.
const life = setInterval(() => undefined, 1_000)
let wentOn = false
const isHub = blocker.startsWith('hub:')
const run = blockers[isHub ? blocker.slice('hub:'.length) : blocker]
if (run === undefined) throw new Error(`no blocker '${blocker}'`)
const running = (isHub ? run() : calls.run(call('call'), run)).then(() => {
  wentOn = true
})
// With `quiet` there must be no report. A report would have come within a few beats.
if (flags.includes('quiet')) await running.then(() => sleep(200))
else await told.promise

const callAfter = await new Promise<BlockedCall | undefined>(resolve => {
  setTimeout(() => {
    resolve(calls.getStore())
  }, 1)
})
others.push(await calls.run(call('another'), async () => (await readFile(import.meta.filename, 'utf8')).slice(0, 6)))
if (!flags.includes('stays-open')) await watchdog.close()
clearInterval(life)
const outcome: Outcome = { events, wentOn, others, callAfter }
writeSync(1, `${JSON.stringify(outcome)}\n`)
