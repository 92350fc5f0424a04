import type { RequestBudget } from '@linker/sdk'
import fc from 'fast-check'
import t from 'tap'
import { admit } from '../../src/upstream/admission.ts'
import { effectiveBudget } from '../../src/upstream/budget.ts'
import type { UpstreamState } from '../../src/upstream/stored-state.ts'

/** Requests beyond the budget in the fullest window of at least a second. */
function excessOf (arrivals: readonly number[], { ratePerSecond, burst }: RequestBudget): number {
  return Math.max(
    0,
    ...arrivals.map((first, from) =>
      Math.max(...arrivals.slice(from).map((last, index) => {
        const seconds = Math.max(1, (last - first) / 1_000)
        return index + 1 - (ratePerSecond * seconds + burst)
      }))
    )
  )
}

const wish = {
  callId: 'a',
  areas: [],
  isTest: false,
  isUrgent: false,
  longestWaitMs: Infinity,
  comesAgain: true,
  random: 0
}

const budgets = fc.record({
  ratePerSecond: fc.double({ min: 0.5, max: 100, noNaN: true }),
  burst: fc.integer({ min: 1, max: 60 })
})

t.test('no window has more requests than the budget, though each may come a quarter of a second late', t => {
  fc.assert(fc.property(
    budgets,
    fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 400 }), lateMs: fc.integer({ min: 0, max: 250 }) }), {
      minLength: 1,
      maxLength: 200
    }),
    (declared, requests) => {
      let state: UpstreamState = {}
      let now = 0
      const arrivals: number[] = []
      for (const { afterMs, lateMs } of requests) {
        now += afterMs
        const { state: next, result } = admit(state, { ...wish, declared }, now)
        state = next
        if (result.kind === 'send') arrivals.push(now + result.inMs + lateMs)
      }
      t.equal(arrivals.length, requests.length)
      return excessOf(arrivals.sort((a, b) => a - b), declared) < 1e-6
    }
  ))
  t.end()
})

t.test('a budget is used up: the rate in the long run is at least four fifths of it', t => {
  for (const declared of [{ ratePerSecond: 10, burst: 20 }, { ratePerSecond: 50, burst: 1 }]) {
    let state: UpstreamState = {}
    let last = 0
    for (let count = 0; count < 1_000; count++) {
      const { state: next, result } = admit(state, { ...wish, declared }, 0)
      state = next
      last = result.inMs
    }
    t.ok(1_000 / (last / 1_000) >= declared.ratePerSecond * 0.8, `${declared.ratePerSecond}: ${last} ms`)
  }
  t.end()
})

t.test('the smallest rate and the smallest burst of the budgets declared, set and learnt hold', t => {
  const declared = { ratePerSecond: 10, burst: 20 }

  t.equal(effectiveBudget(undefined, {}), undefined)
  t.strictSame(effectiveBudget(declared, {}), declared)
  t.strictSame(effectiveBudget(declared, { own: { ratePerSecond: 2, burst: 30 } }), { ratePerSecond: 2, burst: 20 })
  t.strictSame(effectiveBudget(declared, { learnt: { ratePerSecond: 0.5 } }), { ratePerSecond: 0.5, burst: 1 })
  t.end()
})
