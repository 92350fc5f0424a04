import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readCursors, storeCursors } from '../../../src/adapters/store.ts'
import { listEntries } from '../../../src/audit/store.ts'
import { createCursors } from '../../../src/connections/cursors/cursors.ts'
import { createGate, enqueueOne, kinds, openJobsFor, stateJob } from '../../jobs/support.ts'
import { openConnections } from '../open-connections.ts'
import { fakeAdapter } from '../support.ts'

const adapter = fakeAdapter({ config: Type.Object({ key: Type.String({ secret: true }) }) })
const secret = 'secret-of-the-feed'

for (const kind of kinds(t)) {
  t.test(`cursors of connections, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, database: { query } } = jobs
    const { connections } = openConnections(jobs, [adapter])
    const cursors = createCursors({ database, connections })

    async function create (present: Record<string, string> = { feed: '7', orders: '17' }): Promise<string> {
      const body = { platformType: 'feed', name: 'Feed', config: { key: secret } }
      const { connection: { id } } = await connections.create(body, randomUUID())
      await storeCursors(query, id, present)
      return id
    }
    const audited = async (connectionId: string) =>
      (await listEntries(query, { connectionId, limit: 10 }))
        .filter(({ action }) => action !== 'connection.create')
        .map(({ action, objectId, changes }) => ({ action, objectId, changes }))

    t.test('they are listed by name, without secrets', async t => {
      const id = await create({ orders: '17', feed: `?key=${secret}` })

      t.match(await cursors.list(id), [{ cursorKey: 'feed', value: '?key=[redacted]', updatedAt: /Z$/ }, {
        cursorKey: 'orders',
        value: '17'
      }])
      await t.rejects(cursors.list(randomUUID()), { code: 'LNK_CONNECTION_NOT_FOUND' })
    })

    t.test('a change is stored with its entry in the audit; the same value again is no change', async t => {
      const id = await create()
      await cursors.change({ connectionId: id, key: 'orders', value: '5', waitMs: 0 })
      await cursors.change({ connectionId: id, key: 'orders', value: '5', waitMs: 0 })
      t.strictSame(await readCursors(query, id), { feed: '7', orders: '5' })
      await cursors.change({ connectionId: id, key: 'orders', waitMs: 0 })

      t.strictSame(await readCursors(query, id), { feed: '7' })
      t.strictSame(await audited(id), [
        { action: 'cursor.reset', objectId: 'orders', changes: [{ pointer: '/orders', from: '5' }] },
        { action: 'cursor.set', objectId: 'orders', changes: [{ pointer: '/orders', from: '17', to: '5' }] }
      ])
    })

    t.test('a cursor that the connection lacks is refused with those that it has, unless it may be new', async t => {
      const id = await create()
      const other = await create({})
      const change = { connectionId: id, key: 'order', value: '5', waitMs: 0 }

      await t.rejects(cursors.change(change), {
        code: 'LNK_CURSOR_NOT_FOUND',
        message: /no cursor 'order'\. It has: feed, orders$/,
        errors: [{ pointer: '/create', code: 'required' }]
      })
      await t.rejects(cursors.change({ connectionId: id, key: 'order', waitMs: 0 }), { code: 'LNK_CURSOR_NOT_FOUND' })
      await t.rejects(cursors.change({ connectionId: other, key: 'orders', waitMs: 0 }), { message: /It has: none$/ })
      await t.rejects(cursors.change({ ...change, connectionId: randomUUID(), mayBeNew: true }), {
        code: 'LNK_CONNECTION_NOT_FOUND'
      })
      t.strictSame(await readCursors(query, id), { feed: '7', orders: '17' })
      t.strictSame(await audited(id), [])

      await cursors.change({ ...change, mayBeNew: true })
      t.strictSame(await readCursors(query, id), { feed: '7', order: '5', orders: '17' })
      t.strictSame((await audited(id)).map(({ changes }) => changes), [[{ pointer: '/order', to: '5' }]])
    })

    t.test('the audit does not show secrets of the connection', async t => {
      const id = await create({ feed: `?key=${secret}` })
      await cursors.change({ connectionId: id, key: 'feed', value: `?from=1&key=${secret}`, waitMs: 0 })

      t.match(await audited(id), [{ changes: [{ from: '?key=[redacted]', to: '?from=1&key=[redacted]' }] }])
    })

    t.test('a change waits for the job that runs, whose own position does not win', async t => {
      const id = await create()
      const gate = createGate({
        async effects (transaction) {
          await storeCursors(transaction.query, id, { orders: '18' })
          return undefined
        }
      })
      jobs.startWorker(gate.handler)
      const jobId = await enqueueOne(jobs, stateJob('a', { connectionId: id }))
      await gate.reached(1)

      await t.rejects(cursors.change({ connectionId: id, key: 'orders', value: '5', waitMs: 0 }), {
        code: 'LNK_CONNECTION_BUSY',
        errors: [{ pointer: `/jobs/${jobId}` }]
      })
      t.strictSame(await readCursors(query, id), { feed: '7', orders: '17' })
      const changing = cursors.change({ connectionId: id, key: 'orders', value: '5', waitMs: 20_000 })
      gate.open()
      await changing
      t.strictSame(await readCursors(query, id), { feed: '7', orders: '5' })
      t.match((await audited(id)).map(({ changes }) => changes), [[{ from: '18', to: '5' }]])
    })
  })
}
