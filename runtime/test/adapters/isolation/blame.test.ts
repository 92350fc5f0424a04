import { createCallSecrets, createCurrentCall, type CurrentCall } from '@linker/sdk/host'
import t, { type Test } from 'tap'
import { createInlineCalls } from '../../../src/adapters/inline-calls.ts'
import { startBlame } from '../../../src/adapters/isolation/blame.ts'
import { fakeAdapter } from '../../connections/support.ts'

const adapter = 'feed.api.v1@1.0.0'

/** Blame in a hub with one inline adapter, whose secret is `canary-1`. */
async function open (t: Test) {
  const [currentCall, inlineCalls] = [createCurrentCall(), createInlineCalls()]
  const [logged, brokenOff]: [[object, string][], Error[]] = [[], []]
  let moves = 0
  const level = (fields: object, message: string): void => {
    logged.push([fields, message])
  }
  const carrier = {
    ...fakeAdapter().carrier,
    isolation: (): 'inline' | 'worker' => moves === 0 ? 'inline' : 'worker',
    moveToWorker () {
      moves += 1
    },
    redact: (value: unknown) => String(value).replaceAll('canary-1', '[redacted]')
  }
  const blame = await startBlame({
    currentCall,
    inlineCalls,
    carrierOf: name => name === adapter ? carrier : undefined,
    adapterOf: () => undefined,
    log: { warn: level, error: level },
    onBlocked: () => undefined,
    onBroken: () => undefined
  })
  t.teardown(() => blame.close())
  const call: CurrentCall = {
    adapter,
    call: { target: { kind: 'init' }, args: [], signal: new AbortController().signal },
    effects: { cursors: {}, jobs: [] },
    secrets: createCallSecrets(),
    breakOff (error) {
      brokenOff.push(error)
    }
  }
  return {
    blame,
    inlineCalls,
    logged,
    brokenOff,
    moves: () => moves,
    /** Runs code as a part of a call of the adapter. */
    inCall: <Result>(work: () => Result): Result => currentCall.run(call, work)
  }
}

t.test('an error that nobody handled is blamed on the adapter whose call it belongs to', async t => {
  const { blame, inCall, logged, brokenOff, moves } = await open(t)
  const taken = inCall(() => blame.take(new Error('no canary-1')))

  t.equal(taken, true)
  t.match(logged[0]?.[0], { adapter, err: 'Error: no [redacted]' })
  t.match(brokenOff, [{ code: 'LNK_ADAPTER_CRASHED' }])
  t.equal(moves(), 1, 'from now on it harms only itself')
})

t.test("an error outside of all calls is the hub's own", async t => {
  const { blame, logged, moves } = await open(t)

  t.equal(blame.take(new Error('x')), false)
  t.strictSame([logged, moves()], [[], 0])
})

t.test('a timer that an adapter left behind still belongs to its call', async t => {
  const { blame, inCall } = await open(t)
  const later = Promise.withResolvers<boolean>()
  inCall(() => {
    setImmediate(() => {
      later.resolve(blame.take(new Error('late')))
    })
  })

  t.equal(await later.promise, true)
})

t.test('an adapter is moved once, and one that is unknown not at all', async t => {
  const { blame, moves } = await open(t)
  blame.isolate(adapter)
  blame.isolate(adapter)
  blame.isolate('gone.api.v1@1.0.0')

  t.equal(moves(), 1)
})

t.test('an adapter that prints is named once', async t => {
  const { blame: { output }, inCall, logged } = await open(t)
  t.equal(output.isRunning(), false)
  output.onPrinted()
  t.strictSame(logged, [])
  inCall(() => {
    t.equal(output.isRunning(), true)
    output.onPrinted()
    output.onPrinted()
  })

  t.match(logged, [[{ adapter }, /prints to the console/]])
})

t.test('a built-in that an adapter replaced is back when its call has ended, and the adapter moves', async t => {
  const { inlineCalls, logged, moves } = await open(t)
  const { hypot } = Math
  inlineCalls.begin(adapter)
  Math.hypot = () => 7
  inlineCalls.end(adapter)

  t.equal(Math.hypot, hypot)
  t.match(logged[0]?.[0], { adapter, globals: 'Math.hypot', stay: '' })
  t.equal(moves(), 1)
})
