import t from 'tap'
import { lowered, recovered } from '../../src/upstream/learnt-rate.ts'
import { throttled, type UpstreamState } from '../../src/upstream/state.ts'

const now = 1_000_000

t.test('an answer 429 halves the rate at which the hub sent, never below one request in 2 s', t => {
  const first = lowered(undefined, { limit: undefined, measured: 8 }, now)
  t.strictSame(first, { ratePerSecond: 4, changedAt: now, throttledAt: now })

  // The hub has rested since.
  const second = lowered(first, { limit: undefined, measured: 0.4 }, now + 10_000)
  t.strictSame(second, { ratePerSecond: 2, changedAt: now + 10_000, throttledAt: now + 10_000 })
  t.equal(lowered(undefined, { limit: 1, measured: 8 }, now)?.ratePerSecond, 0.5)
  t.equal(
    lowered({ ...first, ratePerSecond: 0.5, changedAt: 0, throttledAt: 0 }, { limit: undefined, measured: 8 }, now)
      ?.ratePerSecond,
    0.5
  )
  t.end()
})

t.test('answers 429 within five seconds count once, and each delays the next raise', t => {
  const first = lowered(undefined, { limit: undefined, measured: 8 }, now)
  const second = lowered(first, { limit: undefined, measured: 8 }, now + 3_000)
  const third = lowered(second, { limit: undefined, measured: 8 }, now + 6_000)

  t.strictSame(second, { ratePerSecond: 4, changedAt: now, throttledAt: now + 3_000 })
  t.strictSame(third, { ratePerSecond: 2, changedAt: now + 6_000, throttledAt: now + 6_000 })
  t.equal(recovered(second, now + 62_000), second)
  t.equal(recovered(second, now + 63_000)?.ratePerSecond, 5)
  t.end()
})

t.test('a single 429 to a connection that hardly sends slows nothing down', t => {
  t.equal(lowered(undefined, { limit: undefined, measured: 0.2 }, now), undefined)
  t.end()
})

t.test('the rate grows by a quarter in each minute without 429, and is forgotten after a quarter of an hour', t => {
  const learnt = { ratePerSecond: 4, changedAt: now, throttledAt: now }

  t.equal(recovered(learnt, now + 59_000), learnt)
  t.strictSame(recovered(learnt, now + 130_000), { ratePerSecond: 6.25, changedAt: now + 120_000, throttledAt: now })
  t.equal(recovered(learnt, now + 900_000), undefined)
  t.equal(recovered(undefined, now), undefined)
  t.end()
})

t.test('the state keeps the later end of two rests', t => {
  const until = (state: UpstreamState, retryAfterMs: number): number =>
    (throttled(state, { retryAfterMs, declared: undefined, measured: 0 }, now).throttledUntil ?? 0) - now

  t.equal(until({}, 2_000), 2_000)
  t.equal(until({ throttledUntil: now + 60_000 }, 1_000), 60_000)
  t.end()
})
