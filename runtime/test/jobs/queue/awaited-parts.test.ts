import { TransientError, UnavailableError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { noteAwaited, type AwaitedPart } from '../../../src/jobs/holds/awaited-part.ts'
import { releaseAwaiting, releasePause } from '../../../src/jobs/holds/store.ts'
import { createCancel } from '../../../src/jobs/operation/cancel.ts'
import { createClaims, type ClaimedJob } from '../../../src/jobs/queue/claim.ts'
import { putBackJobs, type PutBackRow } from '../../../src/jobs/queue/store.ts'
import { readFigures } from '../../../src/jobs/store.ts'
import {
  attempted,
  commandJob,
  drained,
  ended,
  enqueueOne,
  failuresOf,
  kinds,
  openJobsFor,
  read,
  stateJob
} from '../support.ts'

const all = { slots: 9, perConnection: 9 }
const hourMs = 3_600_000

for (const kind of kinds(t)) {
  t.test(`parts of a group that are awaited for a time, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, database: { query } } = jobs

    /** When a job that waits is due: `now`, `in an hour`, or at another time. */
    async function dueOf (id: string): Promise<string> {
      const [row] = await query<{ due: string }>(
        `
        select case
          when due_at <= clock_timestamp() then 'now'
          when due_at - clock_timestamp() between interval '50 minutes' and interval '1 hour' then 'in an hour'
          else due_at::text
        end as due
        from jobs
        where id = $1 and state = 'returned'`,
        [id]
      )
      return row?.due ?? 'not put back'
    }

    const awaiting = ({ id, claim }: ClaimedJob, waitsFor: AwaitedPart): PutBackRow => ({
      id,
      claim,
      delayMs: waitsFor.delayMs ?? 0,
      resumesWithConnection: false,
      waitsFor,
      isFailure: false,
      problem: { code: 'LNK_ADAPTER_RATE_LIMITED', message: 'there is no place' },
      adapter: undefined
    })

    /** Returns a job that waits for a part of its group, or of another one. */
    async function waitingFor (part: string, group?: string): Promise<{ job: ClaimedJob, groupId: string }> {
      const connectionId = await jobs.addConnection()
      const groupId = group ?? connectionId
      await enqueueOne(jobs, stateJob(randomUUID(), { connectionId }))
      const [job] = await createClaims(database).jobs(all)
      if (job === undefined) throw new Error('nothing was claimed')
      await putBackJobs(query, [awaiting(job, { groupId, part, delayMs: hourMs })])
      return { job, groupId }
    }

    for (const job of [stateJob, commandJob]) {
      t.test(`a job that awaits a part is due later, uses no attempt and can be released, ${job.name}`, async t => {
        const connectionId = await jobs.addConnection()
        let isFull = true
        jobs.startWorker(async () => {
          if (!isFull) return { result: 'done' }
          throw noteAwaited(new Error('there is no place'), { groupId: connectionId, part: 'budget', delayMs: hourMs })
        })
        const id = await enqueueOne(jobs, job('a', { connectionId }))
        while (await dueOf(id) !== 'in an hour') await new Promise(setImmediate)
        const waiting = await read(jobs, id)
        isFull = false
        await releaseAwaiting(query, connectionId, ['circuit-breaker', 'budget'])
        database.notify('jobs')
        const [record] = await ended(jobs, [id])

        t.match(waiting, { status: 'waiting', problem: { message: 'there is no place' } })
        t.strictSame(waiting.attempts, [])
        t.match(record, { status: 'succeeded', result: 'done', problem: null })
        t.equal(record?.attempts.length, 1)
        t.equal(await failuresOf(jobs, id), 0)
      })
    }

    t.test('the failures before the wait still count', async t => {
      const connectionId = await jobs.addConnection()
      let runs = 0
      jobs.startWorker(async () => {
        runs += 1
        if (runs === 1) throw new TransientError('later')
        throw noteAwaited(new Error('there is no place'), { groupId: connectionId, part: 'budget', delayMs: hourMs })
      })
      const id = await enqueueOne(jobs, stateJob('a', { connectionId }))
      await attempted(jobs, id, 1)
      await jobs.makeDue()
      while (await dueOf(id) !== 'in an hour') await new Promise(setImmediate)

      t.equal(await failuresOf(jobs, id), 1)
      t.match((await read(jobs, id)).attempts, [{ error: { message: 'later' } }])
    })

    t.test('a release leaves the jobs alone that await another part, or one of another group', async t => {
      const budget = await waitingFor('budget')
      const throttled = await waitingFor('rate-limit', budget.groupId)
      const breaker = await waitingFor('circuit-breaker', budget.groupId)
      const other = await waitingFor('budget')

      await releaseAwaiting(query, budget.groupId, ['budget', 'circuit-breaker'])
      await releasePause(query, { groupId: budget.groupId, part: 'Orders' })

      t.strictSame(
        await Promise.all([budget, throttled, breaker, other].map(({ job }) => dueOf(job.id))),
        ['now', 'in an hour', 'now', 'in an hour']
      )
    })

    t.test('a job runs when its time has come, and does not await the part any more', async t => {
      const { job, groupId } = await waitingFor('budget')
      await jobs.makeDue()
      const [again] = await createClaims(database).jobs(all)
      if (again === undefined) throw new Error('nothing was claimed')
      await putBackJobs(query, [{
        ...awaiting(again, { groupId, part: 'budget' }),
        delayMs: hourMs,
        waitsFor: undefined
      }])

      await releaseAwaiting(query, groupId, ['budget'])

      t.equal(again.id, job.id)
      t.equal(await dueOf(job.id), 'in an hour')
    })

    t.test('a job remembers since when its platform has been away, over waits for other things', async t => {
      const { job, groupId } = await waitingFor('unavailable:module')
      const claimAgain = async (): Promise<ClaimedJob> => {
        await jobs.makeDue()
        const [again] = await createClaims(database).jobs(all)
        if (again?.id !== job.id) throw new Error('the job was not claimed')
        return again
      }
      const putBack = async (given: ClaimedJob, code: string, isFailure = false): Promise<void> => {
        const waitsFor = { groupId, part: 'unavailable:module', delayMs: hourMs }
        await putBackJobs(query, [{ ...awaiting(given, waitsFor), isFailure, problem: { code, message: 'away' } }])
      }
      const first = await claimAgain()
      t.equal(first.unavailableMs, 0)
      await putBack(first, 'LNK_PLATFORM_UNAVAILABLE')
      await query("update jobs set unavailable_since = now() - interval '1 day' where id = $1", [job.id])

      for (const code of ['LNK_PLATFORM_UNAVAILABLE', 'LNK_ADAPTER_RATE_LIMITED']) {
        const again = await claimAgain()
        t.ok(again.unavailableMs >= 86_400_000 && again.unavailableMs < 90_000_000, code)
        await putBack(again, code)
      }
      await putBack(await claimAgain(), 'LNK_ADAPTER_TRANSIENT', true)
      t.equal((await claimAgain()).unavailableMs, 0, 'another failure came between')
    })

    t.test('the time in which nobody asked an absent platform does not count', async t => {
      const { job } = await waitingFor('unavailable')
      const awayAfter = async (minutes: number): Promise<number | undefined> => {
        await query(
          `
          update jobs
          set state = 'returned',
            unavailable_since = now() - interval '2 days',
            due_at = now() - interval '1 minute' * $2
          where id = $1`,
          [job.id, minutes]
        )
        return (await createClaims(database).jobs(all)).find(({ id }) => id === job.id)?.unavailableMs
      }

      t.ok((await awayAfter(10) ?? 0) >= 172_800_000, 'the queue was long')
      t.equal(await awayAfter(20), 0, 'its connection was held, or the hub stopped')
    })

    t.test('a job dies when its platform has been away for a day, with its reason', async t => {
      const connectionId = await jobs.addConnection()
      const id = await enqueueOne(jobs, stateJob('away', { connectionId }))
      const waitsFor = { groupId: connectionId, part: 'unavailable', delayMs: hourMs }
      jobs.startWorker(async () => {
        throw noteAwaited(new UnavailableError('maintenance page, 503'), waitsFor)
      })
      while (await dueOf(id) !== 'in an hour') await new Promise(setImmediate)
      t.equal(await failuresOf(jobs, id), 0)
      await query("update jobs set unavailable_since = now() - interval '1 day' where id = $1", [id])
      await jobs.makeDue()

      t.match(await ended(jobs, [id]), [{
        status: 'dead',
        problem: { code: 'LNK_PLATFORM_UNAVAILABLE', message: 'maintenance page, 503' }
      }])
    })

    t.test('a running job that is cancelled ends instead', async t => {
      const connectionId = await jobs.addConnection()
      const cancel = createCancel({ database, findDeathEffects: () => undefined })
      const id = await enqueueOne(jobs, stateJob('a', { connectionId }))
      jobs.startWorker(async () => {
        await cancel(id, { operationId: randomUUID(), reason: null })
        throw noteAwaited(new Error('there is no place'), { groupId: connectionId, part: 'budget', delayMs: hourMs })
      })

      t.match(await ended(jobs, [id]), [{ status: 'cancelled', problem: { code: 'LNK_JOB_CANCELLED' } }])
    })

    t.test('a cancelled job that waits ends, and no release brings it back', async t => {
      const { job, groupId } = await waitingFor('circuit-breaker')
      const cancel = createCancel({ database, findDeathEffects: () => undefined })

      await cancel(job.id, { operationId: randomUUID(), reason: null })
      await releaseAwaiting(query, groupId, ['circuit-breaker'])
      jobs.startWorker(async () => ({}))
      await drained(jobs)

      t.match(await read(jobs, job.id), { status: 'cancelled' })
    })

    t.test('jobs that wait are not counted as due', async t => {
      await waitingFor('budget')

      t.match(await readFigures(query), { queued: 0, waiting: 1, running: 0, oldestSeconds: 0 })
    })
  })
}
