import { mock } from 'node:test'
import t from 'tap'
import { createInlineCalls } from '../../src/adapters/inline-calls.ts'

/** How long code may go on in timers and promises after its call. */
const echoMs = 5_000

let nowMs = 0
t.before(() => {
  mock.method(performance, 'now', () => nowMs)
})
t.teardown(() => {
  mock.restoreAll()
})
const pass = (ms: number): void => {
  nowMs += ms
}

t.test('an adapter may still run for a while after its last call', async t => {
  const calls = createInlineCalls()
  t.equal(calls.isQuiet(), true)
  calls.begin('a@1.0.0')
  t.equal(calls.isQuiet(), false)
  calls.end('a@1.0.0')
  pass(echoMs)
  t.equal(calls.isQuiet(), false)
  pass(1)

  t.equal(calls.isQuiet(), true)
})

t.test('only adapters that cannot run any more are forgotten', async t => {
  const calls = createInlineCalls()
  for (const adapter of ['running', 'recent', 'old', 'running']) calls.begin(adapter)
  for (const adapter of ['old', 'running']) calls.end(adapter)
  pass(echoMs + 1)
  calls.end('recent')
  calls.forget()

  t.strictSame([calls.list(), calls.any()], [['running', 'recent'], true])
  calls.end('running')
  pass(echoMs + 1)
  calls.forget()
  t.strictSame([calls.list(), calls.any(), calls.isQuiet()], [[], false, true])
})

t.test('whoever watches hears of each begin and end', async t => {
  const calls = createInlineCalls()
  const heard: string[] = []
  calls.onBegin = () => heard.push('begin')
  calls.onEnd = () => heard.push('end')
  calls.begin('a')
  calls.begin('b')
  calls.end('a')

  t.strictSame(heard, ['begin', 'begin', 'end'])
})
