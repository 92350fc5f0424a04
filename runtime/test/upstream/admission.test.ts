import t from 'tap'
import { admit, type Admission, type Wish } from '../../src/upstream/admission.ts'
import { resetState, throttled, type UpstreamState } from '../../src/upstream/state.ts'

const wish: Wish = {
  callId: 'a',
  isTest: false,
  isUrgent: false,
  declared: undefined,
  longestWaitMs: 2_000,
  comesAgain: true,
  random: 0.5
}
const now = 1_000_000
/** What happens to a request when there is no budget. */
const sent: Admission = { kind: 'send', inMs: 0, isProbe: false, place: undefined }

function admitAll (state: UpstreamState, count: number, given: Partial<Wish> = {}) {
  const results = []
  for (let index = 0; index < count; index++) {
    const changed = admit(state, { ...wish, ...given }, now)
    state = changed.state
    results.push(changed.result)
  }
  return { state, results }
}

t.test('without a budget every request goes out at once, and the state stays the same object', t => {
  const state: UpstreamState = {}
  t.strictSame(admit(state, wish, now), { state, result: sent })
  t.equal(admit(state, wish, now).state, state)
  t.end()
})

t.test('requests beyond the burst wait for their place, and those beyond the wait are spread', t => {
  const declared = { ratePerSecond: 1, burst: 2 }

  const { results } = admitAll({}, 7, { declared })

  t.strictSame(results.map(({ kind, inMs }) => [kind, inMs]), [
    ['send', 0],
    ['send', 250],
    ['send', 1_250],
    ['wait', 2_250],
    ['wait', 3_250],
    ['wait', 4_250],
    ['wait', 5_250]
  ])
  t.strictSame(results.at(-1), { kind: 'wait', reason: 'budget', inMs: 5_250, budget: declared, failure: undefined })
  t.end()
})

t.test('requests are spread at the rate that is learnt by then, which grows and is forgotten', t => {
  const declared = { ratePerSecond: 20, burst: 20 }
  const learnt = { ratePerSecond: 0.5, changedAt: now, throttledAt: now }

  const { results } = admitAll({ learnt, nextSlotAt: now + 10_000 }, 5_000, { declared })

  const inMinute = (minute: number): number => results.filter(({ inMs }) => Math.floor(inMs / 60_000) === minute).length
  t.strictSame([0, 1].map(inMinute), [122, 1_200])
  t.end()
})

t.test('a request that may wait longer gets the next place, whoever was refused', t => {
  const declared = { ratePerSecond: 1, burst: 1 }
  const { state } = admitAll({}, 10, { declared })

  const { result } = admit(state, { ...wish, declared, longestWaitMs: 60_000 }, now)

  t.strictSame(result, { ...sent, inMs: 2_500, place: { nextSlotAt: now + 3_750, slotMs: 1_250 } })
  t.end()
})

t.test('an urgent request goes out at once, and the next one waits for its place', t => {
  const declared = { ratePerSecond: 1, burst: 1 }
  const { state } = admitAll({ throttledUntil: now + 60_000 }, 10, { declared, longestWaitMs: 600_000 })

  const urgent = admit(state, { ...wish, declared, isUrgent: true }, now)

  t.match(urgent.result, { kind: 'send', inMs: 0 })
  const [before, after] = [state, urgent.state].map(given =>
    admit(given, { ...wish, declared, longestWaitMs: 600_000 }, now).result.inMs
  )
  t.equal((after ?? 0) - (before ?? 0), 1_250)
  t.end()
})

t.test('while the platform asked for a pause, requests wait or are refused', t => {
  const state = throttled({}, { retryAfterMs: 10_000, declared: undefined, measured: 0.1 }, now)

  t.match(admit(state, wish, now).result, { kind: 'wait', reason: 'rate-limit', inMs: 10_000 })
  t.match(admit(state, wish, now + 9_000).result, { kind: 'send', inMs: 1_000 })
  t.strictSame(admit(state, wish, now + 10_000), { state: {}, result: sent })
  t.end()
})

t.test('an open breaker lets nothing out, then one call, and the next when that one is lost', t => {
  const breaker = { openedAt: now, openUntil: now + 30_000, openings: 1, failure: 'GET /x answered 500' }

  t.match(admit({ breaker }, wish, now).result, {
    kind: 'wait',
    reason: 'circuit-breaker',
    inMs: 30_000,
    failure: 'GET /x answered 500'
  })
  const probing = admit({ breaker }, wish, now + 30_000)
  t.strictSame(probing.result, { ...sent, isProbe: true })
  const at = now + 31_000
  t.match(admit(probing.state, wish, at).result, { kind: 'send', isProbe: true }, 'the same call')
  t.match(admit(probing.state, { ...wish, callId: 'b' }, at).result, { kind: 'wait', inMs: 2_000 })
  t.match(admit(probing.state, { ...wish, callId: 'b' }, now + 90_000).result, { kind: 'send', isProbe: true })
  t.match(admit({ breaker }, { ...wish, isTest: true }, now).result, { kind: 'send', isProbe: true }, 'a test')
  t.end()
})

t.test('a probe that has no place in the budget leaves the probe to another call', t => {
  const breaker = { openedAt: now, openUntil: now, openings: 1, failure: 'x' }
  const state = { breaker, nextSlotAt: now + 60_000 }

  const changed = admit(state, { ...wish, declared: { ratePerSecond: 1, burst: 1 } }, now)

  t.match(changed.result, { kind: 'wait', reason: 'budget' })
  t.strictSame(changed.state.breaker, breaker)
  t.end()
})

t.test("a reset keeps the operator's budget and the places that are used", t => {
  const own = { ratePerSecond: 5, burst: 5 }
  const breaker = { openedAt: now, openUntil: now + 30_000, openings: 3, failure: 'x' }
  const learnt = { ratePerSecond: 1, changedAt: now, throttledAt: now }

  t.strictSame(
    resetState({ own, learnt, breaker, nextSlotAt: now, plannedUntil: now, throttledUntil: now + 1_000 }),
    { own, nextSlotAt: now }
  )
  t.strictSame(resetState({ breaker }), {})
  t.end()
})

t.test('places that were taken at a slower pace are no longer a wait when the budget grows', t => {
  const mistaken = { ratePerSecond: 0.01, burst: 1 }
  const { state } = admitAll({}, 1, { declared: mistaken })

  const { result } = admit(state, { ...wish, declared: { ratePerSecond: 10, burst: 20 } }, now + 1_000)

  t.match(result, { kind: 'send', inMs: 0, place: { slotMs: 100 } })
  t.end()
})

t.test('only a request with which a job comes again gets a turn in the plan', t => {
  const declared = { ratePerSecond: 1, burst: 1 }
  const { state } = admitAll({}, 2, { declared })

  const { state: after, results } = admitAll(state, 100, { declared, comesAgain: false })

  t.strictSame(results.map(({ kind, inMs }) => [kind, inMs]), results.map(() => ['wait', 2_500]))
  t.equal(after.plannedUntil, undefined)
  t.end()
})

t.test('the plan reaches ten minutes; what comes after it is spread over them', t => {
  const declared = { ratePerSecond: 0.1, burst: 1 }
  const waits = admitAll({}, 200, { declared }).results.map(({ inMs }) => inMs)

  t.ok(Math.max(...waits) <= 12_500 + 600_000 + 12_500, `${Math.max(...waits)}`)
  t.equal(waits.at(-1), 12_500 + 300_000)
  t.end()
})

t.test('jobs that meet an open breaker come within a minute after it may close', t => {
  const breaker = { openedAt: now, openUntil: now + 30_000, openings: 1, failure: 'x' }
  const waits = admitAll({ breaker, plannedUntil: now + 3_600_000 }, 5_000).results.map(({ inMs }) => inMs)

  t.ok(Math.min(...waits) >= 30_000 && Math.max(...waits) <= 90_000)
  t.end()
})

t.test('a missed place is given back when no other was taken after it', t => {
  const declared = { ratePerSecond: 1, burst: 1 }
  const first = admit({}, { ...wish, declared }, now)
  const missed = first.result.kind === 'send' ? first.result.place : undefined
  const other = admit(first.state, { ...wish, declared }, now)

  const alone = admit(first.state, { ...wish, declared, missed }, now + 500)
  const behind = admit(other.state, { ...wish, declared, missed }, now + 500)

  t.strictSame(alone, {
    state: { nextSlotAt: now + 1_750, slotMs: 1_250 },
    result: { ...sent, place: { nextSlotAt: now + 1_750, slotMs: 1_250 } }
  })
  t.match(behind.result, { kind: 'send', inMs: 2_000 })
  t.end()
})

t.test('a missed place serves when all others are too late, but not while the platform rests', t => {
  const declared = { ratePerSecond: 1, burst: 1 }
  const { state } = admitAll({}, 2, { declared, longestWaitMs: 60_000 })
  const missed = { nextSlotAt: now + 1_250, slotMs: 1_250 }
  const late = { ...wish, declared, missed, longestWaitMs: 500 }

  t.strictSame(admit(state, late, now + 500), { state, result: sent })
  t.match(admit({ ...state, throttledUntil: now + 900 }, late, now + 500).result, { kind: 'wait', reason: 'budget' })
  t.end()
})
