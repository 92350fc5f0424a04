import t from 'tap'
import { admit, type Admission, type Wish } from '../../src/upstream/admission.ts'
import { changePart } from '../../src/upstream/areas.ts'
import { closed, probeFailed, resetState, throttled } from '../../src/upstream/state.ts'
import type { UpstreamState } from '../../src/upstream/stored-state.ts'

const wish: Wish = {
  callId: 'a',
  areas: [],
  isTest: false,
  isUrgent: false,
  declared: undefined,
  longestWaitMs: 2_000,
  comesAgain: true,
  random: 0.5
}
const now = 1_000_000
/** What happens to a request when there is no budget. */
const sent: Admission = { kind: 'send', inMs: 0, probes: [], places: [] }

const placeAt = (inMs: number) => ({ area: undefined, nextSlotAt: now + inMs, slotMs: 1_250 })
const slowDown = { reason: 'GET /x answered 429', isAway: false, budgeted: undefined, measured: 0.1 }
const away = { reason: 'maintenance page, 503', isAway: true, budgeted: undefined, measured: 0.1, restMs: 60_000 }

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
  t.strictSame(results.at(-1), {
    kind: 'wait',
    reason: 'budget',
    area: undefined,
    inMs: 5_250,
    budget: declared,
    cause: undefined
  })
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

  t.strictSame(result, { ...sent, inMs: 2_500, places: [placeAt(3_750)] })
  t.end()
})

t.test('an urgent request goes out at once, and the next one waits for its place', t => {
  const declared = { ratePerSecond: 1, burst: 1 }
  const { state } = admitAll({}, 10, { declared, longestWaitMs: 600_000 })

  const urgent = admit(state, { ...wish, declared, isUrgent: true }, now)

  t.match(urgent.result, { kind: 'send', inMs: 0 })
  const [before, after] = [state, urgent.state].map(given =>
    admit(given, { ...wish, declared, longestWaitMs: 600_000 }, now).result.inMs
  )
  t.equal((after ?? 0) - (before ?? 0), 1_250)
  t.end()
})

t.test('while the platform asked for a pause, requests wait or are refused', t => {
  const state = throttled({}, { ...slowDown, restMs: 10_000 }, now)

  t.match(admit(state, wish, now).result, { kind: 'wait', reason: 'rate-limit', inMs: 10_000 })
  t.strictSame(admit(state, wish, now + 9_000).result, { kind: 'hold', inMs: 1_000 })
  t.strictSame(admit({ throttledUntil: now }, wish, now), { state: {}, result: sent }, 'of an earlier version')
  t.end()
})

t.test('an open breaker lets nothing out, then one call, and the next when that one is lost', t => {
  const breaker = { openedAt: now, openUntil: now + 30_000, openings: 1, failure: 'GET /x answered 500' }

  t.match(admit({ breaker }, wish, now).result, {
    kind: 'wait',
    reason: 'circuit-breaker',
    inMs: 30_000,
    cause: 'GET /x answered 500'
  })
  const probing = admit({ breaker }, wish, now + 30_000)
  t.strictSame(probing.result, { ...sent, probes: [undefined] })
  const at = now + 31_000
  t.match(admit(probing.state, wish, at).result, { kind: 'send', probes: [undefined] }, 'the same call')
  t.match(admit(probing.state, { ...wish, callId: 'b' }, at).result, { kind: 'wait', inMs: 2_000 })
  t.match(admit(probing.state, { ...wish, callId: 'b' }, now + 90_000).result, { kind: 'send', probes: [undefined] })
  t.match(admit({ breaker }, { ...wish, isTest: true }, now).result, { kind: 'send', probes: [undefined] }, 'a test')
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

  t.match(result, { kind: 'send', inMs: 0, places: [{ slotMs: 100 }] })
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
  const missed = first.result.kind === 'send' ? first.result.places : []
  const other = admit(first.state, { ...wish, declared }, now)

  const alone = admit(first.state, { ...wish, declared, missed }, now + 500)
  const behind = admit(other.state, { ...wish, declared, missed }, now + 500)

  t.strictSame(alone, {
    state: { nextSlotAt: now + 1_750, slotMs: 1_250 },
    result: { ...sent, places: [placeAt(1_750)] }
  })
  t.match(behind.result, { kind: 'send', inMs: 2_000 })
  t.end()
})

t.test('a missed place serves when all others are too late, but not while the platform rests', t => {
  const declared = { ratePerSecond: 1, burst: 1 }
  const { state } = admitAll({}, 2, { declared, longestWaitMs: 60_000 })
  const missed = [placeAt(1_250)]
  const late = { ...wish, declared, missed, longestWaitMs: 500 }

  t.strictSame(admit(state, late, now + 500), { state, result: sent })
  t.match(admit({ ...state, throttledUntil: now + 900 }, late, now + 500).result, { kind: 'hold', inMs: 400 })
  t.end()
})

t.test('after a rest one request goes out, and the others when that one succeeded', t => {
  const state = throttled({}, { ...slowDown, restMs: 10_000 }, now)
  const at = now + 10_000
  const probing = admit(state, wish, at)
  t.strictSame(probing.result, { ...sent, probes: [undefined] })

  const other = { ...wish, callId: 'b' }
  t.strictSame(admit(probing.state, other, at).result, { kind: 'hold', inMs: 500 }, 'it can wait a little')
  t.match(admit(probing.state, { ...other, longestWaitMs: 100 }, at).result, {
    kind: 'wait',
    reason: 'rate-limit',
    inMs: 2_000,
    cause: 'GET /x answered 429'
  })
  t.match(admit(probing.state, wish, at).result, { kind: 'send' }, 'the same call')
  t.match(admit(probing.state, other, at + 60_000).result, { kind: 'send', probes: [undefined] }, 'the probe is lost')
  t.strictSame(admit(changePart(probing.state, undefined, closed), other, at).result, sent)
  const failed = changePart(probing.state, undefined, part => probeFailed(part, 'GET /x answered 500', at))
  t.match(admit(failed, other, at).result, { kind: 'wait', reason: 'circuit-breaker', inMs: 30_000 })
  t.match(failed, { rest: undefined, throttledUntil: undefined })
  t.end()
})

t.test('a rest that nobody probes is forgotten five minutes after its end', t => {
  const state = throttled({}, { ...slowDown, restMs: 10_000 }, now)

  t.match(admit(state, { ...wish, isUrgent: true }, now + 309_999).state, { rest: { since: now } })
  t.strictSame(admit(state, wish, now + 310_000), { state: {}, result: sent })
  t.end()
})

t.test('a rest of an area holds up its own requests only, and one of the connection all', t => {
  const resting = changePart({}, 'module', part => throttled(part, away, now))

  t.strictSame(admit(resting, wish, now).result, sent)
  t.strictSame(admit(resting, { ...wish, areas: ['reports'] }, now).result, sent)
  t.match(admit(resting, { ...wish, areas: ['module'] }, now).result, {
    kind: 'wait',
    reason: 'unavailable',
    area: 'module',
    inMs: 60_000,
    cause: 'maintenance page, 503'
  })
  const whole = throttled({}, away, now)
  t.match(admit(whole, { ...wish, areas: ['module'] }, now).result, {
    kind: 'wait',
    reason: 'unavailable',
    area: undefined
  })
  t.end()
})

t.test('a request that could wait sits out no rest of an area: it would take the place of others', t => {
  const patient = { ...wish, longestWaitMs: 100_000, comesAgain: false }
  const area = changePart({}, 'module', part => throttled(part, { ...slowDown, restMs: 60_000 }, now))

  t.match(admit(area, { ...patient, areas: ['module'] }, now).result, { kind: 'wait', area: 'module', inMs: 60_000 })
  t.match(admit(throttled({}, away, now), patient, now).result, { kind: 'wait', reason: 'unavailable' })
  t.match(admit(throttled({}, { ...slowDown, restMs: 60_000 }, now), patient, now).result, { kind: 'hold' })
  t.end()
})

t.test('refused requests of an area take no turn from those of the connection', t => {
  const declared = { ratePerSecond: 1, burst: 1 }
  const resting = changePart({}, 'module', part => throttled(part, away, now))

  const { state } = admitAll(resting, 100, { declared, areas: ['module'] })

  t.match(admit(state, { ...wish, declared }, now).result, { kind: 'send', inMs: 0 })
  t.match(state, { plannedUntil: undefined, nextSlotAt: undefined })
  t.ok((state.areas?.module?.plannedUntil ?? 0) > now + 60_000)
  t.end()
})

t.test('a request of an area needs a place in the budget and one in the learnt rate of its area', t => {
  const declared = { ratePerSecond: 10, burst: 100 }
  const learnt = { ratePerSecond: 1, changedAt: now, throttledAt: now }
  const slowed: UpstreamState = { areas: { module: { learnt } } }

  const { state, results } = admitAll(slowed, 3, { declared, areas: ['module'] })

  t.strictSame(results.map(({ kind, inMs }) => [kind, inMs]), [['send', 0], ['send', 1_250], ['wait', 2_500]])
  t.match(results.at(-1), { reason: 'budget', area: 'module', budget: { ratePerSecond: 1 } })
  t.match(admit(state, { ...wish, declared }, now).result, { kind: 'send', inMs: 0 })
  t.end()
})

t.test('an area of which nothing is left to know leaves the state', t => {
  const learnt = { ratePerSecond: 1, changedAt: now, throttledAt: now }
  const state: UpstreamState = {
    areas: { module: { learnt, plannedUntil: now }, reports: { failures: [{ step: now / 10_000, count: 1 }] } }
  }

  t.strictSame(admit(state, wish, now + 59_999).state.areas?.module?.plannedUntil, now)
  t.strictSame(admit(state, wish, now + 60_000).state, {})
  t.end()
})
