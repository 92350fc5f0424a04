import { mock } from 'node:test'
import t from 'tap'
import { createBell, createBellRinger } from '../../src/streams/bell.ts'

t.afterEach(() => {
  mock.timers.reset()
})

function open () {
  const listeners = new Set<() => void>()
  const stop = new AbortController()
  const bell = createBell({
    listen (_channel, listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    }
  }, stop.signal)
  return {
    bell,
    stop,
    listeners,
    ring () {
      for (const listener of listeners) listener()
    }
  }
}

/** Whether a promise has settled after the microtasks that are due. */
async function isSettled (promise: Promise<unknown>): Promise<boolean> {
  let hasSettled = false
  promise.then(() => {
    hasSettled = true
  }, () => undefined)
  await new Promise(setImmediate)
  return hasSettled
}

t.test('a ring during the look wakes the reader that waits after it', async t => {
  const { bell, ring } = open()
  bell.reset()
  ring()

  t.equal(await isSettled(bell.rung(600_000)), true)
})

t.test('a reader that waits is woken by the next ring, and rings of before are forgotten by the reset', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { bell, ring } = open()
  ring()
  bell.reset()
  const waiting = bell.rung(600_000)
  t.equal(await isSettled(waiting), false)
  ring()

  t.equal(await isSettled(waiting), true)
})

t.test('without a ring the reader looks again after its time', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { bell } = open()
  const waiting = bell.rung(1_000)
  mock.timers.tick(999)
  t.equal(await isSettled(waiting), false)
  mock.timers.tick(1)

  t.equal(await isSettled(waiting), true)
})

t.test('a hub that stops wakes its readers, now and at every later wait', async t => {
  const { bell, stop, listeners } = open()
  const waiting = bell.rung(600_000)
  stop.abort()
  t.equal(await isSettled(waiting), true)
  bell.reset()

  t.equal(await isSettled(bell.rung(600_000)), true)
  bell.close()
  t.equal(listeners.size, 0)
})

t.test('many rings are one at once and one after 5 ms, and a quiet time begins anew', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let rings = 0
  const ring = createBellRinger(() => {
    rings += 1
  })
  for (let number = 0; number < 100; number++) ring()
  t.equal(rings, 1)
  mock.timers.tick(5)
  t.equal(rings, 2)
  mock.timers.tick(100)
  t.equal(rings, 2)
  ring()

  t.equal(rings, 3)
})
