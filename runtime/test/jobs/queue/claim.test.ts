import { randomUUID } from 'node:crypto'
import t from 'tap'
import { holdFor } from '../../../src/jobs/holds/store.ts'
import { createClaims } from '../../../src/jobs/queue/claim.ts'
import { claimDue } from '../../../src/jobs/queue/statements.ts'
import { commandJob, createGate, ended, enqueueOne, kinds, openJobsFor, read, stateJob } from '../support.ts'

interface Plan {
  'Shared Hit Blocks': number
}

interface Explained {
  'QUERY PLAN': [{ Plan: Plan }]
}

const insertQueued = `
  insert into jobs (id, job_type, lane, object_key, idempotency_key, payload, state, due_at)
  select gen_random_uuid(), 'state.sync', 'state', number::text, number::text, '{}', 'queued', now()
  from generate_series($1::integer, $2::integer) as number`

for (const kind of kinds(t)) {
  t.test(`claiming, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)

    t.test('a claim that was planned for few jobs passes a backlog quickly', async t => {
      const { database } = jobs
      await database.query(insertQueued, [1, 10])
      const [explained] = await database.transaction(async ({ query }) => {
        await query('set local plan_cache_mode = force_generic_plan')
        await query(`prepare a_claim (text, uuid, integer, integer) as ${claimDue}`)
        const execute = `execute a_claim ('', '${randomUUID()}', 20, 20)`
        await query(execute)
        await query(insertQueued, [11, 5_000])
        const rows = await query<Explained>(`explain (analyze, buffers, format json) ${execute}`)
        await query('deallocate a_claim')
        return rows
      })
      const plan = JSON.stringify(explained?.['QUERY PLAN'][0].Plan, null, 1)

      t.match(plan, /"Index Scan"/)
      t.notMatch(plan, /"Seq Scan"[^{}]*"Relation Name": "jobs"/)
      await jobs.clear()
    })

    t.test('a claim passes a backlog quickly, even before PostgreSQL has statistics of it', async t => {
      const { database } = jobs
      // PostgreSQL may have looked at the few rows of the tests before.
      await database.query("delete from pg_statistic where starelid = 'jobs'::regclass")
      await database.query("update pg_class set relpages = 0, reltuples = -1 where oid = 'jobs'::regclass")
      await database.query(insertQueued, [1, 5_000])
      const plans: Plan[] = []
      const explaining = {
        ...database,
        async query (text: string, values: readonly unknown[] = []) {
          const [row] = await database.query<Explained>(`explain (analyze, buffers, format json) ${text}`, values)
          if (row !== undefined) plans.push(row['QUERY PLAN'][0].Plan)
          return []
        }
      }

      await createClaims(explaining).jobs({ slots: 20, perConnection: 20 })

      t.ok(plans.length > 0)
      for (const plan of plans) t.ok(plan['Shared Hit Blocks'] < 2_000, JSON.stringify(plan, null, 1))
    })

    for (const job of [stateJob, commandJob]) {
      t.test(`a busy object does not keep others back, ${job.name}`, async t => {
        const claim = createClaims(jobs.database).jobs
        await jobs.enqueueJobs([job('busy')])
        t.equal((await claim({ slots: 1, perConnection: 50 })).length, 1)
        await jobs.enqueueJobs([job('busy')])
        await jobs.enqueueJobs(Array.from({ length: 20 }, (_, number) => job(`free ${number}`)))

        const claimed = await claim({ slots: 50, perConnection: 50 })

        t.equal(claimed.length, 20)
        t.notOk(claimed.some(({ payload }) => payload.object === 'busy'))
      })
    }

    t.test('a job that waits for another try keeps a newer one of its object back', async t => {
      const claim = createClaims(jobs.database).jobs
      const first = await enqueueOne(jobs, stateJob('a'))
      await claim({ slots: 1, perConnection: 9 })
      const second = await enqueueOne(jobs, stateJob('a'))
      await jobs.database.query(
        "update jobs set state = 'returned', due_at = now() + interval '1 hour' where id = $1",
        [first]
      )

      const early = await claim({ slots: 9, perConnection: 9 })
      await jobs.makeDue()
      const due = await claim({ slots: 9, perConnection: 9 })

      t.strictSame(early, [])
      t.strictSame(due.map(({ id }) => id), [first])
      t.equal((await read(jobs, second)).status, 'queued')
    })

    t.test('20 claims at once give every job to one of them, and one job per object', async t => {
      await jobs.enqueueJobs(Array.from({ length: 200 }, (_, number) =>
        (number % 2 === 0 ? stateJob : commandJob)(`o${number % 100}`)))

      const claimed = (await Promise.all(Array.from({ length: 20 }, () =>
        createClaims(jobs.database).jobs({ slots: 20, perConnection: 1_000 })))).flat()
      claimed.push(...await createClaims(jobs.database).jobs({ slots: 200, perConnection: 1_000 }))

      t.equal(
        new Set(claimed.map(({ id }) =>
          id
        )).size,
        claimed.length
      )
      t.equal(
        new Set(claimed.map(({ lane, payload }) =>
          `${lane} ${String(payload.object)}`
        )).size,
        claimed.length
      )
      t.equal(claimed.length, 100)
    })

    t.test('jobs of a connection that is not active wait, those of others do not', async t => {
      const [active, disabled] = [await jobs.addConnection(), await jobs.addConnection('disabled')]
      const waiting = await enqueueOne(jobs, stateJob('a', { connectionId: disabled }))
      const runs = await enqueueOne(jobs, stateJob('a', { connectionId: active }))
      const claim = createClaims(jobs.database).jobs

      const before = await claim({ slots: 9, perConnection: 9 })
      t.equal((await read(jobs, waiting)).status, 'waiting')
      await jobs.setStatus(disabled, 'active')
      const after = await claim({ slots: 9, perConnection: 9 })

      t.strictSame(
        before.map(({ id }) =>
          id
        ),
        [runs]
      )
      t.strictSame(after.map(({ id }) => id), [waiting])
    })

    t.test('jobs of a connection that is being moved wait until its mark is removed or lapses', async t => {
      const [moving, other] = [await jobs.addConnection(), await jobs.addConnection()]
      await holdFor(jobs.database.query, moving, 'moving', 60_000)
      const waiting = [
        await enqueueOne(jobs, stateJob('a', { connectionId: moving })),
        await enqueueOne(jobs, commandJob('a', { connectionId: moving }))
      ]
      const runs = await enqueueOne(jobs, stateJob('a', { connectionId: other }))

      const before = await createClaims(jobs.database).jobs({ slots: 9, perConnection: 9 })
      await jobs.database.query("update job_holds set lapses_at = now() - interval '1 millisecond'")
      const after = await createClaims(jobs.database).jobs({ slots: 9, perConnection: 9 })

      t.strictSame(before.map(({ id }) => id), [runs])
      t.strictSame(after.map(({ id }) => id).toSorted(), waiting.toSorted())
    })

    t.test('jobs of the hub itself and of a connection that was removed are claimed', async t => {
      await jobs.enqueueJobs([stateJob('hub'), stateJob('removed', { connectionId: randomUUID() })])

      t.equal((await createClaims(jobs.database).jobs({ slots: 9, perConnection: 9 })).length, 2)
    })

    t.test('a connection never has more than its share, counting both lanes and what runs already', async t => {
      const connectionId = await jobs.addConnection()
      const claim = createClaims(jobs.database).jobs
      await jobs.enqueueJobs(Array.from({ length: 40 }, (_, number) =>
        (number % 2 === 0 ? stateJob : commandJob)(`o${number}`, { connectionId })))

      const sizes = [
        await claim({ slots: 3, perConnection: 5 }),
        await claim({ slots: 30, perConnection: 5 }),
        await claim({ slots: 30, perConnection: 5 })
      ].map(({ length }) =>
        length
      )

      t.equal(sizes[0], 3)
      t.equal((sizes[1] ?? 0) + (sizes[2] ?? 0), 2)
    })

    t.test('10 jobs behind a backlog of 5 000 of another connection are claimed in the first 4 claims', async t => {
      const [flooding, quiet] = [await jobs.addConnection(), await jobs.addConnection()]
      for (let from = 0; from < 5_000; from += 1_000) {
        await jobs
          .enqueueJobs(Array.from(
            { length: 1_000 },
            (_, number) => stateJob(`o${from + number}`, { connectionId: flooding })
          ))
      }
      await jobs.enqueueJobs(Array.from({ length: 10 }, (_, number) => stateJob(`q${number}`, { connectionId: quiet })))
      const claim = createClaims(jobs.database).jobs

      let found = 0
      for (let claims = 0; claims < 4; claims++) {
        found += (await claim({ slots: 8, perConnection: 5 })).filter(({ connectionId }) =>
          connectionId === quiet
        ).length
      }
      // The share of the quiet connection is 5. Its other jobs get their turn when these five have
      // ended.
      await jobs.database.query("delete from jobs where state = 'running'")
      for (let claims = 0; claims < 4; claims++) {
        found += (await claim({ slots: 8, perConnection: 5 })).filter(({ connectionId }) =>
          connectionId === quiet
        ).length
      }

      t.equal(found, 10)
    })

    t.test('every one of 60 connections gets a turn before the first gets its second', async t => {
      const connections = await Promise.all(Array.from({ length: 60 }, () => jobs.addConnection()))
      await jobs
        .enqueueJobs(connections.flatMap(connectionId => [
          stateJob('a', { connectionId }),
          stateJob('b', { connectionId }),
          stateJob('c', { connectionId })
        ]))
      const claim = createClaims(jobs.database).jobs

      const order: (string | null)[] = []
      for (let claims = 0; claims < 60; claims++) {
        order.push(...(await claim({ slots: 1, perConnection: 3 })).map(({ connectionId }) => connectionId))
      }

      t.equal(new Set(order).size, 60)
    })

    t.test(
      'commands of an object run in the order in which they were enqueued, within a batch and after it, and a ' +
        'dead one does not stop them',
      async t => {
        const ids = (await jobs.enqueueJobs(Array.from({ length: 30 }, () => commandJob('a')))).map(({ id }) => id)
        for (let number = 0; number < 10; number++) ids.push(await enqueueOne(jobs, commandJob('a')))
        const order: string[] = []

        jobs.startWorker(async job => {
          order.push(job.id)
          if (order.length % 7 === 0) throw Object.assign(new Error('refused'), { code: 'LNK_ADAPTER_REJECTED' })
          return {}
        })
        await ended(jobs, ids)

        t.strictSame(order, ids)
      }
    )

    t.test('a command that waits for another try is not overtaken', async t => {
      const [first, second] = (await jobs.enqueueJobs([commandJob('a'), commandJob('a')])).map(({ id }) => id)
      const order: string[] = []
      const failed = createGate()
      jobs.startWorker(async job => {
        order.push(job.id)
        if (order.length === 1) {
          await failed.handler(job)
          throw new Error('once more')
        }
        return {}
      }, { random: () => 0 })

      await failed.reached(1)
      failed.open()
      await ended(jobs, [String(first), String(second)])

      t.strictSame(order, [first, first, second])
    })
  })
}
