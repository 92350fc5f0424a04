import t from 'tap'
import { createFailureWindow } from '../../src/upstream/failure-window.ts'

const now = 1_800_000_000_000

function windowOf (failed: number, succeeded: number, at = now) {
  const window = createFailureWindow()
  for (let count = 0; count < succeeded; count++) window.count(false, at)
  for (let count = 0; count < failed; count++) window.count(true, at)
  return window
}

t.test('ten failures that are at least half of all requests show a broken platform', t => {
  t.equal(windowOf(9, 0).isBroken(now), false)
  t.equal(windowOf(10, 0).isBroken(now), true)
  t.equal(windowOf(10, 10).isBroken(now), true)
  t.equal(windowOf(10, 11).isBroken(now), false)
  t.end()
})

t.test('requests older than a minute do not count', t => {
  const window = windowOf(9, 100)

  t.equal(window.isBroken(now + 60_000), false)
  for (let count = 0; count < 10; count++) window.count(true, now + 60_000)
  t.equal(window.isBroken(now + 60_000), true)
  window.clear()
  t.equal(window.isBroken(now + 60_000), false)
  t.end()
})

t.test('the rate is that of the last 10 to 20 s', t => {
  const window = windowOf(0, 100)

  t.equal(window.ratePerSecond(now + 10_000), 10)
  t.equal(window.ratePerSecond(now + 15_000), 100 / 15)
  t.equal(window.ratePerSecond(now + 20_000), 0)
  t.end()
})

t.test('after an idle time the rate counts from the first request on, unless there are few', t => {
  t.equal(windowOf(0, 40, now + 5_000).ratePerSecond(now + 7_000), 20)
  t.equal(windowOf(0, 40, now + 5_000).ratePerSecond(now + 5_000), 40, 'at least a second')
  t.equal(windowOf(0, 9, now + 5_000).ratePerSecond(now + 5_000), 9 / 15)
  t.end()
})
