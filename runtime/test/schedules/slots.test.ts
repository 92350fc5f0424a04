import fc from 'fast-check'
import { createHash } from 'node:crypto'
import t from 'tap'
import { parseEvery, slotAt, slotKey, startOfSlot, timingOf } from '../../src/schedules/slots.ts'

const connectionOf = (number: number): string => {
  const hex = createHash('sha256').update(String(number)).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
const timings = fc.record({
  connectionId: fc.uuid(),
  name: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
  everyMs: fc.integer({ min: 1_000, max: 99_999 * 86_400_000 })
})
  .map(({ connectionId, name, everyMs }) => timingOf(connectionId, name, everyMs))
const times = fc.integer({ min: 0, max: 4_102_444_800_000 })

t.test('a length is read in its unit', async t => {
  t.strictSame(['30s', '2m', '6h', '1d', '99999d'].map(parseEvery), [
    30_000,
    120_000,
    21_600_000,
    86_400_000,
    8_639_913_600_000
  ])
})

t.test('every time is in one slot, which has begun, and whose end is the beginning of the next', async t => {
  t.doesNotThrow(() =>
    fc.assert(fc.property(timings, times, (timing, nowMs) => {
      const slot = slotAt(timing, nowMs)
      return startOfSlot(timing, slot) <= nowMs && nowMs < startOfSlot(timing, slot + 1) &&
        slotAt(timing, startOfSlot(timing, slot)) === slot &&
        startOfSlot(timing, slot + 1) - startOfSlot(timing, slot) === timing.everyMs
    }))
  )
})

t.test('the key of a slot names schedule, connection and slot, the same in every process', async t => {
  const [first, second] = [timingOf(connectionOf(1), 'poll', 120_000), timingOf(connectionOf(1), 'poll', 120_000)]

  t.strictSame(first, second)
  t.equal(slotKey(first, 14_916_000), `schedule:poll:${connectionOf(1)}:14916000`)
})

t.test('the connections of one schedule are spread over its slot', async t => {
  const everyMs = 600_000
  const seconds = Array.from(
    { length: 1_000 },
    (_, number) => Math.floor(timingOf(connectionOf(number), 'poll', everyMs).phaseMs / 1_000)
  )
  const busiest = Math.max(...[...Map.groupBy(seconds, second => second).values()].map(({ length }) => length))

  t.ok(busiest <= 10, `${busiest} of 1 000 connections in one of 600 seconds`)
  t.ok(new Set(seconds).size > 400)
})
