import { createCallSecrets, createCurrentCall, type CurrentCall } from '@linker/sdk/host'
import t from 'tap'
import { createInlineCalls } from '../../../src/adapters/inline-calls.ts'
import { startBlame } from '../../../src/adapters/isolation/blame.ts'
import { fakeAdapter } from '../../connections/support.ts'

const adapter = 'feed.api.v1@1.0.0'

const [currentCall, inlineCalls] = [createCurrentCall(), createInlineCalls()]
const logged: [object, string][] = []
const brokenOff: Error[] = []
let moves = 0

function note (fields: object, message: string): void {
  logged.push([fields, message])
}

// The hub has one inline adapter, whose secret is `canary-1`.
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
  log: { warn: note, error: note },
  onBlocked: () => undefined,
  onBroken: () => undefined
})
t.teardown(() => blame.close())
t.beforeEach(() => {
  logged.length = 0
  brokenOff.length = 0
  moves = 0
})

/** Runs code as a part of a call of the adapter. */
function inCall<Result> (work: () => Result): Result {
  const call: CurrentCall = {
    adapter,
    call: { target: { kind: 'init' }, args: [], signal: new AbortController().signal },
    effects: { cursors: {}, jobs: [] },
    secrets: createCallSecrets(),
    breakOff (error) {
      brokenOff.push(error)
    }
  }
  return currentCall.run(call, work)
}

t.test('an error that nobody handled is blamed on the adapter whose call it belongs to', async t => {
  const taken = inCall(() => blame.take(new Error('no canary-1')))

  t.equal(taken, true)
  t.match(logged[0]?.[0], { adapter, err: 'Error: no [redacted]' })
  t.match(brokenOff, [{ code: 'LNK_ADAPTER_CRASHED' }])
  t.equal(moves, 1, 'from now on it harms only itself')
})

t.test("an error outside of all calls is the hub's own", async t => {
  t.equal(blame.take(new Error('x')), false)
  t.strictSame([logged, moves], [[], 0])
})

t.test('a timer that an adapter left behind still belongs to its call', async t => {
  const later = Promise.withResolvers<boolean>()
  inCall(() => {
    setImmediate(() => {
      later.resolve(blame.take(new Error('late')))
    })
  })

  t.equal(await later.promise, true)
})

t.test('an adapter is moved once, and one that is unknown not at all', async t => {
  blame.isolate(adapter)
  blame.isolate(adapter)
  blame.isolate('gone.api.v1@1.0.0')

  t.equal(moves, 1)
})

t.test('an adapter that prints is named once', async t => {
  t.equal(blame.output.isRunning(), false)
  blame.output.onPrinted()
  t.strictSame(logged, [])
  inCall(() => {
    t.equal(blame.output.isRunning(), true)
    blame.output.onPrinted()
    blame.output.onPrinted()
  })

  t.match(logged, [[{ adapter }, /prints to the console/]])
})

t.test('a built-in that an adapter replaced is back when its call has ended, and the adapter moves', async t => {
  const { hypot } = Math
  inlineCalls.begin(adapter)
  Math.hypot = () => 7
  inlineCalls.end(adapter)

  t.equal(Math.hypot, hypot)
  t.match(logged[0]?.[0], { adapter, globals: 'Math.hypot', stay: '' })
  t.equal(moves, 1)
})
