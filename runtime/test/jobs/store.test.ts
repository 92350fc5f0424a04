import { TransientError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { findKnown, getJob, listJobs, readEnded, readFigures } from '../../src/jobs/store.ts'
import { attempted, commandJob, createGate, ended, enqueueOne, kinds, openJobsFor, read, stateJob } from './support.ts'

for (const kind of kinds(t)) {
  t.test(`the ledger, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    async function idsOf (filter: Omit<Parameters<typeof listJobs>[1], 'limit'>): Promise<string[]> {
      return (await listJobs(query, { limit: 50, ...filter })).map(({ id }) => id)
    }

    t.test('a job that does not exist is undefined', async t => {
      t.equal(await getJob(query, randomUUID()), undefined)
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
      t.strictSame(await idsOf({ code: 'LNK_ADAPTER_REJECTED' }), [dies])
      t.strictSame(await idsOf({ code: 'LNK_ADAPTER_REJECTED', status: 'waiting' }), [])
      t.strictSame(await idsOf({ code: 'LNK_JOB_CANCELLED' }), [])
      t.strictSame(await idsOf({ until: '2000-01-01T00:00:00Z' }), [])
      t.equal((await idsOf({ until: '2999-01-01T00:00:00Z' })).length, 6)
      t.strictSame(await idsOf({ since: '2999-01-01T00:00:00Z' }), [])
      t.equal((await idsOf({ since: '2000-01-01T00:00:00Z' })).length, 6)
      gate.open()
    })

    t.test('the jobs of some objects are found in every state', async t => {
      const held = await jobs.addConnection('disabled')
      const gate = createGate()
      jobs.startWorker(async job => {
        if (job.payload.step === 'put back') throw new TransientError('later')
        return job.payload.step === 'runs' ? gate.handler(job) : {}
      }, { concurrency: 3 })
      const done = await enqueueOne(jobs, stateJob('a', { connectionId: null }))
      await ended(jobs, [done])
      const runs = await enqueueOne(jobs, stateJob('a', { payload: { object: 'a', step: 'runs' } }))
      await gate.reached(1)
      const queued = await enqueueOne(jobs, stateJob('a'))
      const merged = await enqueueOne(jobs, stateJob('a'))
      const putBack = await enqueueOne(jobs, commandJob('b', { payload: { object: 'b', step: 'put back' } }))
      await attempted(jobs, putBack, 1)
      const command = await enqueueOne(jobs, commandJob('b'))
      await enqueueOne(jobs, commandJob('b', { connectionId: held }))
      const keyOf = async (id: string): Promise<string> => (await read(jobs, id)).objectKey
      const keys = [await keyOf(done), await keyOf(command)]

      t.strictSame(
        (await idsOf({ objectKeys: keys })).toSorted(),
        [done, runs, queued, merged, putBack, command]
          .toSorted()
      )
      t.strictSame((await idsOf({ objectKeys: [keys[1] ?? ''] })).toSorted(), [putBack, command].toSorted())
      t.strictSame(await idsOf({ objectKeys: keys, status: 'running' }), [runs])
      t.strictSame(await idsOf({ objectKeys: [] }), [])
      t.strictSame(await idsOf({ code: 'LNK_ADAPTER_TRANSIENT' }), [putBack])
      gate.open()
    })

    t.test('a job that became due after the reading began is queued', async t => {
      const id = await enqueueOne(jobs, stateJob('fresh'))

      await jobs.database.transaction(async ({ query }) => {
        await query('update jobs set due_at = clock_timestamp() where id = $1', [id])

        t.match(await getJob(query, id), { status: 'queued' })
        t.match(await listJobs(query, { status: 'queued', limit: 5 }), [{ id }])
        t.strictSame(await listJobs(query, { status: 'waiting', limit: 5 }), [])
        t.match(await readFigures(query), { queued: 1, waiting: 0 })
      })
    })

    t.test('a live job is known without an outcome, and an ended job with its outcome', async t => {
      jobs.startWorker(async job => {
        if (job.payload.object === 'dies') throw Object.assign(new Error('no'), { code: 'LNK_ADAPTER_REJECTED' })
        return {}
      })
      const done = await enqueueOne(jobs, commandJob('done'))
      const dies = await enqueueOne(jobs, commandJob('dies'))
      await ended(jobs, [done, dies])
      const waits = await enqueueOne(jobs, commandJob('waits', { connectionId: await jobs.addConnection('disabled') }))
      const asked = [done, dies, waits, randomUUID()]

      t.strictSame(await findKnown(query, asked), new Set([done, dies, waits]))
      t.strictSame(await readEnded(query, asked), new Map([[done, 'succeeded'], [dies, 'dead']]))
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
  })
}
