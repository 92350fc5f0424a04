import t from 'tap'
import { missingStandIns, stepsOf } from '../../console/rules/trace.ts'

type Job = Parameters<typeof stepsOf>[0]['jobs'][number]

const at = (ms: number): string => new Date(Date.parse('2026-01-31T10:00:00.000Z') + ms).toISOString()

const sync: Job = {
  id: 'a',
  jobType: 'master.inventory.sync',
  connectionId: 'c',
  objectKey: 'o',
  idempotencyKey: 'webhook:shopa:c:e',
  payload: {},
  requestId: 'r',
  status: 'succeeded',
  attempts: [
    {
      startedAt: at(20),
      finishedAt: at(30),
      error: { code: 'LNK_UPSTREAM_UNREACHABLE', message: 'no answer' },
      calls: [{ at: at(21), method: 'GET', path: '/stock', status: null, ms: 8, error: 'ECONNRESET' }]
    },
    { startedAt: at(1_000), finishedAt: at(1_040), calls: [] }
  ],
  result: null,
  problem: null,
  adapter: null,
  coalescedInto: null,
  cancellation: null,
  dueAt: null,
  waitsFor: null,
  createdAt: at(10),
  finishedAt: at(1_040)
}
const write: Job = {
  ...sync,
  id: 'b',
  jobType: 'offer.update',
  idempotencyKey: 'k',
  createdAt: at(1_041),
  attempts: []
}
const delivery = { id: 'a', eventType: 'stock.changed', externalId: '27', acceptedAt: at(0), createdAt: at(10) }

t.test('delivery, event, jobs, attempts and requests stand in the order of time', async t => {
  const steps = stepsOf({ requestId: 'r', jobs: [write, sync], standIns: [], deliveries: [delivery], nowMs: 0 })

  t.strictSame(steps.map(({ kind, depth, title }) => [kind, depth, title]), [
    ['delivery', 0, 'Delivery accepted'],
    ['event', 0, 'Event became a job'],
    ['job', 0, 'master.inventory.sync'],
    ['attempt', 1, 'Attempt 1'],
    ['call', 2, 'GET /stock'],
    ['attempt', 1, 'Attempt 2'],
    ['job', 0, 'offer.update']
  ])
  t.match(steps[4], {
    state: { name: 'ECONNRESET', tone: 'bad' },
    fromMs: Date.parse(at(21)),
    toMs: Date.parse(at(29))
  })
  t.match(steps[3], { state: { name: 'failed' }, detail: 'LNK_UPSTREAM_UNREACHABLE: no answer' })
})

t.test('a coalesced job leads to its stand-in, which has the attempts', async t => {
  const merged = { ...sync, coalescedInto: 's' }
  const standIn = { ...sync, id: 's', requestId: 'other', createdAt: at(-5) }
  const steps = stepsOf({ requestId: 'r', jobs: [merged], standIns: [standIn], deliveries: [], nowMs: 0 })

  t.strictSame(missingStandIns([merged, { ...merged, id: 'b' }]), ['s'])
  t.strictSame(missingStandIns([merged, standIn]), [])
  t.strictSame(steps.filter(({ kind }) => kind === 'attempt').length, 2)
  t.match(steps[0], { key: 'job s', detail: 'of another request' })
  t.match(steps.at(-1), { key: 'job a', state: { name: 'coalesced' }, mergedInto: 's', toMs: undefined })
})

t.test('a job that has not ended lasts until now', async t => {
  const waitsFor = { reason: 'budget' as const, detail: 'the quota is used up' }
  const [step] = stepsOf({
    requestId: 'r',
    jobs: [{ ...write, status: 'waiting', waitsFor, finishedAt: null }],
    standIns: [],
    deliveries: [],
    nowMs: Date.parse(at(5_000))
  })

  t.match(step, { toMs: Date.parse(at(5_000)), detail: 'budget: the quota is used up' })
})
