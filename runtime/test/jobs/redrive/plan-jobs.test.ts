import t from 'tap'
import type { LockedJob } from '../../../src/jobs/operation/store.ts'
import { planJobs, type PlanOptions, type RedriveItem } from '../../../src/jobs/redrive/plan-jobs.ts'

const diedAt = '2026-01-31 09:59:33.912345+00'
const item = (position: number, more: Partial<RedriveItem> = {}): RedriveItem => ({
  position,
  jobId: `job ${position}`,
  diedAt,
  ...more
})
const locked = (position: number, more: Partial<LockedJob> = {}): LockedJob => ({
  askedId: `job ${position}`,
  id: `job ${position}`,
  jobType: 'state.sync',
  lane: 'state',
  connectionId: null,
  objectKey: 'a',
  payload: {},
  status: 'dead',
  operationIds: [],
  diedAt,
  coalescedInto: null,
  ...more
})

function plan (items: RedriveItem[], jobs: LockedJob[], more: Partial<PlanOptions> = {}) {
  const { eligible, skipped } = planJobs(items, jobs, {
    obstacleOf: () => undefined,
    hasEffects: () => false,
    mostWithEffects: 2,
    ...more
  })
  return { eligible: eligible.map(({ position }) => position), skipped }
}

t.test('jobs that are dead as they were run again, in the order of the redrive', async t => {
  t.strictSame(plan([item(1), item(2), item(3)], [locked(3), locked(1), locked(2)]), {
    eligible: [1, 2, 3],
    skipped: []
  })
})

t.test('a job that somebody ran again is skipped, whatever became of it', async t => {
  for (const status of ['queued', 'waiting', 'running', 'succeeded', 'cancelled'] as const) {
    t.strictSame(plan([item(1)], [locked(1, { status })]).skipped, [{ position: 1, reason: 'not-dead' }], status)
  }
  const others: [string, Partial<LockedJob>][] = [
    ['it died again', { diedAt: '2026-01-31 09:59:33.912346+00' }],
    ['another job stands for it', { id: 'job 9' }],
    ['another job began to stand for it', { coalescedInto: 'job 9' }]
  ]
  for (const [what, more] of others) {
    t.strictSame(plan([item(1)], [locked(1, more)]).skipped, [{ position: 1, reason: 'not-dead' }], what)
  }
})

t.test('a job that is gone, and one that cannot run, are skipped with the reason', async t => {
  const found = plan([item(1), item(2), item(3)], [locked(2), locked(3, { jobType: 'gone' })], {
    obstacleOf: ({ jobType }) => jobType === 'gone' ? 'type-unknown' : undefined
  })
  t.strictSame(found, {
    eligible: [2],
    skipped: [{ position: 1, reason: 'job-not-found' }, { position: 3, reason: 'type-unknown' }]
  })
  const late = plan([item(1)], [locked(1, { status: 'queued' })], { obstacleOf: () => 'connection-deleted' })
  t.strictSame(late.skipped, [{ position: 1, reason: 'not-dead' }], 'its own state comes first')
})

t.test('few jobs with effects share a transaction; the others are left for the next', async t => {
  const items = [1, 2, 3, 4, 5].map(position => item(position))
  const jobs = [1, 2, 3, 4, 5].map(position => locked(position, { jobType: position === 2 ? 'plain' : 'order' }))
  t.strictSame(plan(items, jobs, { hasEffects: jobType => jobType === 'order' }), { eligible: [1, 2, 3], skipped: [] })
  t.strictSame(plan(items.slice(3), jobs, { hasEffects: jobType => jobType === 'order' }).eligible, [4, 5])
})
