import t from 'tap'
import { createFailureWindow } from '../../src/upstream/failure-window.ts'

const now = 1_800_000_000_000

function windowOf (failed: number, succeeded: number, at = now) {
  const window = createFailureWindow()
  for (let count = 0; count < succeeded; count++) window.count(false, at)
  for (let count = 0; count < failed; count++) window.count(true, at)
  return window
}

t.test('it says whether at least half of the requests of the last minute failed', t => {
  t.equal(windowOf(10, 10).failsByHalf(now), true)
  t.equal(windowOf(10, 11).failsByHalf(now), false)

  const window = windowOf(1, 100)
  window.count(true, now + 60_000)
  t.equal(window.failsByHalf(now + 60_000), true, 'older ones do not count')
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
