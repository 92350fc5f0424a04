import { randomUUID } from 'node:crypto'
import t from 'tap'
import { getJob, listJobs, waitForJob } from '../../src/jobs/ledger.ts'
import { removeOldJobs } from '../../src/jobs/retention.ts'
import { vacuumJobs } from '../../src/jobs/vacuum.ts'
import {
  commandJob,
  createGate,
  ended,
  enqueueOne,
  kinds,
  openJobsFor,
  openOwnJobs,
  read,
  stateJob
} from './support.ts'

for (const kind of kinds(t)) {
  t.test(`the ledger, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    async function idsOf (filter: Omit<Parameters<typeof listJobs>[1], 'limit'>): Promise<string[]> {
      return (await listJobs(query, { limit: 50, ...filter })).map(({ id }) => id)
    }

    t.test('a job that does not exist is undefined', async t => {
      t.equal(await getJob(query, randomUUID()), undefined)
      t.equal(await waitForJob(query, randomUUID(), 1_000, new AbortController().signal), undefined)
    })

    t.test('jobs are found by each of their properties', async t => {
      const [connectionId, disabled] = [await jobs.addConnection(), await jobs.addConnection('disabled')]
      const gate = createGate()
      jobs.startWorker(async job => {
        if (job.payload.object === 'dies') throw Object.assign(new Error('no'), { code: 'LNK_ADAPTER_REJECTED' })
        return job.payload.object === 'runs' ? gate.handler(job) : {}
      }, { concurrency: 3 })
      const done = await enqueueOne(jobs, commandJob('done', { connectionId, requestId: 'request 1' }))
      await ended(jobs, [done])
      const dies = await enqueueOne(jobs, stateJob('dies', { requestId: 'request 2' }))
      await ended(jobs, [dies])
      const running = await enqueueOne(jobs, stateJob('runs'))
      await gate.reached(1)
      const queued = await enqueueOne(jobs, stateJob('runs', { jobType: 'state.sync' }))
      const coalesced = await enqueueOne(jobs, stateJob('runs'))
      const waiting = await enqueueOne(jobs, stateJob('waits', { connectionId: disabled }))

      t.strictSame(await idsOf({ connectionId }), [done])
      t.strictSame(await idsOf({ jobType: 'command.run' }), [done])
      t.strictSame(await idsOf({ requestId: 'request 2' }), [dies])
      t.strictSame(await idsOf({ status: 'succeeded' }), [done])
      t.strictSame(await idsOf({ status: 'dead' }), [dies])
      t.strictSame(await idsOf({ status: 'running' }), [running])
      t.strictSame(await idsOf({ status: 'queued' }), [queued])
      t.strictSame(await idsOf({ status: 'waiting' }), [waiting])
      t.strictSame(await idsOf({ status: 'cancelled' }), [])
      t.strictSame((await idsOf({})).toSorted(), [done, dies, running, queued, coalesced, waiting].toSorted())
      t.strictSame(await idsOf({ since: '2999-01-01T00:00:00Z' }), [])
      t.equal((await idsOf({ since: '2000-01-01T00:00:00Z' })).length, 6)
      gate.open()
    })

    t.test('pages join without a gap or a repeat, jobs of one millisecond included', async t => {
      for (const count of [7, 1, 12]) {
        await jobs.enqueueJobs(Array.from({ length: count }, () => stateJob(randomUUID())))
      }

      const pages: string[][] = []
      let after: { createdAt: string, id: string } | undefined
      do {
        const page = await listJobs(query, { limit: 6, ...(after === undefined ? {} : { after }) })
        pages.push(page.map(({ id }) => id))
        after = page.at(-1)
      } while (after !== undefined)

      t.strictSame(pages.map(({ length }) => length), [6, 6, 6, 2, 0])
      t.strictSame(pages.flat(), await idsOf({}))
      t.equal(new Set(pages.flat()).size, 20)
    })

    t.test('waiting answers when the job ends, and as it is when the time is over or the caller has gone', async t => {
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

    t.test('retention removes what ended 7 days ago and what died 30 days ago, and nothing that is alive', async t => {
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
      t.strictSame((await idsOf({})).toSorted(), kept.toSorted())
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

    t.test('a job that was coalesced goes when the one goes that stood for it', async t => {
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

// A server vacuums by itself.
t.test('dead rows of an embedded ledger are vacuumed once there are many', async t => {
  const { database: { query } } = await openOwnJobs(t, 'embedded')

  /** PostgreSQL counts dead rows a moment after they died. */
  async function countDead (): Promise<number> {
    const [row] = await query<
      { dead: string }
    >("select n_dead_tup as dead from pg_stat_user_tables where relname = 'jobs'")
    return Number(row?.dead)
  }

  const before = await vacuumJobs(query)
  await query(`
    insert into jobs (id, job_type, lane, object_key, idempotency_key, payload)
    select gen_random_uuid(), 'state.sync', 'state', number::text, number::text, '{}'
    from generate_series(1, 6000) as number`)
  await query('delete from jobs')
  while (await countDead() < 6_000) {
    await new Promise(resolve => {
      setTimeout(resolve, 20)
    })
  }

  t.equal(before, false)
  t.equal(await vacuumJobs(query), true)
})
