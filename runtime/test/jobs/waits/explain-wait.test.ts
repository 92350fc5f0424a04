import t from 'tap'
import { explainWait, type Wait } from '../../../src/jobs/waits/explain-wait.ts'

const dueAt = '2026-01-01T00:00:00.000Z'
const later = '2026-01-01T01:00:00.000Z'
const due: Wait = { isDue: true, dueAt, problem: null, part: null, holds: [], ahead: null }
const shop = { name: 'Shop', status: 'active', pauses: [] } as const
const problem = (code: string) => ({ code, message: 'the reason' })

t.test('a hold of its connection comes before everything else', t => {
  const held = (reason: string, until: string | null = null): Wait => ({
    ...due,
    isDue: false,
    problem: problem('LNK_ADAPTER_TRANSIENT'),
    holds: [{ reason, until }]
  })

  t.strictSame(explainWait(held('inactive'), { ...shop, status: 'disabled' }), {
    reason: 'connection-disabled',
    detail: "its connection 'Shop' is disabled"
  })
  t.match(explainWait(held('inactive'), { ...shop, status: 'disabled', statusReason: 'sold' }), {
    detail: "its connection 'Shop' is disabled: sold"
  })
  t.strictSame(explainWait(held('inactive'), { ...shop, status: 'error', statusReason: 'key refused' }), {
    reason: 'connection-error',
    detail: "its connection 'Shop' is in error: key refused"
  })
  t.match(explainWait(held('inactive'), undefined), { detail: 'its connection is disabled' })
  t.match(explainWait(held('moving', later), shop), { reason: 'connection-moving', until: later })
  t.strictSame(explainWait(held('paused', later), shop), {
    reason: 'connection-paused',
    detail: "its connection 'Shop' is paused",
    until: later
  })
  const pauses = [{ capability: 'Orders', reason: 'recount' }, { capability: null, reason: 'moving house' }]
  t.match(explainWait(held('paused'), { ...shop, pauses }), { detail: "its connection 'Shop' is paused: moving house" })
  t.strictSame(explainWait(held('other'), undefined), {
    reason: 'connection-held',
    detail: 'its connection is held: other'
  })
  t.end()
})

t.test('of several holds the one that stands until somebody ends it is named', t => {
  const holds = [{ reason: 'moving', until: later }, { reason: 'inactive', until: null }]

  t.match(explainWait({ ...due, holds }, { ...shop, status: 'error' }), { reason: 'connection-error' })
  t.end()
})

t.test('a job that is not due says why it was put back', t => {
  const reasonFor = (code: string) => explainWait({ ...due, isDue: false, problem: problem(code) }, shop)

  t.strictSame(reasonFor('LNK_ADAPTER_RATE_LIMITED'), { reason: 'rate-limit', detail: 'the reason', until: dueAt })
  t.strictSame(reasonFor('LNK_ADAPTER_WRITE_UNDER_WAY'), { reason: 'object', detail: 'the reason', until: dueAt })
  t.match(reasonFor('LNK_PLATFORM_UNAVAILABLE'), { reason: 'unavailable', detail: 'the reason' })
  t.match(reasonFor('LNK_ADAPTER_TRANSIENT'), { reason: 'retry', detail: 'the reason', until: dueAt })
  t.match(reasonFor('LNK_ADAPTER_MISSING'), { reason: 'adapter', until: dueAt })
  t.match(reasonFor('LNK_CONNECTION_PAUSED'), { reason: 'connection-paused', detail: 'the reason', until: dueAt })
  t.match(explainWait({ ...due, isDue: false }, shop), { reason: 'delay', until: dueAt })
  t.end()
})

t.test('a job that the traffic to its platform keeps waiting names what keeps it, whatever its problem', t => {
  const reasonFor = (part: string, code: string) =>
    explainWait({ ...due, isDue: false, part, problem: problem(code) }, shop)
  const reasons = [
    ['budget', 'budget'],
    ['rate-limit', 'rate-limit'],
    ['circuit-breaker', 'circuit-breaker'],
    ['unavailable', 'unavailable'],
    ['unavailable:module', 'unavailable'],
    ['circuit-breaker:module', 'circuit-breaker']
  ] as const

  for (const [part, reason] of reasons) {
    for (const code of ['LNK_ADAPTER_RATE_LIMITED', 'LNK_ADAPTER_TRANSIENT']) {
      t.strictSame(reasonFor(part, code), { reason, detail: 'the reason', until: dueAt })
    }
  }
  t.match(reasonFor('Orders', 'LNK_CAPABILITY_PAUSED'), { reason: 'capability-paused' })
  t.match(reasonFor('Orders', 'LNK_ADAPTER_TRANSIENT'), { reason: 'retry' })
  t.match(explainWait({ ...due, part: 'budget', problem: problem('LNK_ADAPTER_RATE_LIMITED') }, shop), {
    reason: 'turn'
  })
  t.end()
})

t.test('a job that waits for a pause without an end has no time', t => {
  const wait = { ...due, isDue: false, dueAt: null, problem: problem('LNK_CAPABILITY_PAUSED') }

  t.strictSame(explainWait(wait, shop), { reason: 'capability-paused', detail: 'the reason' })
  t.end()
})

t.test('a job that is due waits for the job of its object that comes first, or for its turn', t => {
  const ahead = { id: 'a', jobType: 'x.y', isRunning: true, dueAt: null }

  t.strictSame(explainWait({ ...due, ahead }, shop), {
    reason: 'object',
    detail: 'job a (x.y) of the same object runs'
  })
  t.strictSame(explainWait({ ...due, ahead: { ...ahead, isRunning: false, dueAt: later } }, shop), {
    reason: 'object',
    detail: 'job a (x.y) of the same object comes first',
    until: later
  })
  t.match(explainWait({ ...due, problem: problem('LNK_ADAPTER_TRANSIENT') }, shop), { reason: 'turn' })
  t.end()
})
