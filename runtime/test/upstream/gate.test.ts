import type { HttpRequestEvent } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { createGate, type CallUnderWay } from '../../src/upstream/gate.ts'
import { isGuarded, type UpstreamState } from '../../src/upstream/state.ts'
import type { UpstreamStates } from '../../src/upstream/states.ts'

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
function createMemoryStates (): UpstreamStates & { all: Map<string, UpstreamState>, changes: number } {
  const all = new Map<string, UpstreamState>()
  const memory = {
    all,
    changes: 0,
    async change<Result> (
      id: string,
      change: (state: UpstreamState, now: number) => { state: UpstreamState, result: Result }
    ) {
      memory.changes += 1
      const { state, result } = change(all.get(id) ?? {}, Date.now())
      all.set(id, state)
      return result
    },
    guarded: () => new Map([...all].filter(([, state]) => isGuarded(state))),
    refresh: async () => undefined
  }
  return memory
}

function openGate () {
  const states = createMemoryStates()
  const seen: string[] = []
  const gate = createGate({
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

/** Sends requests that fail until the breaker opens. */
async function breakPlatform (t: Test, { gate, begin, seen }: ReturnType<typeof openGate>): Promise<void> {
  const callId = begin()
  for (let count = 0; count < 10; count++) {
    t.equal(await gate.admit(connectionId, callId), undefined)
    gate.note(failed, callId)
  }
  gate.end(callId)
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
  await new Promise(resolve => setImmediate(resolve))

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

  t.match(refused?.message, /^the platform asked for a pause until \S+:\d\dZ$/)
})

t.test('a call that is over, and one of a trial, are let through and change nothing', async t => {
  const { gate, begin, states } = openGate()
  const over = begin({ declared: scarce })
  gate.end(over)

  t.equal(await gate.admit(connectionId, over), undefined)
  t.equal(await gate.admit(connectionId, undefined), undefined)
  gate.note(failed, undefined)
  t.equal(states.changes, 0)
})

t.test('a request that waits for its place stays when the platform asks for a pause meanwhile', async t => {
  const { gate, begin } = openGate()
  const declared = { ratePerSecond: 10, burst: 1 }
  t.equal(await gate.admit(connectionId, begin({ declared })), undefined)

  const waiting = gate.admit(connectionId, begin({ declared }))
  gate.note(throttled, begin())

  t.match(await waiting, { message: /^the platform asked for a pause/ })
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
