import { RejectedError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { JobRecord } from '../../../src/jobs/job.ts'
import { createRetry, type RetryOptions } from '../../../src/jobs/operation/retry.ts'
import { commandJob, createGate, drained, ended, enqueueOne, kinds, openJobsFor, read, stateJob } from '../support.ts'

for (const kind of kinds(t)) {
  t.test(`running an ended job again, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, enqueueJobs } = jobs
    const request = () => ({ operationId: randomUUID(), requestId: 'retry' })

    function retryWith (more: Partial<RetryOptions> = {}) {
      return createRetry({
        database,
        enqueueJobs,
        findObstacles: async () => () => undefined,
        findRetryEffects: () => undefined,
        ...more
      })
    }

    /** Makes jobs that die, one after the other. Their worker has stopped then. */
    async function dead (...requests: Parameters<typeof enqueueOne>[1][]): Promise<JobRecord[]> {
      const worker = jobs.startWorker(async () => {
        throw new RejectedError('the platform says no')
      })
      const records: JobRecord[] = []
      for (const wanted of requests) records.push(...await ended(jobs, [await enqueueOne(jobs, wanted)]))
      await worker.stop()
      return records
    }

    async function deadOne (t: Test, wanted: Parameters<typeof enqueueOne>[1]): Promise<JobRecord> {
      const [record] = await dead(wanted)
      t.match(record, { status: 'dead' })
      if (record === undefined) throw new Error('no job')
      return record
    }

    t.test('it keeps id, key, payload and attempts, and has all its attempts anew', async t => {
      const { id, idempotencyKey, payload, attempts } = await deadOne(t, stateJob('a'))
      await database.query('update jobs set failures = 9, crashes = 3 where id = $1', [id])

      await retryWith()(id, request())
      const queued = await read(jobs, id)
      const [row] = await database.query('select failures, crashes, died_at from jobs where id = $1', [id])
      jobs.startWorker(async () => ({ result: 'done' }))
      const [done] = await ended(jobs, [id])

      t.match(queued, { status: 'queued', idempotencyKey, payload, attempts, problem: null, finishedAt: null })
      t.strictSame(row, { failures: 0, crashes: 0, died_at: null })
      t.match(done, { id, status: 'succeeded', result: 'done' })
      t.strictSame(done?.attempts.map(({ error }) => error?.code), ['LNK_ADAPTER_REJECTED', undefined])
    })

    t.test('the key of the job still leads to it', async t => {
      const wanted = stateJob('a')
      const { id } = await deadOne(t, wanted)
      await retryWith()(id, request())

      t.strictSame(await enqueueJobs([wanted]), [{ id, isNew: false }])
    })

    t.test('a job that has not died is refused with its state', async t => {
      const gate = createGate()
      const held = await jobs.addConnection('disabled')
      const waiting = await enqueueOne(jobs, stateJob('a', { connectionId: held }))
      const queued = await enqueueOne(jobs, stateJob('b'))
      t.match(await read(jobs, queued), { status: 'queued' })
      await t.rejects(retryWith()(queued, request()), { code: 'LNK_JOB_QUEUED', statusCode: 409 })
      jobs.startWorker(gate.handler)
      await gate.reached(1)

      await t.rejects(retryWith()(queued, request()), { code: 'LNK_JOB_RUNNING', statusCode: 409 })
      await t.rejects(retryWith()(waiting, request()), { code: 'LNK_JOB_WAITING', statusCode: 409 })
      gate.open()
      await ended(jobs, [queued])
      await t.rejects(retryWith()(queued, request()), { code: 'LNK_JOB_SUCCEEDED', statusCode: 409 })
      await t.rejects(retryWith()(randomUUID(), request()), { code: 'LNK_JOB_NOT_FOUND', statusCode: 404 })
    })

    t.test('a job whose type nobody knows any more is refused and stays dead', async t => {
      const { id } = await deadOne(t, stateJob('a'))

      await t.rejects(retryWith({ findObstacles: async () => () => 'type-unknown' })(id, request()), {
        code: 'LNK_JOB_TYPE_UNKNOWN',
        statusCode: 409
      })
      t.match(await read(jobs, id), { status: 'dead' })
    })

    t.test('a repetition of the request finds the work done', async t => {
      const { id } = await deadOne(t, stateJob('a'))
      const same = request()
      await retryWith()(id, same)
      await retryWith()(id, same)

      t.match(await read(jobs, id), { status: 'queued' })
      await t.rejects(retryWith()(id, request()), { code: 'LNK_JOB_QUEUED' })
    })

    t.test('when a newer job of its object waits, that job stands for it and for its followers', async t => {
      const { id, attempts } = await deadOne(t, stateJob('a'))
      const follower = await enqueueOne(jobs, stateJob('a'))
      await database.query(
        'update jobs set state = null, due_at = null, coalesced_into = $2 where id = $1',
        [follower, id]
      )
      const newer = await enqueueOne(jobs, stateJob('a'))
      const same = request()

      await retryWith()(id, same)
      await retryWith()(id, same)
      await retryWith()(follower, same)
      const joined = await read(jobs, id)
      jobs.startWorker(async () => ({ result: 'done' }))
      const records = await ended(jobs, [id, follower, newer])

      t.match(joined, { status: 'queued', coalescedInto: newer, attempts, problem: null })
      t.match(records, [
        { id, status: 'succeeded', coalescedInto: newer, result: 'done' },
        { id: follower, status: 'succeeded', coalescedInto: newer },
        { id: newer, status: 'succeeded', coalescedInto: null }
      ])
      t.equal(records[0]?.attempts.length, attempts.length + 1, 'its own attempts come before those of its stand-in')
      t.strictSame(await database.query('select id from jobs where died_at is not null'), [])
    })

    t.test('asked by the id of a coalesced job, the job that stands for it runs again', async t => {
      const first = stateJob('a')
      const id = await enqueueOne(jobs, first)
      const follower = await enqueueOne(jobs, stateJob('a'))
      const worker = jobs.startWorker(async () => {
        throw new RejectedError('no')
      })
      await ended(jobs, [follower])
      await worker.stop()

      const asked = request()
      await retryWith()(follower, asked)
      await retryWith()(follower, asked)

      t.match(await read(jobs, id), { status: 'queued' })
      t.match(await read(jobs, follower), { status: 'queued', coalescedInto: id })
    })

    t.test('two jobs of one object that are retried at once run once', async t => {
      const records = await dead(stateJob('a'), stateJob('a'), stateJob('a'))
      let runs = 0
      await Promise.all(records.map(({ id }) => retryWith()(id, request())))
      jobs.startWorker(async () => {
        runs += 1
        return {}
      })
      await ended(jobs, records.map(({ id }) => id))

      t.equal(runs, 1)
    })

    t.test('jobs that come while it is retried are not lost', async t => {
      const { id } = await deadOne(t, stateJob('a'))
      const [, ...enqueued] = await Promise.all([
        retryWith()(id, request()),
        ...Array.from({ length: 8 }, () => enqueueOne(jobs, stateJob('a')))
      ])
      jobs.startWorker(async () => ({}))

      for (const record of await ended(jobs, [id, ...enqueued])) t.match(record, { status: 'succeeded' })
    })

    t.test('a command goes behind the others of its object', async t => {
      const { id } = await deadOne(t, commandJob('a'))
      const later = await enqueueOne(jobs, commandJob('a'))
      const order: string[] = []
      await retryWith()(id, request())
      jobs.startWorker(async job => {
        order.push(job.id)
        return {}
      })
      await drained(jobs)

      t.strictSame(order, [later, id])
    })

    t.test('while its connection is held, it waits', async t => {
      const connectionId = await jobs.addConnection()
      const { id } = await deadOne(t, stateJob('a', { connectionId }))
      await jobs.setStatus(connectionId, 'disabled')
      jobs.startWorker(async () => ({}))
      await retryWith()(id, request())
      t.match(await read(jobs, id), { status: 'waiting' })

      await jobs.setStatus(connectionId, 'active')
      t.match(await ended(jobs, [id]), [{ status: 'succeeded' }])
    })

    t.test('its effects and the jobs that follow are stored with it, or nothing is', async t => {
      const { id, payload } = await deadOne(t, commandJob('a'))
      const follow = stateJob('follows')
      const seen: unknown[] = []

      await t.rejects(
        retryWith({
          findRetryEffects: () => async () => {
            throw new Error('refused')
          }
        })(id, request()),
        /refused/
      )
      t.match(await read(jobs, id), { status: 'dead' })
      await retryWith({
        findRetryEffects: () => async (_transaction, job, requestId) => {
          seen.push(job, requestId)
          return [follow]
        }
      })(id, request())

      t.match(seen, [{ id, payload }, 'retry'])
      t.match(await enqueueJobs([follow]), [{ isNew: false }])
    })

    t.test('who runs it again is recorded', async t => {
      await database.query('delete from audit_entries')
      const { id } = await deadOne(t, stateJob('a'))
      await retryWith()(id, request())

      t.match(await database.query('select action, actor_name, object_id, object_name, changes from audit_entries'), [{
        action: 'job.retry',
        actor_name: 'hub',
        object_id: id,
        object_name: 'state.sync',
        changes: [{ pointer: '/status', from: 'dead', to: 'queued' }]
      }])
    })
  })
}
