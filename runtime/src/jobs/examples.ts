import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const { shop, token, request, job, anotherJob } = exampleIds
const jobType = 'myshop.price.syncByExternalId'
const code = 'LNK_ADAPTER_TRANSIENT'
const problem = { code, message: 'the shop answered 503' }
const createdAt = '2026-01-31T10:00:00.000Z'
const redriveId = '0198c3b5-ee62-7f73-8284-9fa0b1c2d3e4'

const dead = {
  id: job,
  jobType,
  connectionId: shop,
  objectKey: `${shop}:price:27`,
  idempotencyKey: `webhook:${shop}:evt-184467`,
  payload: { externalId: '27' },
  requestId: request,
  status: 'dead',
  attempts: [{
    startedAt: '2026-01-31T10:00:01.000Z',
    finishedAt: '2026-01-31T10:00:01.250Z',
    error: problem,
    calls: [{ at: '2026-01-31T10:00:01.020Z', method: 'GET', path: '/api/products/27', status: 503, ms: 214 }]
  }],
  result: null,
  problem,
  adapter: 'myshop.api.v1@1.4.0',
  coalescedInto: null,
  cancellation: null,
  dueAt: null,
  waitsFor: null,
  createdAt,
  finishedAt: '2026-01-31T10:00:01.250Z'
}

const group = { connectionId: shop, jobType, code, count: 12, firstAt: createdAt, lastAt: '2026-01-31T10:20:00.000Z' }

const redrive = {
  id: redriveId,
  state: 'waiting',
  detail: 'the first job succeeded; 11 jobs wait until somebody continues or stops it',
  filter: { connectionId: shop, code },
  first: 1,
  perMinute: 60,
  total: 12,
  retried: 1,
  succeeded: 1,
  deadAgain: 0,
  cancelled: 0,
  inProgress: 0,
  skipped: [],
  remaining: 11,
  deaths: [],
  atMost: false,
  startedAt: '2026-01-31T10:30:00.000Z',
  startedBy: { kind: 'token', name: 'ada', tokenId: token },
  endedAt: null
}

export const jobExamples: Examples = {
  bodies: {
    retryJobs: { filter: { connectionId: shop, code }, first: 1, perMinute: 60 },
    cancelJob: { reason: 'the product was removed' },
    cancelDeadJobs: { filter: { connectionId: shop, code }, dryRun: true, reason: 'the products were removed' }
  },
  answers: {
    Job: dead,
    JobGroups: { groups: [{ ...group, sampleJobId: job, reason: null }], atMost: false },
    RedrivePlan: {
      matched: 12,
      eligible: 11,
      skipped: [{ reason: 'connection-disabled', count: 1 }],
      byGroup: [{ connectionId: shop, connectionName: 'My shop', jobType, code, count: 11 }],
      sample: [{ ...dead, id: anotherJob }],
      atMost: false
    },
    CancelDeadResult: {
      matched: 12,
      cancelled: 12,
      skipped: [],
      byGroup: [{ connectionId: shop, connectionName: 'My shop', jobType, code, count: 12 }],
      sample: [{ ...dead, id: anotherJob }],
      atMost: false
    },
    RedriveStarted: { id: redriveId, redriveId, state: 'running', total: 12, atMost: false },
    Redrive: redrive
  }
}
