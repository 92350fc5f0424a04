import t from 'tap'
import { connectionFacts, doctorFacts, jobFacts, withoutValues } from '../../../src/cli/report/facts.ts'

const canary = 'canary of a buyer'

t.test('a job loses its payload, its result and every text', async t => {
  const facts = jobFacts({
    id: 'id',
    jobType: 'shop.order.sync',
    connectionId: null,
    objectKey: canary,
    idempotencyKey: canary,
    payload: { externalId: canary },
    requestId: canary,
    status: 'dead',
    attempts: [
      { startedAt: 'a', finishedAt: 'b', error: { code: 'LNK_ADAPTER_REJECTED', message: canary } },
      { startedAt: 'c', finishedAt: 'd', error: { code: canary, message: canary } }
    ],
    result: { text: canary },
    problem: { code: 'LNK_ADAPTER_REJECTED', message: canary },
    adapter: 'shop@1.0.0',
    coalescedInto: null,
    createdAt: 'e',
    finishedAt: 'f'
  } as unknown as Parameters<typeof jobFacts>[0])

  t.notMatch(JSON.stringify(facts), /canary/)
  t.match(facts, { code: 'LNK_ADAPTER_REJECTED', attempts: [{ code: 'LNK_ADAPTER_REJECTED' }, { code: 'other' }] })
})

t.test('a connection keeps the names of its settings only', async t => {
  const facts = connectionFacts({
    id: 'id',
    platformType: 'shop',
    name: canary,
    status: 'error',
    statusReason: canary,
    config: { baseUrl: canary, [canary]: 1 },
    adapterKey: 'shop.v1',
    adapterVersion: '1.0.0',
    capabilities: ['OrderSource'],
    pauses: [{ capability: null, reason: canary, until: null, since: 'a', by: { name: canary } }],
    webhooksConfigured: true,
    createdAt: 'b',
    updatedAt: 'c'
  } as unknown as Parameters<typeof connectionFacts>[0])

  t.notMatch(JSON.stringify(facts), /canary/)
  t.match(facts, { configMembers: ['baseUrl'], pauses: [{ since: 'a' }] })
})

t.test('settings keep their names, and a finding about a connection its result', async t => {
  t.strictSame(withoutValues({ a: [canary, 1], b: { c: null, d: true } }), {
    a: ['string', 'number'],
    b: { c: 'null', d: 'boolean' }
  })
  t.strictSame(doctorFacts({ mark: 'failed', check: 'connection', message: canary }), {
    mark: 'failed',
    check: 'connection'
  })
  t.match(doctorFacts({ mark: 'ok', check: 'node', message: '24' }), { message: '24' })
})
