import t from 'tap'
import { removeOldJobs } from '../../src/jobs/retention.ts'
import { getJob, listJobs } from '../../src/jobs/store.ts'
import { ended, enqueueOne, kinds, openJobsFor, read, stateJob } from './support.ts'

for (const kind of kinds(t)) {
  t.test(`retention, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    t.test('retention removes jobs that ended 7 days ago or died 30 days ago, and no live job', async t => {
      jobs.startWorker(async job => {
        if (job.payload.object === 'dead') throw Object.assign(new Error('no'), { code: 'LNK_ADAPTER_REJECTED' })
        return {}
      })
      async function makeOld (object: string, days: number): Promise<string> {
        const id = await enqueueOne(jobs, stateJob(object))
        await ended(jobs, [id])
        await query(
          "update jobs set created_at = created_at - $2 * interval '1 day', finished_at = finished_at - $2 * " +
            "interval '1 day', died_at = died_at - $2 * interval '1 day' where id = $1",
          [id, days]
        )
        return id
      }
      const kept = [await makeOld('done', 6), await makeOld('dead', 29)]
      const removed = [await makeOld('done', 8), await makeOld('dead', 31), await makeOld('done', 400)]
      const disabled = await jobs.addConnection('disabled')
      kept
        .push(...(await jobs.enqueueJobs([
          stateJob('alive', { connectionId: disabled }),
          stateJob('alive', { connectionId: disabled })
        ])).map(({ id }) => id))
      await query("update jobs set created_at = created_at - interval '90 days' where connection_id = $1", [disabled])

      const count = await removeOldJobs(query, { finishedDays: 7, deadDays: 30 })

      t.equal(count, removed.length)
      t.strictSame((await listJobs(query, { limit: 50 })).map(({ id }) => id).toSorted(), kept.toSorted())
    })

    t.test('retention walks through more than one step', async t => {
      await query('insert into jobs (id, job_type, lane, object_key, idempotency_key, payload, outcome, created_at, ' +
        "finished_at, died_at) select gen_random_uuid(), 'x', 'state', '', '', '{}', 'dead', now() - interval '20 " +
        "days', now() - interval '20 days', now() - interval '20 days' from generate_series(1, 1500)")
      await query('insert into jobs (id, job_type, lane, object_key, idempotency_key, payload, outcome, created_at, ' +
        "finished_at) select gen_random_uuid(), 'x', 'state', '', '', '{}', 'succeeded', now() - interval '10 " +
        "days', now() - interval '10 days' from generate_series(1, 2500)")

      t.equal(await removeOldJobs(query, { finishedDays: 7, deadDays: 30 }), 2_500)
      t.strictSame(await query('select count(*)::int as left from jobs'), [{ left: 1_500 }])
    })

    t.test('a coalesced job is removed together with the job that stood for it', async t => {
      const first = await enqueueOne(jobs, stateJob('a'))
      const second = await enqueueOne(jobs, stateJob('a'))
      jobs.startWorker(async () => ({}))
      await ended(jobs, [first])
      await query("update jobs set created_at = created_at - interval '10 days'")

      t.equal(await removeOldJobs(query, { finishedDays: 7, deadDays: 30 }), 0)
      t.equal((await read(jobs, second)).status, 'succeeded')
      await query("update jobs set finished_at = finished_at - interval '10 days'")
      t.equal(await removeOldJobs(query, { finishedDays: 7, deadDays: 30 }), 1)
      t.equal(await removeOldJobs(query, { finishedDays: 7, deadDays: 30 }), 1)
      t.equal(await getJob(query, second), undefined)
    })
  })
}
