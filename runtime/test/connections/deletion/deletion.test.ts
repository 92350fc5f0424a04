import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { storeCursors, writeValues } from '../../../src/adapters/store.ts'
import { listEntries } from '../../../src/audit/store.ts'
import type { Belonging, Belongings, FindUses } from '../../../src/connections/deletion/belongings.ts'
import { createDeletions } from '../../../src/connections/deletion/deletion.ts'
import type { Connection } from '../../../src/connections/entity.ts'
import { requirePresent } from '../../../src/connections/store.ts'
import { holdFor } from '../../../src/jobs/holds/store.ts'
import { getJob } from '../../../src/jobs/store.ts'
import { blocked, createGate, enqueueOne, kinds, openJobsFor, stateJob } from '../../jobs/support.ts'
import { openConnections } from '../open-connections.ts'
import { fakeAdapter } from '../support.ts'

const secretText = Type.String({ secret: true })
const adapter = fakeAdapter({
  config: Type.Object({ key: secretText, shop: Type.String() }),
  credentials: Type.Object({ password: secretText })
})
const body = {
  platformType: 'feed',
  name: 'Feed',
  status: 'disabled' as const,
  config: { key: 'secret-of-the-feed', shop: 'the-shop' },
  credentials: { password: 'secret-password' }
}
const nothing: Belongings = {
  removed: [],
  kept: [],
  uses: [],
  openOrders: { count: async () => 0, first: async () => [], note: async () => undefined }
}
const plainly = { isDryRun: false, isForced: false, waitMs: 0 }

/** Rows that go, and a gate in the transaction that removes them. */
function gated (): { belonging: Belonging, reached: Promise<void>, open(): void } {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    belonging: {
      what: 'rows behind a gate',
      count: async () => 0,
      async remove () {
        reached.resolve()
        await opened.promise
      }
    },
    reached: reached.promise,
    open: opened.resolve
  }
}

for (const kind of kinds(t)) {
  t.test(`deletions of connections, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, database: { query } } = jobs
    const { connections } = openConnections(jobs, [adapter])

    const create = async (more: object = {}): Promise<Connection> =>
      (await connections.create({ ...body, ...more }, randomUUID())).connection
    function openDeletions (belongings: Partial<Belongings> = {}) {
      const [changed, forgotten]: [Connection[], string[]] = [[], []]
      const deletions = createDeletions({
        database,
        connections,
        adapters: {
          forget (id) {
            forgotten.push(id)
          }
        },
        belongings: { ...nothing, ...belongings },
        async onChanged (connection) {
          changed.push({ ...connection })
        },
        now: () => new Date()
      })
      return { ...deletions, changed, forgotten }
    }
    const countOf = async (table: string, column: string, id: string): Promise<number> =>
      (await query(`select from ${table} where ${column} = $1`, [id])).length
    const entriesOf =
      async (connectionId:
        string) => (await listEntries(query, { connectionId, action: 'connection.delete', limit: 10 }))

    t.test('the row stays with its name, without settings and secrets, and other processes learn of it', async t => {
      const { id, version, credentialsRef } = await create()
      await storeCursors(query, id, { orders: '17' })
      await writeValues(query, id, { a: 1, b: 2 })
      const { remove, list, changed, forgotten } = openDeletions()

      const deletion = await remove(id, plainly)

      t.match(deletion, {
        id,
        name: 'Feed',
        platformType: 'feed',
        deleted: true,
        obstacles: { length: 0 },
        openOrders: 0
      })
      t.strictSame(deletion.removed.filter(({ count }) => count > 0), [
        { what: 'credentials', count: 1 },
        { what: 'values of the adapter', count: 2 }
      ])
      const [row] = await query<Record<string, unknown>>('select * from connections where id = $1', [id])
      t.match(row, {
        name: 'Feed',
        platform_type: 'feed',
        adapter_key: 'feed.api.v1',
        config: {},
        credentials_ref: null
      })
      t.notMatch(JSON.stringify(row), /secret-/)
      for (const table of ['connection_values', 'connection_locks']) {
        t.equal(await countOf(table, 'connection_id', id), 0, table)
      }
      t.equal(await countOf('integration_credentials', 'ref', String(credentialsRef).replace('db:', '')), 0)
      t.equal(await countOf('job_holds', 'group_id', id), 0)
      t.match(changed, [{ id, version: version + 1 }])
      t.strictSame(forgotten, [id])
      t.match(await list({ limit: 10 }), [{ id, name: 'Feed', platformType: 'feed', deletedAt: /Z$/ }])
      await t.rejects(connections.get(id), { code: 'LNK_CONNECTION_NOT_FOUND' })
      t.strictSame(await connections.list({ limit: 10 }), [])
    })

    t.test('the audit has the settings before, without secrets', async t => {
      const { id } = await create()
      await openDeletions().remove(id, plainly)

      const [entry] = await entriesOf(id)
      t.match(entry, { objectId: id, objectName: 'Feed' })
      t.strictSame(entry?.changes.find(({ pointer }) => pointer === '/config/shop'), {
        pointer: '/config/shop',
        from: 'the-shop'
      })
      t.strictSame(entry?.changes.find(({ pointer }) => pointer === '/config/key'), {
        pointer: '/config/key',
        isSecret: true
      })
      t.notMatch(JSON.stringify(entry), /secret-of-the-feed|secret-password/)
    })

    t.test('credentials that another connection uses stay', async t => {
      const { id, credentialsRef } = await create()
      const { credentials: _, ...others } = body
      const other = await connections.create({ ...others, credentialsRef: String(credentialsRef) }, randomUUID())
      await openDeletions().remove(id, plainly)

      t.match(await connections.readCredentials(other.connection.id), { value: { password: 'secret-password' } })
    })

    t.test('a second deletion and an unknown id are answered alike', async t => {
      const { id } = await create()
      const { remove } = openDeletions()
      await remove(id, plainly)

      for (const gone of [id, randomUUID()]) {
        await t.rejects(remove(gone, plainly), { code: 'LNK_CONNECTION_NOT_FOUND' })
        await t.rejects(remove(gone, { ...plainly, isDryRun: true }), { code: 'LNK_CONNECTION_NOT_FOUND' })
      }
      t.equal((await entriesOf(id)).length, 1)
    })

    t.test('an adapter that creates it again under the same id is refused', async t => {
      const { id } = await create()
      await openDeletions().remove(id, plainly)

      await t.rejects(connections.create(body, id), { code: 'LNK_CONNECTION_DELETED', message: /'Feed'/ })
    })

    t.test('another version than the expected one refuses it', async t => {
      const { id, version } = await create()
      const { remove } = openDeletions()

      await t.rejects(remove(id, { ...plainly, expectedVersion: version + 1 }), { code: 'LNK_PRECONDITION_FAILED' })
      t.match(await remove(id, { ...plainly, expectedVersion: version }), { deleted: true })
    })

    t.test('jobs that wait are cancelled; a job that runs is an obstacle, even by force', async t => {
      const { id } = await create({ status: 'active' })
      const other = await jobs.addConnection('disabled')
      const gate = createGate()
      const running = await enqueueOne(jobs, stateJob('a', { connectionId: id }))
      jobs.startWorker(gate.handler)
      await gate.reached(1)
      await connections.disable(id)
      const waiting = await enqueueOne(jobs, stateJob('b', { connectionId: id }))
      const others = await enqueueOne(jobs, stateJob('b', { connectionId: other }))
      const { remove } = openDeletions()
      const forced = { ...plainly, isForced: true }

      t.match(await remove(id, { ...forced, isDryRun: true }), {
        cancelledJobs: 1,
        obstacles: [{ pointer: `/jobs/${running}`, code: 'running' }]
      })
      await t.rejects(remove(id, forced), {
        code: 'LNK_CONNECTION_BUSY',
        errors: [{ pointer: `/jobs/${running}` }]
      })
      t.match(await getJob(query, waiting), { status: 'waiting' })

      const removing = remove(id, { ...forced, waitMs: 60_000 })
      gate.open()
      t.match(await removing, { deleted: true, cancelledJobs: 1 })
      t.match(await getJob(query, running), { status: 'succeeded' })
      t.match(await getJob(query, waiting), {
        status: 'cancelled',
        finishedAt: /Z$/,
        problem: { code: 'LNK_CONNECTION_DELETED', message: "Connection 'Feed' was deleted" }
      })
      t.match(await getJob(query, others), { status: 'waiting' })
    })

    t.test('while another process moves the connection, it is not deleted', async t => {
      const { id } = await create()
      await holdFor(query, id, 'moving', 60_000)

      await t.rejects(openDeletions().remove(id, plainly), { code: 'LNK_CONNECTION_MOVING' })
      t.match(await connections.get(id), { name: 'Feed' })
    })

    t.test('a connection that is enabled after the first look is refused by the second', async t => {
      const { id } = await create()
      let looks = 0
      const enabling: FindUses = async () => {
        looks += 1
        if (looks === 1) await connections.patch(id, { status: 'active' })
        return []
      }

      await t.rejects(openDeletions({ uses: [enabling] }).remove(id, plainly), {
        code: 'LNK_DELETION_REFUSED',
        errors: [{ code: 'in-service' }]
      })
      t.match(await connections.get(id), { status: 'active' })
    })

    t.test('what changes the connection during its deletion finds it deleted', async t => {
      const { id } = await create()
      const { belonging, reached, open } = gated()
      const removing = openDeletions({ removed: [belonging] }).remove(id, plainly)
      await reached
      const late = Promise.allSettled([
        connections.patch(id, { status: 'active' }),
        connections.disable(id),
        database.transaction(async transaction => requirePresent(transaction.query, id))
      ])
      if (kind !== 'embedded') await blocked(query)
      open()

      t.match(await removing, { deleted: true })
      for (const settled of await late) {
        t.match(settled, { status: 'rejected', reason: { code: 'LNK_CONNECTION_NOT_FOUND' } })
      }
      t.equal(await countOf('job_holds', 'group_id', id), 0)
    })

    t.test('a deletion waits for a transaction that stores rows of the connection, and sees them', async t => {
      const { id } = await create()
      const [held, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const storing = database.transaction(async transaction => {
        await requirePresent(transaction.query, id)
        await writeValues(transaction.query, id, { a: 1 })
        held.resolve()
        await finish.promise
      })
      await held.promise
      const removing = openDeletions().remove(id, plainly)
      if (kind !== 'embedded') await blocked(query)
      finish.resolve()
      await storing

      t.match(await removing, { deleted: true })
      t.equal(await countOf('connection_values', 'connection_id', id), 0)
    })

    t.test('when the removal of one row fails, nothing is deleted', async t => {
      const { id } = await create()
      await storeCursors(query, id, { orders: '17' })
      const waiting = await enqueueOne(jobs, stateJob('a', { connectionId: id }))
      const broken: Belonging = {
        what: 'rows that nobody can remove',
        count: async () => 1,
        async remove () {
          throw new Error('no')
        }
      }

      await t.rejects(openDeletions({ removed: [broken] }).remove(id, plainly), { message: 'no' })
      t.match(await connections.get(id), { status: 'disabled', config: body.config })
      t.equal(await countOf('connection_cursors', 'connection_id', id), 1)
      t.match(await getJob(query, waiting), { status: 'waiting' })
      t.strictSame(await entriesOf(id), [])
    })

    t.test('when a row was linked meanwhile, the second try sees what stands in the way', async t => {
      const { id } = await create()
      let tries = 0
      const linked: Belonging = {
        what: 'rows that others name',
        count: async () => 0,
        async remove () {
          tries += 1
          throw Object.assign(new Error('still referenced'), { code: '23503' })
        }
      }
      const used: FindUses = async () => tries === 0 ? [] : [{ pointer: '', code: 'shop-of-offers', message: 'used' }]

      await t.rejects(openDeletions({ removed: [linked], uses: [used] }).remove(id, plainly), {
        code: 'LNK_DELETION_REFUSED',
        errors: [{ code: 'shop-of-offers' }]
      })
      t.equal(tries, 1)
    })
  })
}
