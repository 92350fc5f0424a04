import t from 'tap'
import { allow, type Used } from '../../src/quantities/allowance.ts'

const start = Date.parse('2025-01-02T12:00:00Z')

/** Sends commands of a thousand offers as soon as possible. Returns the count of each minute. */
function synchronise (thousands: number): number[] {
  const minutes: number[] = []
  let used: Used = []
  let nowMs = start
  for (let sent = 0; sent < thousands;) {
    const allowed = allow(used, [1_000], nowMs)
    used = allowed.used
    const [wait] = allowed.waits
    if (wait === undefined) {
      sent += 1
      const minute = Math.floor((nowMs - start) / 60_000)
      minutes[minute] = (minutes[minute] ?? 0) + 1_000
    }
    nowMs += wait ?? 0
  }
  return Array.from(minutes, count => count ?? 0)
}

t.test('a synchronisation stays within the limits of a minute and of an hour, and leaves a reserve', async t => {
  const minutes = synchronise(300)

  t.ok(minutes.every(count => count <= 8_000))
  const hours = minutes.map((_, index) => minutes.slice(index, index + 60).reduce((sum, count) => sum + count, 0))
  t.equal(Math.max(...hours), 240_000)
})

t.test('the reserve is for small calls, and is used up, too', async t => {
  const { used } = allow([], Array.from({ length: 8 }, () => 1_000), start)

  t.same(allow(used, [1_000], start).waits, [65_000])
  t.same(allow(used, [10], start).waits, [undefined])
  t.same(allow(used, [6, 5], start).waits, [65_000, 65_000], 'eleven offers are no small call')
  let reserve = used
  for (let call = 0; call < 100; call++) reserve = allow(reserve, [10], start).used
  t.same(allow(reserve, [1], start).waits, [65_000])
})

t.test('commands that fit are allowed while a larger one waits', async t => {
  const { used } = allow([], [7_000], start)

  t.same(allow(used, [900, 500, 100], start).waits, [undefined, 65_000, undefined])
  t.same(allow(used, [500, 0, 500], start).waits, [undefined, undefined, undefined], 'a command that is not limited')
  t.same(allow(used, [1_001], start + 64_999).waits, [1])
  t.same(allow(used, [1_001], start + 65_000).waits, [undefined])
})
