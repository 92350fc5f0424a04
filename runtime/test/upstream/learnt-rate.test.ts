import t from 'tap'
import { lowered, recovered } from '../../src/upstream/learnt-rate.ts'
import { throttled, withoutPast } from '../../src/upstream/state.ts'
import type { UpstreamState } from '../../src/upstream/stored-state.ts'

const now = 1_000_000
const restUntil = now + 5_000
const refused = { budgeted: undefined, measured: 100, restUntil }

t.test('an answer 429 halves the rate at which the hub sent, never below five requests in a second', t => {
  const first = lowered(undefined, refused, now)
  t.strictSame(first, { ratePerSecond: 50, changedAt: now, loweredAt: now, throttledAt: now, restUntil })

  // The hub has rested since.
  const second = lowered(first, { ...refused, measured: 0.4, restUntil: now + 20_000 }, now + 10_000)
  t.strictSame(second, {
    ratePerSecond: 25,
    changedAt: now + 10_000,
    loweredAt: now + 10_000,
    throttledAt: now + 10_000,
    restUntil: now + 20_000
  })
  for (const measured of [1, 2, 9]) t.equal(lowered(undefined, { ...refused, measured }, now)?.ratePerSecond, 5)
  const atFloor = { ratePerSecond: 5, changedAt: 0, throttledAt: 0 }
  t.equal(lowered(atFloor, refused, now)?.ratePerSecond, 5)
  t.end()
})

t.test('a budget is never cut below its half, whatever the hub happened to send', t => {
  t.equal(lowered(undefined, { ...refused, budgeted: 140, measured: 1 }, now)?.ratePerSecond, 70)
  t.equal(lowered(undefined, { ...refused, budgeted: 140, measured: 300 }, now)?.ratePerSecond, 70)
  t.equal(lowered(undefined, { ...refused, budgeted: 1, measured: 8 }, now)?.ratePerSecond, 0.5)
  t.end()
})

t.test('answers 429 within five seconds count once, and the last rest delays the next raise', t => {
  const first = lowered(undefined, refused, now)
  const second = lowered(first, { ...refused, restUntil: now + 8_000 }, now + 3_000)
  const third = lowered(second, { ...refused, restUntil: now + 11_000 }, now + 6_000)

  t.strictSame(second, { ...first, throttledAt: now + 3_000, restUntil: now + 8_000 })
  t.match(third, { ratePerSecond: 25, changedAt: now + 6_000 })
  t.equal(recovered(second, now + 12_000), second)
  t.equal(recovered(second, now + 13_000)?.ratePerSecond, 62.5)
  t.end()
})

t.test('an answer 429 soon after the rate was raised lowers it again', t => {
  const throttling = { restMs: 1_000, reason: 'GET /x answered 429', isAway: false, budgeted: undefined, measured: 100 }
  const first = throttled({}, throttling, now)
  const second = throttled(first, throttling, now + 7_000)
  t.match(second.learnt, { ratePerSecond: 31.25, throttledAt: now + 7_000 })
  t.equal(throttled(second, throttling, now + 8_000).learnt?.ratePerSecond, 31.25)

  const known = { ratePerSecond: 62.5, changedAt: now + 6_000, throttledAt: now, restUntil: now + 1_000 }
  t.equal(
    throttled({ learnt: known }, throttling, now + 7_000).learnt?.ratePerSecond,
    31.25,
    'one that an earlier version learnt'
  )
  t.end()
})

t.test('a single 429 to a connection that hardly sends slows nothing down', t => {
  t.equal(lowered(undefined, { ...refused, measured: 0.2 }, now), undefined)
  t.end()
})

t.test('the rate grows by a quarter every five seconds after the rest, and is forgotten after a minute', t => {
  const learnt = { ratePerSecond: 4, changedAt: now, throttledAt: now, restUntil }

  t.equal(recovered(learnt, restUntil + 4_999), learnt)
  t.strictSame(recovered(learnt, restUntil + 11_000), {
    ...learnt,
    ratePerSecond: 6.25,
    changedAt: restUntil + 10_000
  })
  t.equal(recovered(learnt, restUntil + 60_000), undefined)
  t.equal(recovered(undefined, now), undefined)
  t.equal(
    recovered({ ratePerSecond: 4, changedAt: now, throttledAt: now }, now + 60_000),
    undefined,
    'one that an earlier version learnt'
  )
  t.end()
})

t.test('after one 429 in quiet traffic the hub may send five requests a second at once, and all after a minute', t => {
  const afterRest = (seconds: number, budgeted?: number) => {
    const state = throttled({}, { restMs: 5_000, reason: 'x', isAway: false, budgeted, measured: 1 }, now)
    return withoutPast(state, now + 5_000 + seconds * 1_000).learnt?.ratePerSecond
  }

  t.strictSame([0, 5, 10, 20, 30].map(seconds => Number(afterRest(seconds)?.toFixed(1))), [5, 6.3, 7.8, 12.2, 19.1])
  t.equal(afterRest(60), undefined)
  t.equal(afterRest(0, 140), 70)
  t.ok((afterRest(20, 140) ?? 0) > 140, 'the whole budget again')
  t.end()
})

t.test('the state keeps the later end of two rests', t => {
  const until = (state: UpstreamState, restMs: number): number => {
    const asked = { restMs, reason: 'x', isAway: false, budgeted: undefined, measured: 0 }
    return (throttled(state, asked, now).throttledUntil ?? 0) - now
  }

  t.equal(until({}, 2_000), 2_000)
  t.equal(until({ throttledUntil: now + 60_000 }, 1_000), 60_000)
  t.end()
})
