import { RateLimitedError, RejectedError } from '@linker/sdk'
import t from 'tap'
import { createClaims } from '../../../src/jobs/queue/claim.ts'
import { createSettle } from '../../../src/jobs/queue/settle.ts'
import { markAlive } from '../../../src/jobs/queue/store.ts'
import { defineSharedEffects } from '../../../src/jobs/shared-effects.ts'
import { attempted, createGate, ended, enqueueOne, kinds, openJobsFor, read, stateJob } from '../support.ts'

for (const kind of kinds(t)) {
  t.test(`settling, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const writeEffect =
      'insert into integration_credentials (ref, platform_type, credentials_json, encrypted, version, created_at, ' +
      "updated_at) values ('effect', 'x', '{}', false, 1, now(), now())"
    t.beforeEach(() => database.query('delete from integration_credentials'))

    async function effects (): Promise<number> {
      return (await database.query("select from integration_credentials where ref = 'effect'")).length
    }

    t.test('a handler gets the request, and the ledger shows its result', async t => {
      const connectionId = await jobs.addConnection()
      const gate = createGate({ result: { offers: 2 }, adapter: 'mktb@1.0.0' })
      jobs.startWorker(gate.handler)
      gate.open()

      const id = await enqueueOne(jobs, stateJob('a', { connectionId, requestId: 'request-1', idempotencyKey: 'key' }))
      const [record] = await ended(jobs, [id])

      t.match(gate.started, [{
        id,
        jobType: 'state.sync',
        connectionId,
        payload: { object: 'a' },
        requestId: 'request-1'
      }])
      t.match(record, {
        id,
        jobType: 'state.sync',
        connectionId,
        idempotencyKey: 'key',
        requestId: 'request-1',
        status: 'succeeded',
        result: { offers: 2 },
        problem: null,
        adapter: 'mktb@1.0.0',
        coalescedInto: null
      })
      t.match(record?.attempts, [{ startedAt: /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/, finishedAt: /Z$/ }])
      t.notOk(record?.attempts[0]?.error)
      t.strictSame(await database.query('select * from jobs where state is not null'), [])
    })

    t.test('effects and follow-ups are stored with the success', async t => {
      jobs.startWorker(async job =>
        job.payload.object === 'parent'
          ? {
            followUps: [stateJob('child 1', { idempotencyKey: 'child 1' })],
            effects: async transaction => {
              await transaction.query(writeEffect)
              return [stateJob('child 2', { idempotencyKey: 'child 2' })]
            }
          }
          : {}
      )
      const parent = await enqueueOne(jobs, stateJob('parent'))
      await ended(jobs, [parent])

      const children = await jobs.enqueueJobs([
        stateJob('child 1', { idempotencyKey: 'child 1' }),
        stateJob('child 2', { idempotencyKey: 'child 2' })
      ])

      t.equal(await effects(), 1)
      t.strictSame(children.map(({ isNew }) => isNew), [false, false])
      t.match(await ended(jobs, children.map(({ id }) => id)), [{ status: 'succeeded' }, { status: 'succeeded' }])
    })

    t.test('failed effects leave neither success nor follow-ups, and the job runs again', async t => {
      let runs = 0
      jobs.startWorker(async job =>
        job.payload.object === 'child'
          ? {}
          : {
            followUps: [stateJob('child', { idempotencyKey: 'child' })],
            effects: async transaction => {
              await transaction.query(writeEffect)
              runs += 1
              if (runs === 1) throw new Error('the write was refused')
              return undefined
            }
          }
      )
      const id = await enqueueOne(jobs, stateJob('parent'))

      const failed = await attempted(jobs, id, 1)
      t.match(failed, { status: 'waiting', problem: { code: 'LNK_JOB_FAILED', message: 'the write was refused' } })
      t.equal(await effects(), 0)
      t.strictSame(await database.query('select id from jobs'), [{ id }])
      await jobs.makeDue()
      await ended(jobs, [id])
      t.equal(await effects(), 1)
      t.equal((await database.query('select id from jobs')).length, 2)
    })

    t.test('shared effects of jobs that end together are stored at once, and a bad one fails alone', async t => {
      const stored: string[][] = []
      const named = defineSharedEffects<string>(async (_transaction, names) => {
        if (names.includes('bad')) throw new RejectedError('the write was refused')
        stored.push(names.toSorted())
        return names.map(name => stateJob(`after ${name}`, { idempotencyKey: `after ${name}` }))
      })
      const run = async (names: readonly string[]) => {
        const gate = createGate()
        const worker = jobs.startWorker(async job => {
          const name = String(job.payload.object)
          if (!names.includes(name)) return {}
          await gate.handler(job)
          return { shared: named(name) }
        })
        const ids = (await jobs.enqueueJobs(names.map(name => stateJob(name)))).map(({ id }) => id)
        await gate.reached(names.length)
        gate.open()
        const records = await ended(jobs, ids)
        await worker.stop()
        return records.map(({ status }) => status)
      }

      t.strictSame(await run(['a', 'b']), ['succeeded', 'succeeded'])
      t.strictSame(stored.splice(0), [['a', 'b']])
      t.strictSame(await run(['c', 'd', 'bad']), ['succeeded', 'succeeded', 'dead'])
      t.strictSame(stored.toSorted(), [['c'], ['d']], 'each has a transaction of its own')
      const after = await jobs.enqueueJobs(['a', 'b', 'c', 'd', 'bad'].map(name =>
        stateJob(`after ${name}`, { idempotencyKey: `after ${name}` })
      ))
      t.strictSame(
        after.map(({ isNew }) =>
          isNew
        ),
        [false, false, false, false, true]
      )
    })

    t.test('while another job runs, ends of several turns share a transaction', async t => {
      const claims = createClaims(database)
      let transactions = 0
      let isMoreExpected = true
      const settle = createSettle({
        database: {
          ...database,
          transaction (work) {
            transactions += 1
            return database.transaction(work)
          }
        },
        enqueueJobs: jobs.enqueueJobs,
        isMoreExpected: () => isMoreExpected,
        gatherMs: 600_000
      })
      const names = ['a', 'b', 'c']
      for (const name of names) await enqueueOne(jobs, stateJob(name))
      const claimed = await claims.jobs({ slots: 3, perConnection: 3 })
      t.equal(claimed.length, 3)

      const ends: Promise<boolean>[] = []
      for (const [index, job] of claimed.entries()) {
        if (index === 2) isMoreExpected = false
        const outcome = { followUps: [stateJob(`after ${index}`)] }
        ends.push(settle.end(job, { kind: 'succeeded', outcome }, undefined))
        await new Promise(setImmediate)
      }

      t.strictSame(await Promise.all(ends), [true, true, true])
      t.equal(transactions, 2, 'that of the first, and that of the others')
    })

    t.test('the success of a worker whose claim has lapsed is discarded with its effects and follow-ups', async t => {
      const claims = createClaims(database)
      const settle = createSettle({ database, enqueueJobs: jobs.enqueueJobs })
      const id = await enqueueOne(jobs, stateJob('a'))
      const [stale] = await claims.jobs({ slots: 1, perConnection: 1 })
      await database.query("update jobs set state = 'returned', is_suspect = true where id = $1", [id])
      const [current] = await claims.suspect('state', { perConnection: 1 })
      if (stale === undefined || current === undefined) throw new Error('not claimed')

      const outcome = {
        result: 'stale',
        followUps: [stateJob('child')],
        effects: async (transaction: { query: typeof database.query }) => {
          await transaction.query(writeEffect)
          return undefined
        }
      }
      const stored = [
        await settle.end(stale, { kind: 'succeeded', outcome }, undefined),
        await settle.end(stale, { kind: 'succeeded', outcome: {} }, undefined),
        await settle.putBack(stale, {
          delayMs: 0,
          resumesWithConnection: false,
          isFailure: true,
          problem: { code: 'X', message: 'x' }
        }, undefined)
      ]

      t.strictSame(stored, [false, false, false])
      t.equal(await effects(), 0)
      t.strictSame(await database.query('select id from jobs'), [{ id }])
      t.match(await read(jobs, id), { status: 'running', attempts: { length: 0 }, result: null })
      t.equal(await settle.end(current, { kind: 'succeeded', outcome: { result: 'current' } }, undefined), true)
      t.match(await read(jobs, id), { status: 'succeeded', result: 'current' })
    })

    t.test('a heartbeat keeps our jobs and names the jobs that another worker has now', async t => {
      const claims = createClaims(database)
      await jobs.enqueueJobs([stateJob('kept'), stateJob('lost')])
      const claimed = await claims.jobs({ slots: 2, perConnection: 2 })
      const lost = claimed.filter(({ payload }) => payload.object === 'lost')
      await database.query("update jobs set heartbeat_at = now() - interval '1 hour'")
      await database.query("update jobs set state = 'returned', is_suspect = true where id = any($1)", [
        lost.map(({ id }) => id)
      ])
      await claims.suspect('state', { perConnection: 2 })

      t.strictSame(await markAlive(database.query, claimed), lost)
      t.strictSame(await database.query("select from jobs where heartbeat_at < now() - interval '1 minute'"), [])
    })

    t.test('two claims of one job settled in the same moment store only the current one', async t => {
      const claims = createClaims(database)
      const settle = createSettle({ database, enqueueJobs: jobs.enqueueJobs })
      const id = await enqueueOne(jobs, stateJob('a'))
      const [stale] = await claims.jobs({ slots: 1, perConnection: 1 })
      await database.query("update jobs set state = 'returned', is_suspect = true where id = $1", [id])
      const [current] = await claims.suspect('state', { perConnection: 1 })
      if (stale === undefined || current === undefined) throw new Error('not claimed')

      const stored = await Promise
        .all([current, stale].map(job =>
          settle.end(job, { kind: 'succeeded', outcome: { result: job === current ? 'current' : 'stale' } }, undefined)
        ))

      t.strictSame(stored, [true, false])
      t.equal((await read(jobs, id)).result, 'current')
    })

    t.test('the answers and errors of a handler may hold any characters', async t => {
      const hostile = 'nul \0 half \ud800 backslash \\u0000'
      jobs.startWorker(async job => {
        if (job.payload.object === 'throws') {
          throw new RejectedError(hostile, { fields: [{ pointer: hostile, code: hostile, message: hostile }] })
        }
        return { result: { [hostile]: hostile, sum: 9_007_199_254_740_993n } }
      })
      const ids = (await jobs.enqueueJobs([stateJob('throws'), stateJob('answers')])).map(({ id }) => id)

      const records = await ended(jobs, ids)

      const stored = 'nul \ufffd half \ufffd backslash \\u0000'
      t.equal(records[0]?.problem?.message, stored)
      t.strictSame(records[1]?.result, { [stored]: stored, sum: '9007199254740993' })
    })

    t.test('only the last 20 attempts are kept', async t => {
      let runs = 0
      jobs.startWorker(async () => {
        runs += 1
        if (runs <= 24) throw new RateLimitedError(`run ${runs}`, { retryAfterMs: 0 })
        return {}
      })

      const [record] = await ended(jobs, [await enqueueOne(jobs, stateJob('a'))])

      t.equal(record?.attempts.length, 20)
      t.equal(record?.attempts[0]?.error?.message, 'run 6')
    })
  })
}
