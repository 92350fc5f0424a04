import t from 'tap'
import type { JobRecord } from '../../../src/jobs/job.ts'
import { deliveryOfIgnored, deliveryOfJob, statusOf } from '../../../src/webhooks/deliveries/delivery.ts'
import { viewOf } from '../../../src/webhooks/deliveries/view.ts'

const nothing = {
  keptDays: 7,
  redact: (value: unknown) => value,
  replayCount: 0,
  lastReplay: undefined,
  waits: new Map()
}
const connectionId = '123e4567-e89b-12d3-a456-426614174000'
const payload = {
  schemaVersion: 1,
  externalId: '27',
  objectType: 'stock',
  eventType: 'stock.changed',
  eventId: 'a:b',
  occurredAt: '2026-01-31T11:00:00Z',
  publishedAt: '2026-01-31T11:00:01.000Z',
  requestId: 'r-1'
}
const job: JobRecord = {
  id: '5d0c2a9e-7b1f-4e0a-9c3d-8f2e6a4b1c70',
  jobType: 'shopa.inventory.syncByExternalId',
  connectionId,
  objectKey: 'a',
  idempotencyKey: `webhook:shopa:${connectionId}:a:b`,
  payload,
  requestId: 'r-1',
  status: 'dead',
  attempts: [],
  result: null,
  problem: { code: 'LNK_X', message: 'the key hunter2 is wrong' },
  adapter: null,
  coalescedInto: null,
  cancellation: null,
  dueAt: null,
  createdAt: '2026-01-31T11:00:02.000Z',
  finishedAt: '2026-01-31T11:00:03.000Z'
}

t.test('a job that a webhook started is a delivery, with its event', async t => {
  const delivery = deliveryOfJob(job)

  t.match(delivery, { id: job.id, provider: 'shopa', connectionId, eventId: 'a:b', ignored: null })
  const { schemaVersion: _version, ...event } = payload
  t.strictSame(delivery?.event, { provider: 'shopa', connectionId, ...event })
})

t.test('jobs of other occasions are none', async t => {
  for (const idempotencyKey of ['replay:x:1', 'webhook:shopa:x:y', `Xwebhook:shopa:${connectionId}:y`, 'webhook:']) {
    t.equal(deliveryOfJob({ ...job, idempotencyKey }), undefined, idempotencyKey)
  }
})

t.test('a payload of another form has no event, and its view has nulls', async t => {
  const delivery = deliveryOfJob({ ...job, payload: { externalId: 7 } })
  t.ok(delivery)
  if (delivery === undefined) return

  t.equal(delivery.event, null)
  t.match(viewOf(delivery, nothing), { eventType: null, externalId: null, acceptedAt: null, status: 'dead' })
})

t.test('a view hides what belongs to the connection, and says how long a replay is possible', async t => {
  const delivery = deliveryOfJob(job)
  t.ok(delivery)
  if (delivery === undefined) return
  const view = viewOf(delivery, {
    keptDays: 3,
    redact: value => JSON.parse(JSON.stringify(value).replaceAll('hunter2', '[redacted]')),
    waits: new Map([[job.id, { reason: 'connection-paused' as const, detail: 'its connection is paused' }]]),
    replayCount: 2,
    lastReplay: job
  })

  t.match(view, {
    problem: { message: 'the key [redacted] is wrong' },
    waitsFor: { reason: 'connection-paused' },
    replayCount: 2,
    lastReplay: {
      jobId: job.id,
      createdAt: job.createdAt,
      status: 'dead',
      problem: { message: 'the key [redacted] is wrong' },
      finishedAt: job.finishedAt
    },
    acceptedAt: payload.publishedAt,
    replayableUntil: '2026-02-03T11:00:02.000Z'
  })
})

t.test('when all texts are hidden, the problem keeps its form', async t => {
  const delivery = deliveryOfJob(job)
  t.ok(delivery)
  if (delivery === undefined) return
  const view = viewOf(delivery, {
    ...nothing,
    redact: value => typeof value === 'string' ? '[redacted]' : value === null ? null : {}
  })

  t.match(view, { problem: { code: 'LNK_X', message: '[redacted]' } })
})

t.test('an ignored event is a delivery with its reason', async t => {
  const event = { provider: 'shopa', connectionId, ...payload }
  const delivery = deliveryOfIgnored({ deliveryId: job.id, reason: 'test', event, createdAt: job.createdAt })

  t.equal(statusOf(delivery), 'ignored')
  t.match(viewOf(delivery, nothing), {
    status: 'ignored',
    ignored: 'test',
    jobId: null,
    externalId: '27',
    replayCount: 0,
    lastReplay: null
  })
})
