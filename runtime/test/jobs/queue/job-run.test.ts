import t from 'tap'
import type { ClaimedJob } from '../../../src/jobs/queue/claim.ts'
import { createRun } from '../../../src/jobs/queue/job-run.ts'

const job: ClaimedJob = {
  id: 'a',
  lane: 'state',
  claim: 0,
  jobType: 'shopa.stock.refresh',
  connectionId: '123e4567-e89b-12d3-a456-426614174000',
  payload: {},
  requestId: null,
  claimedAt: '2026-01-01 00:00:00+00',
  failures: 0,
  crashes: 0,
  isSuspect: false
}

t.test("a run knows its deadline on the hub's clock", async t => {
  const run = createRun(job, {
    deadlineMs: 60_000,
    graceMs: 1_000,
    now: () => new Date('2026-01-01T00:00:00.000Z'),
    onAbandoned: () => undefined
  })
  const outcome = await run.execute(async ({ deadline }) => ({ result: new Date(deadline).toISOString() }))

  t.equal(outcome.result, '2026-01-01T00:01:00.000Z')
})
