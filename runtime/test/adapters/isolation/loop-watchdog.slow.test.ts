import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { BlockedCall } from '../../../src/adapters/isolation/loop-watchdog-worker.ts'
import { startLoopWatchdog, type BlockedEvent } from '../../../src/adapters/isolation/loop-watchdog.ts'
import type { Outcome } from './loop-blocker.ts'

const blockerScript = fileURLToPath(new URL('loop-blocker.ts', import.meta.url))

function startBlocker (t: Test, blocker: string, flags: readonly string[] = [], execArgv: readonly string[] = []) {
  const child = spawn(
    process.execPath,
    ['--conditions=@linker/source', ...execArgv, blockerScript, blocker, ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'] }
  )
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines: string[] = []
  createInterface(child.stdout).on('line', line => {
    lines.push(line)
  })
  let complaints = ''
  child.stderr.on('data', chunk => {
    complaints += String(chunk)
  })

  async function outcome (): Promise<Outcome> {
    const [code, signal] = await ended
    if (code !== 0) throw new Error(`the process ended with ${String(code ?? signal)}: ${complaints}`)
    return JSON.parse(lines.at(-1) ?? '') as Outcome
  }
  return { child, outcome }
}

const call = { callId: 'call', adapter: 'feed.api.v1@1.0.0', connectionId: 'connection' }

t.test('a call that blocks the loop is named and goes on', async t => {
  const { events, wentOn } = await startBlocker(t, 'spin', ['patient']).outcome()

  t.match(events, [{
    call: { ...call, target: 'spin' },
    frames: [/^spin \(file:.*loop-blocker\.ts:\d+:\d+\)$/, /./],
    wasTerminated: false
  }])
  t.ok(Number(events[0]?.blockedMs) >= 1_000)
  t.ok(wentOn)
})

t.test('a call in a native function is named when the function returns', async t => {
  const { events, wentOn } = await startBlocker(t, 'child').outcome()

  t.match(events, [{ call: { ...call, target: 'child' }, wasTerminated: false }])
  t.ok(wentOn)
})

for (const blocker of ['loop', 'catchingLoop', 'awaitingLoop', 'promiseRecursion', 'regularExpression', 'statement']) {
  t.test(`a call that never ends is broken off, and everything else goes on: ${blocker}`, async t => {
    const { events, wentOn, others, callAfter } = await startBlocker(t, blocker).outcome()

    t.match(events, [{ call: { ...call, target: blocker }, wasTerminated: true }])
    t.notOk(wentOn)
    t.strictSame(others, ['import'])
    t.equal(callAfter, undefined)
  })
}

for (
  const [blocker, other] of [['timer', 'timer'], ['immediate', 'immediate'], ['microtaskInImmediate', 'immediate'], [
    'tick',
    'tick'
  ]] as const
) {
  t.test(`a callback that never ends is broken off and the next one runs: ${blocker}`, async t => {
    const { events, others, callAfter } = await startBlocker(t, blocker).outcome()

    t.match(events, [{ call: { ...call, target: blocker }, wasTerminated: true }])
    t.strictSame(others, [other, 'import'])
    t.equal(callAfter, undefined)
  })
}

for (const blocker of ['loop', 'promiseRecursion', 'immediate']) {
  t.test(`a process whose asynchronous work is traced survives the termination: ${blocker}`, async t => {
    const { events } = await startBlocker(t, blocker, ['async-hooks']).outcome()

    t.match(events, [{ call: { ...call, target: blocker }, wasTerminated: true }])
  })
}

t.test('a call that is broken off takes the waiting microtasks with it', async t => {
  const { events, others } = await startBlocker(t, 'ahead').outcome()

  t.match(events, [{ wasTerminated: true }])
  t.strictSame(others, ['import'])
})

t.test('the hub itself is not broken off', async t => {
  const { events, wentOn } = await startBlocker(t, 'hub:spin').outcome()

  t.match(events, [{ frames: [/^spin /, /./], wasTerminated: false }])
  t.equal(events[0]?.call, undefined)
  t.ok(wentOn)
})

t.test('two calls that block one after the other are not taken for one that does not end', async t => {
  const { events, wentOn } = await startBlocker(t, 'succession').outcome()

  t.match(events, [{ wasTerminated: false }])
  t.ok(wentOn)
})

t.test('a process that was stopped has not blocked', async t => {
  const { child, outcome } = startBlocker(t, 'strokes', ['patient', 'quiet'])
  await once(child.stdout, 'data')

  for (let stop = 0; stop < 4; stop += 1) {
    child.kill('SIGSTOP')
    await sleep(1_300)
    child.kill('SIGCONT')
    await sleep(300)
  }
  child.kill('SIGUSR2')

  t.strictSame((await outcome()).events, [])
})

t.test('the watchdog rests while a debugger can attach', async t => {
  const { events, wentOn } = await startBlocker(t, 'spin', ['quiet'], ['--inspect=127.0.0.1:0']).outcome()

  t.strictSame(events, [])
  t.ok(wentOn)
})

t.test('the watchdog does not keep a process alive', async t => {
  const { events } = await startBlocker(t, 'spin', ['patient', 'stays-open']).outcome()

  t.match(events, [{ wasTerminated: false }])
})

interface Hub {
  close(): Promise<void>
  calls: AsyncLocalStorage<BlockedCall>
  events: BlockedEvent[]
  told(): Promise<void>
}

async function startHub (t: Test): Promise<Hub> {
  // Keep the process alive: neither the watchdog nor a test that waits for it does that.
  const life = setInterval(() => undefined, 1_000)
  t.teardown(() => {
    clearInterval(life)
  })
  const calls = new AsyncLocalStorage<BlockedCall>()
  const events: BlockedEvent[] = []
  let next = Promise.withResolvers<void>()
  const { close } = await startLoopWatchdog({
    currentCall: () => calls.getStore(),
    onBlocked (event) {
      events.push(event)
      next.resolve()
      next = Promise.withResolvers()
    },
    blockedMs: 200
  })
  return { close, calls, events, told: () => next.promise }
}

function spin (): void {
  const end = Date.now() + 1_000
  while (Date.now() < end);
}

t.test("when a process has two hubs, the hub of the call is told, and both when it was nobody's", async t => {
  const [first, second] = [await startHub(t), await startHub(t)]
  t.teardown(() => second.close())

  first.calls.run({ callId: '1', adapter: 'feed.api.v1@1.0.0', target: 'test' }, spin)
  await first.told()
  t.match(first.events, [{ call: { callId: '1' } }])
  t.strictSame(second.events, [])

  const both = Promise.all([first.told(), second.told()])
  spin()
  await both
  t.match([first.events.at(-1), second.events.at(-1)], [{ call: undefined }, { call: undefined }])

  await first.close()
  second.calls.run({ callId: '2', adapter: 'feed.api.v1@1.0.0', target: 'test' }, spin)
  await second.told()
  t.match(second.events.at(-1), { call: { callId: '2' } })
  t.equal(first.events.length, 2)
})

t.test('when the last hub has closed the watchdog, nothing of it is left, and it can start again', async t => {
  const watchdogKey = Symbol.for('linker.loopWatchdog')
  const [first, second] = [await startHub(t), await startHub(t)]
  await first.close()
  t.ok(Reflect.has(globalThis, watchdogKey))
  await Promise.all([second.close(), second.close()])
  t.notOk(Reflect.has(globalThis, watchdogKey))

  spin()
  const third = await startHub(t)
  t.teardown(() => third.close())
  spin()
  await third.told()
  t.strictSame([first.events, second.events], [[], []])
})
