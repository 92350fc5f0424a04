import { randomUUID } from 'node:crypto'
import t from 'tap'
import { waitForJob } from '../../src/jobs/wait-for-job.ts'
import { createGate, enqueueOne, kinds, openJobsFor, stateJob } from './support.ts'

for (const kind of kinds(t)) {
  t.test(`waiting for a job, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    t.test('a job that does not exist is undefined at once', async t => {
      t.equal(await waitForJob(query, randomUUID(), 600_000, new AbortController().signal), undefined)
    })

    t.test('the wait ends with the job, or with its present state when time or caller are gone', async t => {
      const gate = createGate({ result: 1 })
      jobs.startWorker(gate.handler)
      const id = await enqueueOne(jobs, stateJob('a'))
      await gate.reached(1)
      const gone = new AbortController()

      const waits = [
        waitForJob(query, id, 600_000, new AbortController().signal),
        waitForJob(query, id, 600_000, gone.signal)
      ] as const
      t.match(await waitForJob(query, id, 30, new AbortController().signal), { status: 'running' })
      gone.abort()
      t.match(await waits[1], { status: 'running' })
      gate.open()
      t.match(await waits[0], { status: 'succeeded', result: 1 })
    })
  })
}
