import t from 'tap'
import { budgetOf, isSlowed, rateOf } from '../../console/rules/upstream.ts'

t.test('rates below one a second are told by the minute', async t => {
  t.strictSame([5, 2.5, 0.5, 0.01].map(rateOf), ['5 a second', '2.5 a second', '30 a minute', '0.6 a minute'])
  t.equal(budgetOf(null), 'none')
  t.equal(budgetOf({ ratePerSecond: 5, burst: 10 }), '5 a second, at most 10 at once')
})

t.test('only what the platform caused can be reset', async t => {
  const free = {
    budget: { declared: null, own: null, learnt: null, effective: null },
    throttledUntil: null,
    rest: null,
    areas: [],
    breaker: { state: 'closed' as const, openedAt: null, openUntil: null, openings: 0, failure: null }
  }

  t.equal(isSlowed(free), false)
  t.equal(isSlowed({ ...free, throttledUntil: '2026-01-01T00:00:00.000Z' }), true)
  t.equal(isSlowed({ ...free, breaker: { ...free.breaker, state: 'open' } }), true)
  t.equal(
    isSlowed({
      ...free,
      budget: { ...free.budget, learnt: { ratePerSecond: 1, throttledAt: '2026-01-01T00:00:00.000Z' } }
    }),
    true
  )
})
