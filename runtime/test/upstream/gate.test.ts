import { UnavailableError } from '@linker/sdk'
import type { HttpRequestEvent } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { CallUnderWay } from '../../src/upstream/calls.ts'
import { createGate, type GateOptions } from '../../src/upstream/gate.ts'
import { isGuarded } from '../../src/upstream/state.ts'
import type { UpstreamStates } from '../../src/upstream/states.ts'
import type { UpstreamState } from '../../src/upstream/stored-state.ts'

const connectionId = '10000000-0000-4000-8000-000000000000'
const scarce = { ratePerSecond: 0.2, burst: 1 }
const answered: HttpRequestEvent = {
  method: 'GET',
  origin: 'https://shop.example',
  path: '/x',
  status: 200,
  durationMs: 1
}
const failed: HttpRequestEvent = { ...answered, status: 500, fault: 'unavailable' }
const throttled: HttpRequestEvent = { ...answered, status: 429, fault: 'throttled', retryAfterMs: 60_000 }

/** The states of a process that is alone. */
function createMemoryStates (): UpstreamStates & {
  all: Map<string, UpstreamState>,
  changes: number,
  held: Promise<void> | undefined
} {
  const all = new Map<string, UpstreamState>()
  let changing = 0
  const memory = {
    all,
    changes: 0,
    /** A change that begins now waits for it. */
    held: undefined as Promise<void> | undefined,
    async change<Result> (
      id: string,
      change: (state: UpstreamState, now: number) => { state: UpstreamState, result: Result }
    ) {
      memory.changes += 1
      if (memory.held !== undefined) {
        changing += 1
        await memory.held
        changing -= 1
      }
      const { state, result } = change(all.get(id) ?? {}, Date.now())
      all.set(id, state)
      return result
    },
    guarded: () => new Map([...all].filter(([, state]) => isGuarded(state))),
    isChanging: () => changing > 0,
    refresh: async () => undefined
  }
  return memory
}

function openGate (options: Pick<GateOptions, 'clock'> = {}) {
  const states = createMemoryStates()
  const seen: string[] = []
  const gate = createGate({
    ...options,
    states,
    now: () => new Date(),
    onClosed: async () => {
      seen.push('closed')
    },
    onChanged: () => undefined,
    onOpened: () => {
      seen.push('opened')
    },
    onRefused: (_adapter, reason) => {
      seen.push(reason)
    },
    log: { info: () => undefined, warn: () => undefined }
  })
  function begin (given: Partial<CallUnderWay> = {}): string {
    const callId = randomUUID()
    gate.begin(callId, {
      connectionId,
      adapter: 'feed.api.v1@1.0.0',
      declared: undefined,
      signal: new AbortController().signal,
      deadline: undefined,
      run: {},
      isTest: false,
      ...given
    })
    return callId
  }
  const state = (): UpstreamState => states.all.get(connectionId) ?? {}
  return { gate, begin, states, state, seen }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

/** Sends requests that fail until the breaker opens. */
async function breakPlatform (t: Test, { gate, begin, seen }: ReturnType<typeof openGate>): Promise<void> {
  const callId = begin()
  for (let count = 0; count < 10; count++) {
    t.equal(await gate.admit(connectionId, callId), undefined)
    gate.note(failed, callId)
  }
  gate.end(callId)
  await turn()
  t.strictSame(seen, ['opened'])
}

t.test('a connection without budget and trouble costs no look at its state', async t => {
  const { gate, begin, states } = openGate()
  const callId = begin()

  t.equal(await gate.admit(connectionId, callId), undefined)
  gate.note(answered, callId)

  t.equal(gate.end(callId), undefined)
  t.equal(states.changes, 0)
})

t.test('after ten failures the platform gets one call, and the others when that one succeeded', async t => {
  const opened = openGate()
  const { gate, begin, state, states, seen } = opened
  await breakPlatform(t, opened)

  const refusedId = begin()
  const refused = await gate.admit(connectionId, refusedId)
  t.match(
    refused?.message,
    /^the circuit breaker is open until \S+:\d\dZ, because the platform failed \(GET \/x answered 500\)$/
  )
  t.match(gate.end(refusedId), { connectionId, reason: 'circuit-breaker', kind: 'refused' })

  const { breaker } = state()
  if (breaker === undefined) return t.fail('the breaker is closed')
  states.all.set(connectionId, { ...state(), breaker: { ...breaker, openUntil: Date.now() - 1 } })
  const [probe, other] = [begin(), begin()]
  t.equal(await gate.admit(connectionId, probe), undefined)
  t.type(await gate.admit(connectionId, other), 'object')
  gate.note(answered, probe)
  await turn()

  t.equal(state().breaker, undefined)
  t.equal(seen.at(-1), 'closed')
  t.equal(await gate.admit(connectionId, begin()), undefined)
})

t.test('a probe that fails opens the breaker again; one that sends nothing leaves it to the next', async t => {
  const opened = openGate()
  const { gate, begin, state, states } = opened
  await breakPlatform(t, opened)
  const lapse = (): void => {
    const { breaker } = state()
    if (breaker !== undefined) {
      states.all.set(connectionId, { ...state(), breaker: { ...breaker, openUntil: Date.now() - 1 } })
    }
  }
  lapse()

  const silent = begin()
  t.equal(await gate.admit(connectionId, silent), undefined)
  gate.end(silent)
  const failing = begin()
  t.equal(await gate.admit(connectionId, failing), undefined)
  gate.note(failed, failing)

  const wait = gate.end(failing)
  t.match(wait, { reason: 'circuit-breaker', kind: 'probed' })
  t.ok((wait?.retryAfterMs ?? 0) > 30_000, 'another job gets the next probe')
  t.equal(state().breaker?.openings, 2)
  t.equal(state().breaker?.probe, undefined)
})

t.test('an aborted request says nothing about the platform', async t => {
  const { gate, begin, seen } = openGate()
  const callId = begin()

  for (let count = 0; count < 20; count++) gate.note({ ...answered, error: 'ABORTED' }, callId)

  t.strictSame(seen, [])
})

t.test('the first request of a run decides for those beside it', async t => {
  const { gate, begin } = openGate()
  t.equal(await gate.admit(connectionId, begin({ declared: scarce })), undefined)

  const late = begin({ declared: scarce })
  const refused = await Promise.all([1, 2, 3].map(() => gate.admit(connectionId, late)))

  const [first] = refused
  t.match(first?.message, /^the budget of the connection, 0\.2 requests per second, has no place until \S+:\d\dZ$/)
  t.strictSame(refused, [first, first, first])
  t.match(gate.end(late), { reason: 'budget', kind: 'refused' })
})

t.test('a run whose later requests do not fit into its time fails, because waiting does not help', async t => {
  const { gate, begin } = openGate()
  const callId = begin({ declared: { ratePerSecond: 0.1, burst: 1 }, deadline: Date.now() + 3_000 })
  t.equal(await gate.admit(connectionId, callId), undefined)

  t.match(await gate.admit(connectionId, callId), { message: /do not fit into its time at 0\.1 requests per second/ })

  t.match(gate.end(callId), { reason: 'budget', kind: 'too-late' })
})

t.test('a pause that the platform asks for one call holds for the others', async t => {
  const { gate, begin } = openGate()
  gate.note(throttled, begin())

  const refused = await gate.admit(connectionId, begin())

  t.match(refused?.message, /^the platform asked for a rest until \S+:\d\dZ$/)
})

t.test('a request that asks while the pause is being stored waits for it', async t => {
  const { gate, begin, states } = openGate()
  const callId = begin()
  t.equal(await gate.admit(connectionId, callId), undefined)
  const { promise, resolve } = Promise.withResolvers<void>()
  states.held = promise

  gate.note(throttled, callId)
  const admission = gate.admit(connectionId, begin())
  resolve()

  t.match(await admission, { message: /rest/, retryAfterMs: Number })
})

t.test('a request that an adapter left behind is not sent and changes nothing', async t => {
  const { gate, begin, states } = openGate()
  const over = begin({ declared: scarce })
  gate.end(over)

  t.match(await gate.admit(connectionId, over), { message: 'its call has ended' })
  t.match(await gate.admit(connectionId, undefined), { message: 'its call has ended' })
  gate.note(failed, undefined)
  t.equal(states.changes, 0)
})

t.test('a request that waits for its place is not sent after the end of its call', async t => {
  const { gate, begin } = openGate()
  const callId = begin({ declared: scarce, run: undefined })
  t.equal(await gate.admit(connectionId, callId), undefined)

  const waiting = gate.admit(connectionId, callId)
  await turn()
  gate.end(callId)

  t.match(await waiting, { message: 'its call has ended' })
})

/** A gate whose process stands still for so many milliseconds after each decision. */
function openSlowGate (stalls: number[]) {
  let time = 0
  const opened = openGate({ clock: () => time })
  const { states } = opened
  const change = states.change
  states.change = async (id, transition) => {
    const result = await change(id, transition)
    time += stalls.shift() ?? 0
    return result
  }
  return opened
}

t.test('a request that the process kept back too long takes a place of its own time', async t => {
  const { gate, begin, states } = openSlowGate([0, 250, 0, 250, 250])
  const changesOf = async (): Promise<number> => {
    const before = states.changes
    t.equal(await gate.admit(connectionId, begin({ declared: { ratePerSecond: 1, burst: 100 } })), undefined)
    return states.changes - before
  }

  t.equal(await changesOf(), 1)
  t.equal(await changesOf(), 2, 'it asks again')
  t.equal(await changesOf(), 2, 'but only once')
})

t.test('where every decision takes long, a scarce budget lets as many requests out as it may', async t => {
  const { gate, begin, states, state } = openSlowGate([500, 500, 500, 500])
  const declared = { ratePerSecond: 0.001, burst: 2 }

  t.equal(await gate.admit(connectionId, begin({ declared })), undefined)
  t.equal(await gate.admit(connectionId, begin({ declared })), undefined)
  t.type(await gate.admit(connectionId, begin({ declared })), 'object')
  t.equal(states.changes, 5)
  t.ok((state().nextSlotAt ?? 0) <= Date.now() + 2_000_000, 'no place was lost')
})

t.test('later requests of a run ask one after the other, so that others get places between', async t => {
  const { gate, begin, state } = openGate()
  const callId = begin({ declared: { ratePerSecond: 1, burst: 1 }, deadline: Date.now() + 60_000 })
  t.equal(await gate.admit(connectionId, callId), undefined)

  const later = [1, 2, 3, 4, 5].map(() => gate.admit(connectionId, callId))
  await turn()
  await turn()

  const takenMs = (state().nextSlotAt ?? 0) - Date.now()
  t.ok(takenMs > 1_250 && takenMs <= 2_500, `${takenMs} ms are taken`)
  gate.end(callId)
  t.strictSame((await Promise.all(later)).map(refused => refused?.message), later.map(() => 'its call has ended'))
})

t.test('a call that may have written something says so', async t => {
  const { gate, begin } = openGate()
  const callId = begin({ declared: scarce, run: undefined })
  gate.note({ ...failed, method: 'POST' }, callId)
  gate.note(throttled, callId)

  t.match(gate.end(callId), { kind: 'answered', isUncertain: true })
})

t.test('a request that waits for its place stays when the platform asks for a rest meanwhile', async t => {
  const { gate, begin } = openGate()
  const declared = { ratePerSecond: 10, burst: 1 }
  t.equal(await gate.admit(connectionId, begin({ declared })), undefined)

  const waiting = gate.admit(connectionId, begin({ declared }))
  gate.note(throttled, begin())

  t.match(await waiting, { message: /^the platform asked for a rest/ })
})

t.test('a test of the connection passes an open breaker, and closes it when the platform works', async t => {
  const opened = openGate()
  const { gate, begin, state } = opened
  await breakPlatform(t, opened)
  const testing = begin({ isTest: true, run: undefined })

  t.equal(await gate.admit(connectionId, testing), undefined)
  gate.note(answered, testing)

  t.equal(state().breaker, undefined)
})

t.test('a test that fails while the breaker is open changes nothing', async t => {
  const opened = openGate()
  const { gate, begin, state, seen } = opened
  await breakPlatform(t, opened)
  const { breaker } = state()
  const testing = begin({ isTest: true, run: undefined })

  t.equal(await gate.admit(connectionId, testing), undefined)
  gate.note(failed, testing)
  gate.end(testing)

  t.strictSame(state().breaker, breaker)
  t.strictSame(seen, ['opened'])
})

t.test('a platform rests for at most 15 minutes after a 429, and 5 after a 503 or while it is away', async t => {
  const day = 86_400_000
  for (
    const [event, rests] of [
      [{ status: 429, fault: 'throttled', retryAfterMs: day }, 900_000],
      [{ status: 503, fault: 'throttled', retryAfterMs: day }, 300_000],
      [{ status: 503, fault: 'away', retryAfterMs: day, reason: 'off' }, 300_000],
      [{ status: 429, fault: 'throttled' }, 5_000],
      [{ status: 503, fault: 'away', reason: 'off' }, 60_000],
      [{ status: 429, fault: 'throttled', retryAfterMs: -1 }, 5_000],
      [{ status: 429, fault: 'throttled', retryAfterMs: Number.NaN }, 5_000]
    ] as const
  ) {
    const { gate, begin, state } = openGate()
    const callId = begin()
    const before = Date.now()

    gate.note({ ...answered, ...event }, callId)

    const left = (state().throttledUntil ?? 0) - before
    t.ok(left >= rests && left < rests + 60_000, `${left}`)
    const reason = event.fault === 'away' ? 'unavailable' : 'rate-limit'
    t.match(gate.end(callId), { reason, retryAfterMs: rests, kind: 'answered' })
  }
})

const area = 'module'
const maintenance: HttpRequestEvent = {
  ...answered,
  status: 503,
  fault: 'away',
  reason: 'maintenance page, 503',
  area,
  retryAfterMs: 60_000
}

/** Lets the rest of an area end now. */
function endRest ({ state, states }: ReturnType<typeof openGate>): void {
  const { areas, ...whole } = state()
  const module = { ...areas?.module, throttledUntil: Date.now() - 1 }
  states.all.set(connectionId, { ...whole, areas: { ...areas, module } })
}

t.test('a platform that is away in an area rests there only, with its words, and learns no rate', async t => {
  const { gate, begin, state } = openGate()
  const callId = begin()
  for (let count = 0; count < 20; count++) gate.note({ ...answered, area }, callId)
  gate.note(maintenance, callId)

  t.match(gate.end(callId), { reason: 'unavailable', area, retryAfterMs: 60_000, kind: 'answered' })
  t.match(state(), { throttledUntil: undefined, areas: { module: { rest: { isAway: true }, learnt: undefined } } })
  t.equal(await gate.admit(connectionId, begin()), undefined)
  t.equal(await gate.admit(connectionId, begin(), { area: 'reports' }), undefined)
  t.match(await gate.admit(connectionId, begin(), { area }), {
    message: 'maintenance page, 503',
    retryAfterMs: Number
  })
})

t.test('after the rest of an area one call tries; a further page prolongs the rest from its beginning', async t => {
  const opened = openGate()
  const { gate, begin, state, seen } = opened
  gate.note(maintenance, begin())
  const since = state().areas?.module?.rest?.since
  endRest(opened)

  const [first, second] = [begin(), begin({ run: undefined })]
  t.equal(await gate.admit(connectionId, first, { area }), undefined)
  t.match(state(), { areas: { module: { rest: { probe: { callId: first } } } } })
  gate.note(maintenance, first)
  gate.end(first)
  t.match(state(), { areas: { module: { rest: { since, probe: undefined } } } })
  t.ok((state().areas?.module?.throttledUntil ?? 0) > Date.now() + 50_000)

  endRest(opened)
  t.equal(await gate.admit(connectionId, second, { area }), undefined)
  gate.note({ ...answered, area }, second)
  await turn()
  t.strictSame(state(), {})
  t.strictSame(seen, [], 'the plan lets the waiting jobs come')
})

t.test('a job that waited for an area asks for it before all else, and others do not', async t => {
  const opened = openGate()
  const { gate, begin } = opened
  const order = begin({ jobId: 'order' })
  t.equal(await gate.admit(connectionId, order), undefined)
  gate.note(maintenance, order)
  gate.end(order)

  const again = begin({ jobId: 'order' })
  t.match(await gate.admit(connectionId, again), { message: /maintenance/ })
  t.match(gate.end(again), { reason: 'unavailable', area, kind: 'refused' })
  t.equal(await gate.admit(connectionId, begin({ jobId: 'stock' })), undefined)

  endRest(opened)
  const last = begin({ jobId: 'order' })
  t.equal(await gate.admit(connectionId, last), undefined)
  gate.note(answered, last)
  gate.note({ ...answered, area }, last)
  gate.end(last)
  gate.note(maintenance, begin())
  t.equal(await gate.admit(connectionId, begin({ jobId: 'order' })), undefined, 'the area has worked for it')
})

t.test('an error that says that the platform is away rests the area of the last request', async t => {
  const { gate, begin, state } = openGate()
  const failure = new UnavailableError('the webservice is switched off', { retryAfterMs: 120_000 })
  const callId = begin()
  gate.note(answered, callId)
  gate.note({ ...answered, area }, callId)

  t.match(gate.end(callId, failure), { reason: 'unavailable', area, retryAfterMs: 120_000, kind: 'answered' })
  t.match(state(), { throttledUntil: undefined, areas: { module: { rest: { reason: failure.message } } } })
  t.equal(gate.end(begin(), failure), undefined, 'a call without a request rests nothing')
})

t.test('failures of an area open its own breaker, and its probe tells nothing of the connection', async t => {
  const opened = openGate()
  const { gate, begin, state, states, seen } = opened
  const failing = begin()
  for (let count = 0; count < 10; count++) gate.note({ ...failed, area }, failing)
  await turn()
  t.strictSame(seen, ['opened'])
  t.match(state(), { breaker: undefined, areas: { module: { breaker: { openings: 1 } } } })
  t.equal(await gate.admit(connectionId, begin()), undefined)

  const lapsed = { openedAt: 1, openUntil: 1, openings: 1, failure: 'GET /x answered 500' }
  states.all.set(connectionId, { breaker: lapsed })
  const probe = begin()
  t.equal(await gate.admit(connectionId, probe, { area }), undefined)
  gate.note({ ...failed, area }, probe)
  t.strictSame(state().breaker, lapsed, 'the next call probes')
  const next = begin()
  t.equal(await gate.admit(connectionId, next, { area }), undefined)
  gate.note({ ...answered, area }, next)
  gate.end(next)
  await turn()
  t.strictSame(state().breaker, lapsed, 'an area that works does not tell that the whole connection does')
  const whole = begin()
  t.equal(await gate.admit(connectionId, whole), undefined)
  gate.note(answered, whole)
  await turn()
  t.equal(state().breaker, undefined)
})

t.test('an area that works does not end the rest of the whole connection', async t => {
  const { gate, begin, state, states } = openGate()
  const rest = { since: 1, reason: 'GET /x answered 429', isAway: false }
  states.all.set(connectionId, { throttledUntil: Date.now() - 1, rest })
  const probe = begin()

  t.equal(await gate.admit(connectionId, probe, { area }), undefined)
  gate.note({ ...answered, area }, probe)
  await turn()

  t.strictSame(state().rest, rest, 'the next call probes')
})

t.test('a connection has 20 areas; further names, and what is no name, are the whole connection', async t => {
  const { gate, begin, state } = openGate()
  const callId = begin()
  for (let index = 0; index < 20; index++) gate.note({ ...maintenance, area: `area-${index}` }, callId)
  t.equal(Object.keys(state().areas ?? {}).length, 20)
  t.equal(state().rest, undefined)

  gate.note({ ...maintenance, area: 'constructor' }, callId)

  t.equal(Object.keys(state().areas ?? {}).length, 20)
  t.match(state().rest, { isAway: true })
  const other = openGate()
  other.gate.note({ ...maintenance, area: '__proto__' }, other.begin())
  t.match(other.state().rest, { isAway: true })
})

t.test('a request that one call left behind does not refuse those of the next call of its run', async t => {
  const { gate, begin } = openGate()
  const run = {}
  const declared = { ratePerSecond: 2, burst: 1 }
  const first = begin({ run, declared, deadline: Date.now() + 60_000 })
  t.equal(await gate.admit(connectionId, first), undefined)
  const left = gate.admit(connectionId, first)
  gate.end(first)

  const next = begin({ run, declared, deadline: Date.now() + 60_000 })
  t.equal(await gate.admit(connectionId, next), undefined)

  t.match(await left, { message: 'its call has ended' })
})

t.test('the first request of a nested call waits like a later one, because its job has begun', async t => {
  const { gate, begin } = openGate()
  const declared = { ratePerSecond: 0.3, burst: 1 }
  await gate.admit(connectionId, begin({ declared }))

  t.match(await gate.admit(connectionId, begin({ declared })), { retryAfterMs: Number })
  t.equal(
    await gate.admit(connectionId, begin({ declared, isNested: true, deadline: Date.now() + 60_000 })),
    undefined
  )
})

t.test('a connection test and the renewal of a token pass a rest and a full budget', async t => {
  const { gate, begin, state, seen } = openGate()
  const first = begin({ declared: scarce })
  t.equal(await gate.admit(connectionId, first), undefined)
  gate.note(throttled, first)
  await turn()
  const { throttledUntil } = state()
  t.type(throttledUntil, 'number')

  const job = begin({ declared: scarce })
  t.match(await gate.admit(connectionId, job), { message: /asked for a rest/ })
  t.equal(await gate.admit(connectionId, begin({ declared: scarce, run: undefined, isTest: true })), undefined)
  t.equal(await gate.admit(connectionId, job, { renewsToken: true }), undefined)
  t.strictSame(seen, ['rate-limit'])
})

t.test('an answer 429 to a connection test lowers no rate', async t => {
  const { gate, begin, state } = openGate()
  const testId = begin({ run: undefined, isTest: true })
  for (let count = 0; count < 20; count++) gate.note(answered, testId)
  gate.note(throttled, testId)
  await turn()

  t.match(state(), { throttledUntil: Number, learnt: undefined })
})
