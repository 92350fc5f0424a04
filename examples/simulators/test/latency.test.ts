import { createClock, createRandom } from '@linker/simulators'
import t from 'tap'
import { openMarket, openShop } from './support.ts'

t.test('every request takes a random time within the bounds, the same for the same seed', async t => {
  const durations = async (seed: number) => {
    const { market, call } = await openMarket(t, { random: createRandom(seed) })
    market.setLatency({ minMs: 5, maxMs: 45 })
    for (let left = 3; left > 0; left--) await call('GET', '/me')
    return market.requests.entries.map(({ durationMs }) => Number(durationMs))
  }
  const random = createRandom(5)
  const expected = [random(), random(), random()].map(number => 5 + number * 40)

  for (const [index, durationMs] of (await durations(5)).entries()) {
    t.ok(durationMs >= Number(expected[index]) - 1.5, `${durationMs} ms of at least ${expected[index]}`)
  }
})

t.test('latency can be switched off again and refuses bounds in the wrong order', async t => {
  const { shop, get } = await openShop(t)
  shop.setLatency({ minMs: 600_000, maxMs: 600_000 })
  shop.setLatency({ minMs: 0, maxMs: 0 })

  t.equal((await get('/products')).status, 200)
  t.throws(() => shop.setLatency({ minMs: 2, maxMs: 1 }), {
    message: 'a latency needs 0 <= minMs <= maxMs, not minMs 2 and maxMs 1'
  })
  t.throws(() => shop.setLatency({ minMs: -1, maxMs: 1 }), TypeError)
})

t.test('a fault with a chance hits some of the requests until it is cleared', async t => {
  const { market, call } = await openMarket(t, { random: createRandom(3) })
  market.faults.add({ chance: 0.3, times: Number.POSITIVE_INFINITY, answer: { status: 503 } })
  for (let left = 100; left > 0; left--) await call('GET', '/me')
  const failed = market.requests.entries.filter(({ status }) => status === 503).length
  market.faults.clear()

  t.ok(failed > 10 && failed < 50, `${failed} of 100 requests failed`)
  t.equal((await call('GET', '/me')).status, 200)
})

t.test('a clock runs faster than its base and can be moved', t => {
  let base = Date.parse('2025-01-01T00:00:00Z')
  const clock = createClock({ speed: 60, base: () => new Date(base) })
  base += 1000
  t.equal(clock.now().toISOString(), '2025-01-01T00:01:00.000Z')
  clock.advance(500)
  t.equal(clock.now().toISOString(), '2025-01-01T00:01:00.500Z')
  t.end()
})
