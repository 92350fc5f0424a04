import t from 'tap'
import { describeAwaited } from '../../src/cli/describe-awaited.ts'

const job = { jobId: 'j1', jobType: 'master.order.create', connectionId: 'c1', status: 'waiting' } as const

t.test('the line names the job, its status, the reason and the end of the wait', async t => {
  t.equal(
    describeAwaited({ ...job, reason: 'retry', detail: 'the shop is down', until: '2026-01-31T10:05:00.000Z' }),
    'waits for job j1 (master.order.create), which is waiting: the shop is down, until 2026-01-31T10:05:00.000Z'
  )
  t.equal(
    describeAwaited({ ...job, status: 'running', reason: null, detail: 'it runs now' }),
    'waits for job j1 (master.order.create), which is running: it runs now'
  )
})
