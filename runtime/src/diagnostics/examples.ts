import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const { shop, job } = exampleIds
const jobType = 'myshop.price.syncByExternalId'
const detail = 'The platform answered 401 at 2026-01-31T10:00:01.250Z.'
const run = { jobId: job, jobType, at: '2026-01-31T10:00:01.250Z' }

const diagnostics = {
  connection: {
    id: shop,
    name: 'My shop',
    platformType: 'myshop',
    adapterKey: 'myshop.api.v1',
    adapterVersion: '1.4.0',
    status: 'error',
    statusReason: 'the platform refuses the credentials'
  },
  checkedAt: '2026-01-31T10:08:00.000Z',
  verdict: "The platform refuses the credentials of 'My shop'.",
  findings: [{
    code: 'connection-error',
    severity: 'blocking',
    direction: 'both',
    title: 'The platform refuses the credentials',
    detail,
    since: run.at,
    evidence: { jobId: job },
    nextAction: 'Give new ones: `linker connections credentials "My shop"`.'
  }],
  adapter: { state: 'ready', isolation: 'worker', message: null },
  pauses: [],
  upstream: null,
  arriving: { lastWebhookAt: '2026-01-31T10:00:00.000Z', lastPollAt: null, lastSuccess: null, lastFailure: null },
  leaving: {
    lastSuccess: null,
    lastFailure: { ...run, problem: { code: 'LNK_ADAPTER_AUTHENTICATION', message: 'the platform answered 401' } }
  },
  waiting: [{
    reason: 'connection-error',
    detail: 'its connection is in error',
    jobType,
    code: 'LNK_ADAPTER_AUTHENTICATION',
    count: 3,
    oldestAt: run.at,
    sampleJobId: job
  }],
  dead: [],
  atMost: { runs: false, waiting: false, dead: false },
  cursors: [{ cursorKey: 'orders', updatedAt: '2026-01-31T09:58:00.000Z', ageSeconds: 600 }],
  webhooks: null,
  schedules: []
}

export const diagnosticsExamples: Examples = { bodies: {}, answers: { Diagnostics: diagnostics } }
