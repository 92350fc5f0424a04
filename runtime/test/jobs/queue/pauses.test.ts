import { TransientError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { noteAwaited } from '../../../src/jobs/holds/awaited-part.ts'
import { releasePause, setPause, type GroupPart } from '../../../src/jobs/holds/store.ts'
import { createClaims, type ClaimedJob } from '../../../src/jobs/queue/claim.ts'
import { putBackJobs, type PutBackRow } from '../../../src/jobs/queue/store.ts'
import { readFigures } from '../../../src/jobs/store.ts'
import {
  attempted,
  blocked,
  commandJob,
  createGate,
  ended,
  enqueueOne,
  failuresOf,
  kinds,
  openJobsFor,
  read,
  stateJob
} from '../support.ts'

const all = { slots: 9, perConnection: 9 }
const pausedUntil = (until: string | null) => ({ until, message: `paused until ${until}` })
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

for (const kind of kinds(t)) {
  t.test(`pauses, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, database: { query } } = jobs

    /** When a job that waits is due: at a time, `infinity`, or `now` when it is due already. */
    async function dueOf (id: string): Promise<string> {
      const [row] = await query<{ due: string }>(
        `
        select case when due_at <= clock_timestamp() then 'now' else coalesce(
          to_char(due_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), due_at::text
        ) end as due
        from jobs
        where id = $1 and state = 'returned'`,
        [id]
      )
      return row?.due ?? 'not put back'
    }

    async function endPauses (): Promise<void> {
      await query("update job_holds set lapses_at = now() - interval '1 millisecond'")
    }

    const metPause = ({ id, claim }: ClaimedJob, waitsFor: GroupPart): PutBackRow => ({
      id,
      claim,
      delayMs: 0,
      resumesWithConnection: false,
      waitsFor,
      isFailure: false,
      problem: { code: 'LNK_PAUSED', message: 'paused' },
      adapter: undefined
    })

    /** Returns a claimed job and the part that it will find paused. */
    async function claimOne (): Promise<{ job: ClaimedJob, part: GroupPart }> {
      const part = { groupId: await jobs.addConnection(), part: 'Orders' }
      await enqueueOne(jobs, stateJob(randomUUID(), { connectionId: part.groupId }))
      const [job] = await createClaims(database).jobs(all)
      if (job === undefined) throw new Error('nothing was claimed')
      return { job, part }
    }

    t.test('no job of a paused group begins until it is released, and those of others do', async t => {
      const [paused, other] = [await jobs.addConnection(), await jobs.addConnection()]
      const group = { groupId: paused, part: '' }
      await setPause(query, group, pausedUntil(null))
      const waiting = [
        await enqueueOne(jobs, stateJob('a', { connectionId: paused })),
        await enqueueOne(jobs, commandJob('a', { connectionId: paused }))
      ]
      const runs = await enqueueOne(jobs, stateJob('a', { connectionId: other }))

      const before = await createClaims(database).jobs(all)
      const status = (await read(jobs, waiting[0] ?? '')).status
      await releasePause(query, group)
      const after = await createClaims(database).jobs(all)

      t.strictSame(before.map(({ id }) => id), [runs])
      t.equal(status, 'waiting')
      t.strictSame(after.map(({ id }) => id).toSorted(), waiting.toSorted())
    })

    t.test('a pause ends by itself, and its jobs wait until then', async t => {
      const connectionId = await jobs.addConnection()
      await setPause(query, { groupId: connectionId, part: '' }, pausedUntil(inAnHour()))
      const id = await enqueueOne(jobs, stateJob('a', { connectionId }))

      const before = await createClaims(database).jobs(all)
      const status = (await read(jobs, id)).status
      await endPauses()
      const after = await createClaims(database).jobs(all)

      t.strictSame(before, [])
      t.equal(status, 'waiting')
      t.strictSame(after.map(job => job.id), [id])
    })

    t.test('a pause and another reason hold a group until both have ended', async t => {
      const connectionId = await jobs.addConnection('disabled')
      const group = { groupId: connectionId, part: '' }
      await setPause(query, group, pausedUntil(null))
      await enqueueOne(jobs, stateJob('a', { connectionId }))

      await jobs.setStatus(connectionId, 'active')
      const paused = await createClaims(database).jobs(all)
      await jobs.setStatus(connectionId, 'disabled')
      await releasePause(query, group)
      const disabled = await createClaims(database).jobs(all)
      await jobs.setStatus(connectionId, 'active')

      t.strictSame([paused, disabled], [[], []])
      t.equal((await createClaims(database).jobs(all)).length, 1)
    })

    t.test('a job that runs when its group is paused goes on to its end', async t => {
      const connectionId = await jobs.addConnection()
      const gate = createGate({ result: 'done' })
      jobs.startWorker(gate.handler)
      const id = await enqueueOne(jobs, stateJob('a', { connectionId }))
      await gate.reached(1)

      await setPause(query, { groupId: connectionId, part: '' }, pausedUntil(null))
      gate.open()

      t.match(await ended(jobs, [id]), [{ status: 'succeeded', result: 'done' }])
      t.notOk(gate.started[0]?.signal.aborted)
    })

    for (const job of [stateJob, commandJob]) {
      t.test(`a job that needs a paused part waits and uses no attempt, the others run, ${job.name}`, async t => {
        const connectionId = await jobs.addConnection()
        const part = { groupId: connectionId, part: 'Orders' }
        let isPaused = true
        jobs.startWorker(async ({ payload }) => {
          if (isPaused && payload.object === 'order') throw noteAwaited(new Error('Orders is paused'), part)
          return { result: 'done' }
        })
        await setPause(query, part, pausedUntil(null))

        const [needs, needsNot] = [
          await enqueueOne(jobs, job('order', { connectionId })),
          await enqueueOne(jobs, job('stock', { connectionId }))
        ]
        await ended(jobs, [needsNot])
        while (await dueOf(needs) !== 'infinity') await new Promise(setImmediate)
        const waiting = await read(jobs, needs)
        isPaused = false
        await releasePause(query, part)
        database.notify('jobs')
        const [record] = await ended(jobs, [needs])

        t.match(waiting, { status: 'waiting', attempts: { length: 0 }, problem: { message: 'Orders is paused' } })
        t.match(record, { status: 'succeeded', result: 'done', problem: null })
        t.equal(record?.attempts.length, 1)
        t.equal(await failuresOf(jobs, needs), 0)
      })
    }

    t.test('a job that waits is due when its pause ends, also when the end changes', async t => {
      const { job, part } = await claimOne()
      const [first, second] = [inAnHour(), new Date(Date.now() + 7_200_000).toISOString()]
      await setPause(query, part, pausedUntil(first))

      await putBackJobs(query, [metPause(job, part)])
      const dues = [await dueOf(job.id)]
      await setPause(query, part, pausedUntil(second))
      dues.push(await dueOf(job.id))
      const { problem } = await read(jobs, job.id)
      await setPause(query, part, pausedUntil(null))
      dues.push(await dueOf(job.id))
      await releasePause(query, part)
      dues.push(await dueOf(job.id))

      t.strictSame(dues, [first, second, 'infinity', 'now'])
      t.strictSame(problem, { code: 'LNK_PAUSED', message: `paused until ${second}` })
    })

    t.test('the end of one pause leaves the jobs alone that wait for another', async t => {
      const [one, other] = [await claimOne(), await claimOne()]
      const parts = [one.part, { ...one.part, part: 'Offers' }, other.part]
      for (const part of parts) await setPause(query, part, pausedUntil(null))
      await putBackJobs(query, [metPause(one.job, one.part), metPause(other.job, other.part)])

      await releasePause(query, { ...one.part, part: 'Offers' })
      await releasePause(query, other.part)

      t.strictSame([await dueOf(one.job.id), await dueOf(other.job.id)], ['infinity', 'now'])
    })

    t.test('a job of one group waits for the pause of another', async t => {
      const { job, part } = await claimOne()
      const group = { groupId: randomUUID(), part: '' }
      await setPause(query, group, pausedUntil(null))

      await putBackJobs(query, [metPause(job, group)])
      const before = await dueOf(job.id)
      await releasePause(query, group)

      t.not(group.groupId, part.groupId)
      t.strictSame([before, await dueOf(job.id)], ['infinity', 'now'])
    })

    t.test('a pause that ended before its job was put back leaves the job due at once', async t => {
      const [released, lapsed] = [await claimOne(), await claimOne()]
      await setPause(query, released.part, pausedUntil(null))
      await setPause(query, lapsed.part, pausedUntil(inAnHour()))
      await releasePause(query, released.part)
      await endPauses()

      await putBackJobs(query, [metPause(released.job, released.part), metPause(lapsed.job, lapsed.part)])

      t.strictSame([await dueOf(released.job.id), await dueOf(lapsed.job.id)], ['now', 'now'])
    })

    t.test('a job that waits for another try does not follow the pause that it met before', async t => {
      const { job, part } = await claimOne()
      await setPause(query, part, pausedUntil(null))
      await putBackJobs(query, [metPause(job, part)])
      await releasePause(query, part)
      jobs.startWorker(async () => {
        throw new TransientError('later')
      })
      await attempted(jobs, job.id, 1)
      const before = await dueOf(job.id)

      await setPause(query, part, pausedUntil(null))
      await releasePause(query, part)

      t.match(before, /^\d/)
      t.equal(await dueOf(job.id), before)
    })

    t.test('jobs that wait are not counted as due', async t => {
      const { job, part } = await claimOne()
      await setPause(query, part, pausedUntil(null))
      await putBackJobs(query, [metPause(job, part)])

      t.match(await readFigures(query), { queued: 0, waiting: 1, running: 0, oldestSeconds: 0 })
    })

    if (kind === 'embedded') return

    t.test('a job is put back while its pause ends in another transaction: it is due at once', async t => {
      const { job, part } = await claimOne()
      await setPause(query, part, pausedUntil(null))

      const committing = Promise.withResolvers<void>()
      const deleted = Promise.withResolvers<void>()
      const release = database.transaction(async transaction => {
        await releasePause(transaction.query, part)
        deleted.resolve()
        await committing.promise
      })
      await deleted.promise
      const putBack = putBackJobs(query, [metPause(job, part)])
      await blocked(query)
      committing.resolve()
      await Promise.all([release, putBack])

      t.equal(await dueOf(job.id), 'now')
    })

    t.test('a pause ends while another transaction puts its job back: the job is due at once', async t => {
      const { job, part } = await claimOne()
      await setPause(query, part, pausedUntil(null))

      const committing = Promise.withResolvers<void>()
      const stored = Promise.withResolvers<void>()
      const putBack = database.transaction(async transaction => {
        await putBackJobs(transaction.query, [metPause(job, part)])
        stored.resolve()
        await committing.promise
      })
      await stored.promise
      const release = database.transaction(transaction => releasePause(transaction.query, part))
      await blocked(query)
      committing.resolve()
      await Promise.all([release, putBack])

      t.equal(await dueOf(job.id), 'now')
    })
  })
}
