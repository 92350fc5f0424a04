import t from 'tap'
import { HubError } from '../../../src/cli/hub-client.ts'
import {
  attentionFacts,
  connectionFacts,
  doctorFacts,
  failureFacts,
  jobFacts,
  systemFacts,
  withoutValues
} from '../../../src/cli/report/facts.ts'

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
    cancellation: { requestedAt: 'g', by: canary, reason: canary },
    createdAt: 'e',
    dueAt: null,
    finishedAt: 'f',
    waitsFor: { reason: 'retry', detail: canary }
  })

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
    settings: {},
    credentialsRef: canary,
    adapterKey: 'shop.v1',
    adapterVersion: '1.0.0',
    capabilities: ['OrderSource'],
    account: null,
    ordersSince: null,
    pauses: [{
      capability: null,
      reason: canary,
      until: null,
      since: 'a',
      by: { kind: 'token', name: canary, tokenId: canary }
    }],
    webhooksConfigured: true,
    createdAt: 'b',
    updatedAt: 'c',
    warnings: [{ pointer: canary, code: canary, message: canary }]
  })

  t.notMatch(JSON.stringify(facts), /canary/)
  t.match(facts, { configMembers: ['baseUrl'], pauses: [{ since: 'a' }] })
})

t.test('settings keep their names only', async t => {
  t.strictSame(withoutValues({ a: [canary, 1], b: { c: null, d: true } }), {
    a: ['string', 'number'],
    b: { c: 'null', d: 'boolean' }
  })
})

t.test('a finding keeps its texts only if they are those of the doctor', async t => {
  t.match(doctorFacts({ mark: 'ok', check: 'node', message: '24' }), { message: '24' })
  for (const check of ['attention', 'configuration', 'connection', 'database', 'hub', 'redis', 'token', 'new']) {
    t.strictSame(doctorFacts({ mark: 'warning', check, message: canary, remedy: canary }), { mark: 'warning', check })
  }
  t.strictSame(doctorFacts({ mark: 'failed', check: 'adapter', message: canary }), { mark: 'failed', check: 'adapter' })
})

t.test('what needs a person keeps its kind, and what runs loses addresses and names of machines', async t => {
  const item = {
    key: canary,
    kind: 'breaker-open',
    severity: 'error',
    since: null,
    count: 2,
    connectionName: canary,
    title: canary,
    detail: canary,
    code: canary,
    target: canary
  } as const
  t.strictSame(attentionFacts([item]), [
    { kind: 'breaker-open', severity: 'error', since: null, count: 2, code: 'other' }
  ])

  const facts = systemFacts({
    version: '1.0.0',
    node: 'v24.0.0',
    mode: 'embedded',
    role: 'all',
    configurationFile: canary,
    dataDirectory: canary,
    freeBytes: 41_234_000_000,
    publicUrl: canary,
    credentialKeys: [canary],
    encryption: true,
    isProduction: false,
    console: true,
    processes: [{
      id: 'id',
      role: 'all',
      mode: 'full',
      version: '1.0.0',
      host: canary,
      pid: 1,
      startedAt: 'a',
      seenAt: 'b',
      answers: true
    }],
    adapters: [{ adapter: 'shop@1.0.0', state: 'ready' }],
    start: [],
    logLevel: { level: 'info', usual: 'info', until: null },
    retention: {
      webhookDays: 7,
      finishedJobDays: 14,
      deadJobDays: 30,
      auditDays: 400,
      personalDataDays: null,
      batchDays: null,
      orderDays: null,
      figureMinuteHours: 48,
      figureDays: 90,
      streamBytes: 1
    }
  })
  t.notMatch(JSON.stringify(facts), /canary/)
  t.match(facts, { version: '1.0.0', processes: [{ role: 'all' }], adapters: [{ state: 'ready' }] })
})

t.test('a part that failed has a code and no text', async t => {
  const problem = { code: 'LNK_NOT_FOUND', detail: canary }
  t.strictSame(failureFacts(new HubError(canary, { problem })), { failed: 'LNK_NOT_FOUND' })
  t.strictSame(failureFacts(new HubError(canary, { notAsked: 'unreachable' })), { failed: 'unreachable' })
  t.strictSame(failureFacts(Object.assign(new Error(canary), { code: 'ENOENT' })), { failed: 'ENOENT' })
  t.strictSame(failureFacts(canary), { failed: 'other' })
})
