import { RejectedError, TransientError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import t from 'tap'
import { openDatabase } from '../../../src/database/database.ts'
import { entities } from '../../../src/entities.ts'
import { createCancel } from '../../../src/jobs/operation/cancel.ts'
import { createRetry } from '../../../src/jobs/operation/retry.ts'
import { createClaims } from '../../../src/jobs/queue/claim.ts'
import { createJobWorker } from '../../../src/jobs/queue/job-worker.ts'
import { returnSilentJobs } from '../../../src/jobs/queue/store.ts'
import type { DeathEffects, RunningJob } from '../../../src/jobs/running-job.ts'
import {
  commandJob,
  createGate,
  drained,
  ended,
  enqueueOne,
  kinds,
  makePlace,
  openJobs,
  openJobsFor,
  read,
  stateJob,
  workerDefaults
} from '../support.ts'

/** A handler that ends as the call of an adapter does when its signal aborts. */
async function untilAborted ({ signal }: RunningJob): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw new TransientError('the call was broken off', { cause: signal.reason })
}

for (const kind of kinds(t)) {
  t.test(`cancelling a job, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const { query } = database
    const request = (reason: string | null = null) => ({ operationId: randomUUID(), reason })
    const died: unknown[] = []
    const noteDeath: DeathEffects = async (_transaction, { id }, problem) => {
      died.push({ id, problem })
    }
    const findDeathEffects = () => noteDeath
    const cancel = createCancel({ database, findDeathEffects })
    t.beforeEach(() => {
      died.length = 0
    })

    t.test('one that is queued or waits ends at once, with its effects, the reason and who did it', async t => {
      const queued = await enqueueOne(jobs, commandJob('a'))
      const waiting = await enqueueOne(jobs, stateJob('a', { connectionId: await jobs.addConnection('disabled') }))
      await cancel(queued, request())
      await cancel(waiting, request('wrong shop'))
      jobs.startWorker(async () => ({}))
      await drained(jobs)

      t.match(await read(jobs, queued), {
        status: 'cancelled',
        attempts: { length: 0 },
        problem: { code: 'LNK_JOB_CANCELLED', message: "cancelled by 'hub'" },
        cancellation: { by: 'hub', reason: null, requestedAt: /Z$/ },
        finishedAt: /Z$/
      })
      const problem = { code: 'LNK_JOB_CANCELLED', message: "cancelled by 'hub': wrong shop" }
      t.match(await read(jobs, waiting), { status: 'cancelled', problem, cancellation: { reason: 'wrong shop' } })
      t.match(died, [{ id: queued }, { id: waiting, problem }])
    })

    t.test('jobs that were merged with it end with it, and later ones run', async t => {
      const id = await enqueueOne(jobs, stateJob('a'))
      const merged = await enqueueOne(jobs, stateJob('a'))
      await cancel(merged, request())
      const later = await enqueueOne(jobs, stateJob('a'))
      jobs.startWorker(async () => ({}))

      t.match(await ended(jobs, [id, merged, later]), [
        { status: 'cancelled', coalescedInto: null },
        { status: 'cancelled', coalescedInto: id },
        { status: 'succeeded', coalescedInto: null }
      ])
    })

    t.test('the next command of its object runs', async t => {
      const first = await enqueueOne(jobs, commandJob('a'))
      const second = await enqueueOne(jobs, commandJob('a'))
      await cancel(first, request())
      jobs.startWorker(async () => ({}))

      t.match(await ended(jobs, [second]), [{ status: 'succeeded' }])
    })

    t.test('one that runs is broken off and ends cancelled', async t => {
      const gate = createGate()
      jobs.startWorker(async job => {
        await Promise.race([gate.handler(job), untilAborted(job)])
        return {}
      }, { findDeathEffects })
      const id = await enqueueOne(jobs, commandJob('a'))
      await gate.reached(1)
      const first = request('wrong shop')
      await cancel(id, first)
      const [record] = await ended(jobs, [id])

      const problem = { code: 'LNK_JOB_CANCELLED', message: "cancelled by 'hub': wrong shop" }
      t.match(record, { status: 'cancelled', problem, attempts: [{ error: problem }] })
      t.match(died, [{ id, problem }])
      t.match(jobs.log.entries, [{ level: 'info', fields: { jobId: id, by: 'hub' }, message: 'job cancelled' }])
      await cancel(id, first)
      await t.rejects(cancel(id, request()), { code: 'LNK_JOB_CANCELLED', statusCode: 409 })
    })

    t.test('a handler that succeeds all the same ends so, and the job says that somebody cancelled it', async t => {
      const gate = createGate()
      jobs.startWorker(async job => {
        await Promise.race([gate.handler(job), once(job.signal, 'abort')])
        return { result: 'done' }
      }, { findDeathEffects })
      const id = await enqueueOne(jobs, commandJob('a'))
      await gate.reached(1)
      await cancel(id, request())

      t.match(await ended(jobs, [id]), [{
        status: 'succeeded',
        result: 'done',
        problem: null,
        cancellation: { by: 'hub' }
      }])
      t.strictSame(died, [])
    })

    t.test('the worker does not wait for a handler that goes on', async t => {
      const gate = createGate()
      jobs.startWorker(gate.handler, { graceMs: 5 })
      const id = await enqueueOne(jobs, commandJob('a'))
      await gate.reached(1)
      await cancel(id, request())

      t.match(await ended(jobs, [id]), [{ status: 'cancelled' }])
      gate.open()
    })

    t.test('the second of two requests changes nothing while the job runs', async t => {
      const [first] = await claimOne('a')
      await cancel(first, request('one'))
      await cancel(first, request('two'))

      t.match(await read(jobs, first), { status: 'running', cancellation: { reason: 'one' } })
    })

    /** Claims a new job for a worker that does nothing. */
    async function claimOne (object: string, connectionId: string | null = null): Promise<[string]> {
      const id = await enqueueOne(jobs, commandJob(object, { connectionId }))
      await createClaims(database).jobs({ slots: 1, perConnection: 1 })
      return [id]
    }

    t.test('one whose process died meanwhile ends without another run', async t => {
      const [id] = await claimOne('a')
      await cancel(id, request())
      await returnSilentJobs(query, 0)
      let runs = 0
      jobs.startWorker(async () => {
        runs += 1
        return {}
      }, { findDeathEffects })

      t.match(await ended(jobs, [id]), [{ status: 'cancelled' }])
      t.equal(runs, 0)
      t.match(died, [{ id }])
    })

    t.test('one whose process died while its connection is held ends by a second request', async t => {
      const connectionId = await jobs.addConnection()
      const [id] = await claimOne('a', connectionId)
      await cancel(id, request('first'))
      await jobs.setStatus(connectionId, 'disabled')
      await returnSilentJobs(query, 0)
      await cancel(id, request('second'))

      t.match(await read(jobs, id), { status: 'cancelled', cancellation: { reason: 'second' } })
    })

    t.test('one that fails before its worker knows does not go back into the queue', async t => {
      const failing = Promise.withResolvers<never>()
      const gate = createGate()
      jobs.startWorker(async job => {
        void gate.handler(job)
        return failing.promise
      })
      const id = await enqueueOne(jobs, commandJob('a'))
      await gate.reached(1)
      // As `cancel`, but its wake-up is lost.
      await query(
        `update jobs set cancellation = '{"requestedAt":"2026-01-01T00:00:00.000Z","by":"Anna","reason":null}'
        where id = $1`,
        [id]
      )
      failing.reject(new TransientError('the platform is away'))

      t.match(await ended(jobs, [id]), [{ status: 'cancelled', problem: { message: "cancelled by 'Anna'" } }])
      gate.open()
    })

    t.test('one that has ended is refused with its state', async t => {
      jobs.startWorker(async () => ({}))
      const done = await enqueueOne(jobs, stateJob('done'))
      await ended(jobs, [done])

      await t.rejects(cancel(done, request()), { code: 'LNK_JOB_SUCCEEDED', statusCode: 409 })
      await t.rejects(cancel(randomUUID(), request()), { code: 'LNK_JOB_NOT_FOUND', statusCode: 404 })
    })

    t.test('a dead one ends as cancelled, without its effects a second time, and can still run again', async t => {
      jobs.startWorker(async () => {
        throw new RejectedError('no')
      })
      const dead = await enqueueOne(jobs, stateJob('dies'))
      await ended(jobs, [dead])
      died.length = 0
      const first = request('the product is gone')
      await cancel(dead, first)
      await cancel(dead, first)

      t.match(await read(jobs, dead), {
        status: 'cancelled',
        problem: {
          code: 'LNK_JOB_CANCELLED',
          message: "cancelled by 'hub': the product is gone; it had died of LNK_ADAPTER_REJECTED"
        },
        cancellation: { by: 'hub', reason: 'the product is gone' },
        attempts: [{ error: { code: 'LNK_ADAPTER_REJECTED' } }],
        finishedAt: /Z$/
      })
      t.strictSame(died, [])
      t.strictSame(await query('select id from jobs where died_at is not null'), [])
      await t.rejects(cancel(dead, request()), { code: 'LNK_JOB_CANCELLED', statusCode: 409 })
    })

    t.test('run again, it is a job as any other', async t => {
      const id = await enqueueOne(jobs, commandJob('a'))
      await cancel(id, request())
      await createRetry({
        database,
        enqueueJobs: jobs.enqueueJobs,
        findObstacles: async () => () => undefined,
        findRetryEffects: () => undefined
      })(id, { operationId: randomUUID(), requestId: 'r' })
      jobs.startWorker(async () => ({}))

      t.match(await ended(jobs, [id]), [{ status: 'succeeded', cancellation: null, problem: null }])
    })

    t.test('effects that fail leave the job as it was', async t => {
      const id = await enqueueOne(jobs, commandJob('a'))
      const failing = createCancel({
        database,
        findDeathEffects: () => async () => {
          throw new Error('refused')
        }
      })

      await t.rejects(failing(id, request()), /refused/)
      t.match(await read(jobs, id), { status: 'queued', cancellation: null })
    })

    t.test('while workers claim and end jobs, every job ends once', async t => {
      const runs: string[] = []
      jobs.startWorker(async ({ id }) => {
        runs.push(id)
        return {}
      })
      const ids: string[] = []
      for (let round = 0; round < 20; round++) {
        const id = await enqueueOne(jobs, commandJob(`o${round % 3}`))
        ids.push(id)
        await cancel(id, request()).catch((error: unknown) => {
          t.match(error, { code: 'LNK_JOB_SUCCEEDED' })
        })
      }
      const records = await ended(jobs, ids)

      t.ok(records.every(({ status }) => status === 'succeeded' || status === 'cancelled'))
      t.equal(new Set(runs).size, runs.length, 'no job runs twice')
      t.ok(records.every(({ id, status }) => status !== 'succeeded' || runs.includes(id)), 'each success has a run')
    })

    t.test('who cancelled it is recorded', async t => {
      await query('delete from audit_entries')
      const id = await enqueueOne(jobs, commandJob('a'))
      await cancel(id, request('wrong shop'))

      t.match(await query('select action, object_id, object_name, changes from audit_entries'), [{
        action: 'job.cancel',
        object_id: id,
        object_name: 'command.run',
        changes: [{ pointer: '/reason', to: 'wrong shop' }, { pointer: '/status', from: 'queued', to: 'cancelled' }]
      }])
    })
  })

  t.test(`cancelling a job that another process runs, ${kind}`, {
    skip: kind === 'embedded' && 'an embedded database has one process'
  }, async t => {
    const place = await makePlace(kind)
    const jobs = await openJobs(place)
    const other = await openDatabase(place, jobs.log, entities)
    const gate = createGate()
    const worker = createJobWorker({
      ...workerDefaults,
      database: other,
      enqueueJobs: jobs.enqueueJobs,
      log: jobs.log,
      findHandler: () => async job => Promise.race([gate.handler(job), untilAborted(job)])
    })
    t.teardown(async () => {
      await worker.stop()
      await other.close()
      await jobs.close()
      await place.remove()
    })
    worker.start()
    const id = await enqueueOne(jobs, commandJob('a'))
    await gate.reached(1)
    await createCancel({ database: jobs.database, findDeathEffects: () => undefined })(id, {
      operationId: randomUUID(),
      reason: null
    })

    t.match(await ended(jobs, [id]), [{ status: 'cancelled' }])
  })
}
