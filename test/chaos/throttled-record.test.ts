import { createRandom } from '@linker/simulators'
import t from 'tap'
import { findFullest } from './throttled-record.ts'

const budget = { ratePerSecond: 10, burst: 5 }
const steady = (count: number, fromMs = 0): number[] =>
  Array.from({ length: count }, (_, index) => fromMs + index * 100)
const together = (count: number, atMs: number): number[] => Array.from({ length: count }, () => atMs)

t.test('a log that uses up its burst and then keeps the rate has no excess', async t => {
  const afterBurst = [...together(5, 0), ...steady(1_000, 100)]

  t.equal(findFullest([], budget), undefined)
  t.match(findFullest(together(15, 0), budget), { excess: 0 }, 'a window has at least a second')
  t.match(findFullest(afterBurst, budget), { excess: 0 })
  t.match(findFullest(together(11, 0), budget), { excess: -4, requests: 11, seconds: 1 })
})

t.test('one request too many is found, at once or late in a long window', async t => {
  t.match(findFullest(together(16, 0), budget), { excess: 1, from: 0, to: 15, requests: 16, seconds: 1 })

  const lateBurst = [...together(3, 0), ...steady(600), ...together(4, 60_000)]
  t.match(findFullest(lateBurst, budget), { excess: 2, from: 0, to: 606, requests: 607, seconds: 60 })
})

t.test('a burst that comes again before the rate has earned it is found', async t => {
  const again = [...together(15, 0), ...together(15, 1_400)]

  t.match(findFullest(again, budget), { excess: 11, requests: 30, seconds: 1.4 })
  t.match(findFullest([...together(15, 0), ...together(15, 2_500)], budget), { excess: 0 })
})

t.test('a rate a little too high is found in a long window, not in a short one', async t => {
  const fast = Array.from({ length: 1_000 }, (_, index) => index * 99)

  t.match(findFullest(fast.slice(0, 100), budget), { excess: -3 })
  t.match(findFullest(fast, budget), { from: 0, excess: 6 })
})

t.test('random logs: the same excess as a comparison of every pair of requests', async t => {
  const random = createRandom(7)
  const found = { withExcess: 0, without: 0 }
  for (let log = 0; log < 200; log += 1) {
    const meanMs = 70 + random() * 120
    let at = 0
    const arrivals = Array.from({ length: 150 }, () => at += random() < 0.2 ? 0 : random() * 2.5 * meanMs)
    const expected = excessOfPairs(arrivals)
    found[expected > 0 ? 'withExcess' : 'without'] += 1

    t.equal(findFullest(arrivals, budget)?.excess, expected, `log ${log}`)
  }
  t.ok(found.withExcess > 20 && found.without > 20, JSON.stringify(found))
})

function excessOfPairs (arrivals: readonly number[]): number {
  const excesses = arrivals.flatMap((from, first) =>
    arrivals.slice(first).map((to, index) => {
      const seconds = Math.max(1, (to - from) / 1_000)
      return Math.ceil(index + 1 - budget.ratePerSecond * seconds - budget.burst - 1e-6)
    })
  )
  return Math.max(...excesses)
}
