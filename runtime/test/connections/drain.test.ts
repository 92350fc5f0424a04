import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createRegistry } from '../../src/adapters/registry.ts'
import { createConnections } from '../../src/connections/connections.ts'
import { createDrain } from '../../src/connections/drain.ts'
import type { Database } from '../../src/database/database.ts'
import { createGate, ended, enqueueOne, kinds, openJobsFor, stateJob, type Jobs } from '../jobs/support.ts'
import { fakeAdapter, noAccounts } from './support.ts'

t.setTimeout(120_000)

const limits = { holdMs: 60_000, renewMs: 10_000, commitMs: 1_000 }

async function markOf ({ database }: Jobs, connectionId: string): Promise<string | null> {
  const [row] = await database.query<{ mark: string | null }>(
    "select lapses_at::text as mark from job_holds where group_id = $1 and reason = 'moving'",
    [connectionId]
  )
  return row?.mark ?? null
}

/** Replaces the present hold by the hold of another move. */
async function holdAs ({ query }: Pick<Database, 'query'>, connectionId: string, interval: string): Promise<void> {
  await query(
    `
    insert into job_holds (group_id, part, reason, lapses_at) values ($1, '', 'moving', now() + interval '${interval}')
    on conflict (group_id, part, reason) do update set lapses_at = excluded.lapses_at`,
    [connectionId]
  )
}

/** Waits for a mark. */
async function markSet (jobs: Jobs, connectionId: string): Promise<string> {
  let mark = await markOf(jobs, connectionId)
  while (mark === null) {
    await sleep(10)
    mark = await markOf(jobs, connectionId)
  }
  return mark
}

for (const kind of kinds(t)) {
  t.test(`draining, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs

    t.test('the work begins when the last job has ended, and no other one begins before it is done', async t => {
      const connectionId = await jobs.addConnection()
      const order: string[] = []
      const gate = createGate()
      jobs.startWorker(async job => {
        order.push(`begin ${String(job.payload.object)}`)
        await gate.handler(job)
        order.push(`end ${String(job.payload.object)}`)
        return {}
      })
      const ids = [await enqueueOne(jobs, stateJob('before', { connectionId }))]
      await gate.reached(1)
      const draining = createDrain(database, limits)({ connectionId, waitMs: 20_000 }, async endMark => {
        ids.push(await enqueueOne(jobs, stateJob('after', { connectionId })))
        database.notify('jobs')
        // The worker that leaves our job alone claims this job of another connection.
        await ended(jobs, [await enqueueOne(jobs, stateJob('elsewhere', { connectionId: await jobs.addConnection() }))])
        order.push('work')
        await database.transaction(({ query }) => endMark(query))
      })
      await markSet(jobs, connectionId)
      gate.open()
      await draining
      await ended(jobs, ids)

      t.strictSame(order.filter(entry => !entry.endsWith('elsewhere')), [
        'begin before',
        'end before',
        'work',
        'begin after',
        'end after'
      ])
      t.equal(await markOf(jobs, connectionId), null)
    })

    t.test('when jobs do not end in time nothing is done, they are named, and the mark is removed', async t => {
      const connectionId = await jobs.addConnection()
      const gate = createGate()
      jobs.startWorker(gate.handler)
      const id = await enqueueOne(jobs, stateJob('a', { connectionId }))
      await gate.reached(1)

      await t.rejects(createDrain(database, limits)({ connectionId, waitMs: 200 }, async () => t.fail('it was done')), {
        code: 'LNK_CONNECTION_BUSY',
        message: new RegExp(id),
        errors: [{ pointer: `/jobs/${id}`, code: 'running' }]
      })
      t.equal(await markOf(jobs, connectionId), null)
      gate.open()
    })

    t.test('when two begin at once, one is refused and leaves the mark of the other', async t => {
      const connectionId = await jobs.addConnection()
      const drain = createDrain(database, limits)
      let inside: string | null = null

      await drain({ connectionId, waitMs: 0 }, async () => {
        await t.rejects(drain({ connectionId, waitMs: 0 }, async () => t.fail('both were done')), {
          code: 'LNK_CONNECTION_MOVING'
        })
        inside = await markOf(jobs, connectionId)
      })
      t.type(inside, 'string')
    })

    t.test('a failure of the work removes the mark', async t => {
      const connectionId = await jobs.addConnection()

      await t.rejects(
        createDrain(database, limits)({ connectionId, waitMs: 0 }, async () => {
          throw new Error('no')
        }),
        { message: 'no' }
      )
      t.equal(await markOf(jobs, connectionId), null)
    })

    t.test('the mark is renewed while jobs are waited for', async t => {
      const connectionId = await jobs.addConnection()
      const gate = createGate()
      jobs.startWorker(gate.handler)
      const id = await enqueueOne(jobs, stateJob('a', { connectionId }))
      await gate.reached(1)
      const renewing = { holdMs: 10_000, renewMs: 100, commitMs: 100 }
      const draining = createDrain(database, renewing)({ connectionId, waitMs: 60_000 }, async endMark => {
        await database.transaction(({ query }) => endMark(query))
      })
      const marks = new Set<string>()
      while (marks.size < 4) marks.add(await markSet(jobs, connectionId))
      gate.open()
      await draining
      await ended(jobs, [id])

      t.strictSame([...marks], [...marks].toSorted(), 'each lasts longer than the one before')
      t.equal(await markOf(jobs, connectionId), null)
    })

    t.test(
      'after its mark lapsed, or somebody else set one, nothing can be committed, and the mark of the other ' +
        'stays',
      async t => {
        const connectionId = await jobs.addConnection()
        const drain = createDrain(database, limits)
        const set = (text: string): Promise<unknown> => holdAs(database, connectionId, text)
        const late = (text: string) =>
          drain({ connectionId, waitMs: 0 }, async endMark => {
            await set(text)
            await database.transaction(({ query }) => endMark(query))
          })

        await t.rejects(late('-1 second'), { code: 'LNK_CONNECTION_MOVING' })
        await t.rejects(late('2 minutes'), { code: 'LNK_CONNECTION_MOVING' })
        t.type(await markOf(jobs, connectionId), 'string')
        await set('-1 second')
        await t.rejects(
          createDrain(database, { ...limits, holdMs: 900 })(
            { connectionId, waitMs: 0 },
            async endMark => database.transaction(({ query }) => endMark(query))
          ),
          { code: 'LNK_CONNECTION_MOVING' },
          'nor when too little of it is left for the commit'
        )
        await t.resolves(
          drain({ connectionId, waitMs: 0 }, async endMark => database.transaction(({ query }) => endMark(query))),
          'a lapsed mark stops nobody'
        )
      }
    )

    t.test('a run that was claimed by a look from before the mark is not given the connection', async t => {
      const connectionId = await jobs.addConnection()
      await database.query(
        "update connections set adapter_key = 'feed.api.v1', adapter_version = '1.0.0' where id = $1",
        [connectionId]
      )
      const adapter = fakeAdapter()
      const registry = createRegistry([{ packageName: 'feed', isRequired: false, found: adapter, adapter }], new Map())
      const unused = {
        create: () => '',
        replace: async () => '',
        readMany: async () => [],
        read: async () => {
          throw new Error('no credentials are read')
        },
        refuseRefresh: async () => undefined
      }
      const connections = createConnections({
        ...noAccounts,
        database,
        registry,
        credentials: unused,
        now: () => new Date(),
        onChanged: async () => undefined
      })
      const mark = (text: string): Promise<unknown> => holdAs(database, connectionId, text)

      await mark('1 minute')
      await t.rejects(connections.openEnabled(connectionId), { code: 'LNK_CONNECTION_MOVING' })
      await t.resolves(connections.open(connectionId), 'what is no job is not kept waiting')
      await mark('-1 second')
      await t.resolves(connections.openEnabled(connectionId))
    })
  })
}
