import { RejectedError, TransientError } from '@linker/sdk'
import t from 'tap'
import type { UpstreamCall } from '../../../src/jobs/job.ts'
import type { Tracing } from '../../../src/jobs/queue/call-trail.ts'
import type { JobHandler } from '../../../src/jobs/running-job.ts'
import { listJobs } from '../../../src/jobs/store.ts'
import { attempted, commandJob, ended, enqueueOne, kinds, openJobsFor, read, stateJob } from '../support.ts'

const answered: UpstreamCall = { at: '2026-01-01T00:00:00.000Z', method: 'GET', path: '/a', status: 200, ms: 3 }
const refused: UpstreamCall = { ...answered, path: '/b', status: null, error: 'ECONNREFUSED' }

for (const kind of kinds(t)) {
  t.test(`the requests of an attempt, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)

    /** Runs a job that sends both requests and then ends as its payload says. */
    const handler: JobHandler = async ({ payload: { object }, noteCall }) => {
      if (object === 'quiet') return {}
      noteCall?.(answered)
      noteCall?.(refused)
      if (object === 'dies') throw new RejectedError('no')
      if (object === 'fails') throw new TransientError('not now')
      return object === 'refused effects'
        ? { effects: () => Promise.reject(new RejectedError('the effects are refused')) }
        : {}
    }

    async function run (object: string, tracing?: Tracing) {
      jobs.startWorker(handler, tracing === undefined ? {} : { tracing })
      const id = await enqueueOne(jobs, stateJob(object))
      const record = object === 'fails' ? await attempted(jobs, id, 1) : (await ended(jobs, [id]))[0]
      return { id, attempt: record?.attempts[0] }
    }

    t.test('are stored with its end, whatever that is', async t => {
      for (const object of ['works', 'dies', 'fails', 'refused effects']) {
        const { attempt } = await run(object, 'all')
        t.strictSame(attempt?.calls, [answered, refused], object)
        t.notOk(attempt !== undefined && 'callsLeftOut' in attempt)
      }
    })

    t.test('leave no member when there were none', async t => {
      const { attempt } = await run('quiet', 'all')
      t.strictSame(Object.keys(attempt ?? {}).toSorted(), ['finishedAt', 'startedAt'])
    })

    t.test('are kept of failures alone, or not at all', async t => {
      t.notOk((await run('works', 'failures')).attempt?.calls)
      t.equal((await run('dies', 'failures')).attempt?.calls?.length, 2)
      await jobs.clear()
      t.notOk((await run('dies', 'off')).attempt?.calls)
      await jobs.clear()
      t.notOk((await run('dies')).attempt?.calls)
    })

    t.test('are not in the list of jobs', async t => {
      const { id } = await run('dies', 'all')
      const [listed] = await listJobs(jobs.database.query, { limit: 1 })

      t.equal(listed?.id, id)
      t.strictSame(Object.keys(listed?.attempts[0] ?? {}).toSorted(), ['error', 'finishedAt', 'startedAt'])
    })

    t.test('stay with the attempt when the job runs again', async t => {
      jobs.startWorker(async ({ noteCall }) => {
        noteCall?.(answered)
        throw new TransientError('not now')
      }, { tracing: 'all' })
      const id = await enqueueOne(jobs, commandJob('c'))
      await attempted(jobs, id, 1)
      await jobs.makeDue()
      await attempted(jobs, id, 2)

      t.match((await read(jobs, id)).attempts, [{ calls: [answered] }, { calls: [answered] }])
    })
  })
}
