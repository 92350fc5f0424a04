import { TransientError } from '@linker/sdk'
import t from 'tap'
import type { Query } from '../../src/database/database.ts'
import { holdFor } from '../../src/jobs/holds/store.ts'
import { createShow } from '../../src/jobs/show-jobs.ts'
import { getJob, listJobs } from '../../src/jobs/store.ts'
import { attempted, commandJob, createGate, ended, enqueueOne, kinds, openJobsFor, stateJob } from './support.ts'

for (const kind of kinds(t)) {
  t.test(`a job on its way out, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database
    let reads = 0
    const counting: Query = (text, values) => {
      reads += 1
      return query(text, values)
    }
    const show = createShow({
      query: counting,
      redactorsOf: async () => () => value => typeof value === 'string' ? value.replaceAll('secret', '…') : value,
      connectionStates: async ids => {
        reads += 1
        return ids.map(id => ({ id, name: 'My secret shop', status: 'disabled' as const, pauses: [] }))
      }
    })

    async function waitOf (id: string) {
      const record = await getJob(query, id)
      const [shown] = record === undefined ? [] : await show([record])
      return { status: shown?.status, dueAt: shown?.dueAt, ...shown?.waitsFor }
    }

    t.test('says why it waits', async t => {
      const held = await jobs.addConnection('disabled')
      const moving = await jobs.addConnection()
      await holdFor(query, moving, 'moving', 600_000)
      const gate = createGate()
      jobs.startWorker(async job => {
        if (job.payload.object === 'fails') throw new TransientError('the platform is away')
        return gate.handler(job)
      }, { concurrency: 1 })
      const fails = await enqueueOne(jobs, stateJob('fails'))
      await attempted(jobs, fails, 1)
      await query("update jobs set due_at = now() + interval '1 hour' where id = $1", [fails])
      const runs = await enqueueOne(jobs, stateJob('runs'))
      await gate.reached(1)
      const [behind, merged] = [await enqueueOne(jobs, stateJob('runs')), await enqueueOne(jobs, stateJob('runs'))]
      const first = await enqueueOne(jobs, commandJob('c'))
      const second = await enqueueOne(jobs, commandJob('c'))
      const ofHeld = await enqueueOne(jobs, stateJob('a', { connectionId: held }))
      const ofMoving = await enqueueOne(jobs, stateJob('a', { connectionId: moving }))
      const delayed = await enqueueOne(jobs, stateJob('d', { delayMs: 600_000 }))

      t.match(await waitOf(runs), { status: 'running', dueAt: null, reason: undefined })
      t.match(await waitOf(fails), { status: 'waiting', reason: 'retry', detail: 'the platform is away', until: /Z$/ })
      t.match(await waitOf(behind), { status: 'queued', reason: 'object', detail: new RegExp(`${runs}.*runs$`) })
      t.match(await waitOf(merged), { reason: 'object', detail: new RegExp(runs) })
      t.match(await waitOf(first), { status: 'queued', dueAt: /Z$/, reason: 'turn' })
      t.match(await waitOf(second), { reason: 'object', detail: new RegExp(`${first}.*comes first$`) })
      t.match(await waitOf(ofHeld), { reason: 'connection-disabled', detail: "its connection 'My … shop' is disabled" })
      t.match(await waitOf(ofMoving), { reason: 'connection-moving', until: /Z$/ })
      t.match(await waitOf(delayed), { reason: 'delay', until: /Z$/ })
      gate.open()
      await ended(jobs, [runs])
      t.match(await waitOf(runs), { status: 'succeeded', dueAt: null, reason: undefined })
    })

    t.test('shows the paths of its requests without secrets', async t => {
      const call = { at: '2026-01-01T00:00:00.000Z', method: 'GET', path: '/of/secret/x', status: null, ms: 1 }
      jobs.startWorker(async ({ noteCall }) => {
        noteCall?.(call)
        return {}
      }, { tracing: 'all' })
      const id = await enqueueOne(jobs, stateJob('traced'))
      const [record] = await ended(jobs, [id])
      const [shown] = await show(record === undefined ? [] : [record])

      t.strictSame(record?.attempts[0]?.calls, [call])
      t.strictSame(shown?.attempts[0]?.calls, [{ ...call, path: '/of/…/x' }])
    })

    t.test('a page of many costs as many statements as one of a few', async t => {
      const connectionId = await jobs.addConnection('disabled')
      await jobs.enqueueJobs(Array.from({ length: 60 }, (_, index) => stateJob(`o${index}`, { connectionId })))
      reads = 0
      const shown = await show(await listJobs(query, { limit: 200 }))
      const ofMany = reads
      reads = 0
      await show(await listJobs(query, { limit: 1 }))

      t.ok(shown.length === 60 && shown.every(({ waitsFor }) => waitsFor !== null))
      t.equal(ofMany, reads)
      t.equal(reads, 2)
    })
  })
}
