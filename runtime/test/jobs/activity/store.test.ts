import { RateLimitedError, RejectedError, TransientError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readLastRuns, readWaiting } from '../../../src/jobs/activity/store.ts'
import { noteAwaited } from '../../../src/jobs/holds/awaited-part.ts'
import { attempted, commandJob, createGate, ended, enqueueOne, kinds, openJobsFor, read, stateJob } from '../support.ts'

for (const kind of kinds(t)) {
  t.test(`what the jobs of a connection did lately, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    t.test('the last success and the last failure of each type, those of schedules apart', async t => {
      const connectionId = await jobs.addConnection()
      const worker = jobs.startWorker(async ({ payload: { object } }) => {
        if (object === 'bad') throw new RejectedError('no')
        if (object === 'slow') throw new TransientError('later')
        return {}
      })
      const run = async (object: string, more = {}): Promise<string> => {
        const id = await enqueueOne(jobs, stateJob(object, { connectionId, ...more }))
        await ended(jobs, [id])
        return id
      }
      await run('first')
      const second = await run('second')
      const polled = await run('poll', { idempotencyKey: `schedule:poll:${randomUUID()}` })
      const bad = await run('bad')
      const slow = await enqueueOne(jobs, commandJob('slow', { connectionId }))
      await attempted(jobs, slow, 1)
      await worker.stop()
      await enqueueOne(jobs, stateJob('waits', { connectionId }))
      const { runs, atMost } = await readLastRuns(query, connectionId)

      t.equal(atMost, false)
      t.strictSame(runs.map(({ jobId, hasSucceeded, isScheduled }) => [jobId, hasSucceeded, isScheduled]), [
        [slow, false, false],
        [bad, false, false],
        [polled, true, true],
        [second, true, false]
      ])
      t.match(runs, [
        { jobType: 'command.run', problem: { code: 'LNK_ADAPTER_TRANSIENT', message: 'later' }, at: /Z$/ },
        { jobType: 'state.sync', problem: { code: 'LNK_ADAPTER_REJECTED', message: 'no' } },
        { problem: null, count: 1 },
        { problem: null, count: 2 }
      ])
      t.match(await readLastRuns(query, connectionId, 2), { runs: [{ jobId: slow }, { jobId: bad }], atMost: true })
      t.strictSame(await readLastRuns(query, randomUUID()), { runs: [], atMost: false })
    })

    t.test('a job that failed and then succeeded keeps its failure, and counts as a success only', async t => {
      const connectionId = await jobs.addConnection()
      const failing = jobs.startWorker(() => Promise.reject(new RejectedError('down')))
      const id = await enqueueOne(jobs, commandJob('once', { connectionId }))
      await ended(jobs, [id])
      await failing.stop()
      await query(
        `update jobs
        set state = 'queued', outcome = null, problem = null, finished_at = null, died_at = null, due_at = now(),
          claimed_at = null, failures = 0, command_order = nextval('jobs_command_order')
        where id = $1`,
        [id]
      )
      const queued = await readLastRuns(query, connectionId)
      const working = jobs.startWorker(async () => ({}))
      await ended(jobs, [id])
      await working.stop()
      const { runs } = await readLastRuns(query, connectionId)

      t.match(queued.runs, [{ hasSucceeded: false, problem: { code: 'LNK_ADAPTER_REJECTED' } }], 'it was retried')
      t.match(runs, [
        { jobId: id, hasSucceeded: true, count: 1 },
        { jobId: id, hasSucceeded: false, count: 0, problem: { code: 'LNK_ADAPTER_REJECTED', message: 'down' } }
      ])
    })

    t.test('jobs that wait are grouped by type, problem and what keeps them', async t => {
      const connectionId = await jobs.addConnection()
      const gate = createGate()
      const worker = jobs.startWorker(async job => {
        if (job.payload.object === 'slow') throw new TransientError('later')
        return gate.handler(job)
      })
      const slow = await enqueueOne(jobs, stateJob('slow', { connectionId }))
      await attempted(jobs, slow, 1)
      await query("update jobs set due_at = now() + interval '1 hour' where id = $1", [slow])
      await enqueueOne(jobs, commandJob('busy', { connectionId }))
      await gate.reached(1)
      // The worker has its hands full from here on: nothing else is claimed.
      const stopping = worker.stop()
      await enqueueOne(jobs, commandJob('busy', { connectionId }))
      await enqueueOne(jobs, commandJob('free', { connectionId }))
      const behind = await enqueueOne(jobs, commandJob('free', { connectionId }))
      await enqueueOne(jobs, stateJob('delayed', { connectionId, delayMs: 3_600_000 }))
      const { groups, holds, atMost } = await readWaiting(query, connectionId)
      gate.open()
      await stopping

      t.strictSame([holds, atMost], [[], false])
      t.strictSame(
        groups.map(({ jobType, code, isDue, isBehind, count }) => [jobType, code, isDue, isBehind, count]).toSorted(),
        [
          ['command.run', null, true, false, 1],
          ['command.run', null, true, true, 2],
          ['state.sync', 'LNK_ADAPTER_TRANSIENT', false, false, 1],
          ['state.sync', null, false, false, 1]
        ].toSorted()
      )
      t.match(groups.find(({ code }) => code !== null), {
        problem: { message: 'later' },
        sampleJobId: slow,
        dueAt: /Z$/,
        oldestAt: /Z$/
      })
      t.not(groups.find(({ isBehind }) => isBehind)?.sampleJobId, behind)
    })

    t.test('jobs that await different parts of a group are groups of their own', async t => {
      const connectionId = await jobs.addConnection()
      const delays = { first: 3_600_000, second: 7_200_000, broken: 3_600_000, refused: 3_600_000 }
      const parts: Readonly<Record<string, string>> = { first: 'budget', second: 'budget', broken: 'circuit-breaker' }
      const worker = jobs.startWorker(async ({ payload }) => {
        const object = String(payload.object) as keyof typeof delays
        const error = new RateLimitedError(object, { retryAfterMs: delays[object] })
        const part = parts[object]
        if (part === undefined) throw error
        throw noteAwaited(error, { groupId: connectionId, part, delayMs: delays[object] })
      })
      const ids: string[] = []
      for (const object of Object.keys(delays)) ids.push(await enqueueOne(jobs, stateJob(object, { connectionId })))
      while ((await Promise.all(ids.map(id => read(jobs, id)))).some(({ status }) => status !== 'waiting')) {
        await new Promise(setImmediate)
      }
      await worker.stop()
      const { groups } = await readWaiting(query, connectionId)
      const records = await Promise.all(ids.map(id => read(jobs, id)))

      t.strictSame(groups.map(({ code, part, isDue, count }) => [code, part, isDue, count]).toSorted(), [
        ['LNK_ADAPTER_RATE_LIMITED', null, false, 1],
        ['LNK_ADAPTER_RATE_LIMITED', 'budget', false, 2],
        ['LNK_ADAPTER_RATE_LIMITED', 'circuit-breaker', false, 1]
      ])
      t.match(groups.find(({ part }) => part === 'budget'), {
        dueAt: records[0]?.dueAt,
        lastDueAt: records[1]?.dueAt,
        sampleJobId: ids[0]
      })
    })

    t.test('the holds of a connection, and no more than the limit of each lane', async t => {
      const connectionId = await jobs.addConnection('disabled')
      await jobs.enqueueJobs(['a', 'b', 'c'].map(object => stateJob(object, { connectionId })))
      await jobs.enqueueJobs(['a', 'b'].map(object => commandJob(object, { connectionId })))

      t.match(await readWaiting(query, connectionId, 3), {
        groups: [{ jobType: 'state.sync', count: 3, isDue: true }, { jobType: 'command.run', count: 2 }],
        holds: [{ reason: 'inactive', until: null }],
        atMost: false
      })
      t.match(await readWaiting(query, connectionId, 2), { groups: [{ count: 2 }, { count: 2 }], atMost: true })
      t.strictSame(await readWaiting(query, randomUUID()), { groups: [], holds: [], atMost: false })
    })
  })
}
