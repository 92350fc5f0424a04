import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readValue } from '../../src/adapters/store.ts'
import { listEntries } from '../../src/audit/store.ts'
import { createPauses } from '../../src/connections/pauses/pauses.ts'
import type { ConnectionBody } from '../../src/connections/schemas.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { openConnections } from './open-connections.ts'
import { fakeAdapter } from './support.ts'

const keyed = fakeAdapter({
  credentials: Type.Object({ key: Type.String() }),
  capabilities: ['InventoryMaster', 'OfferManager'],
  described: { webhooks: { scheme: 'bearer', canInstall: false } }
})
const telling = fakeAdapter({
  adapterKey: 'telling.api.v1',
  platformType: 'telling',
  config: Type.Object({ tells: Type.Boolean({ default: false, initial: true }) })
})
const open = fakeAdapter({ adapterKey: 'open.api.v1', platformType: 'open' })
const body: ConnectionBody = { platformType: 'feed', name: 'Feed', credentials: { key: 'k' } }

t.test('creating connections', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  const { connections, changed } = openConnections(jobs, [keyed, open, telling])
  t.beforeEach(async () => {
    await query('delete from integration_credentials')
    changed.length = 0
  })
  const count = async (table: string): Promise<number> => (await query(`select from ${table}`)).length

  t.test('a connection without wishes is active, with all capabilities and the exact version', async t => {
    const { connection } = await connections.create(body, randomUUID())

    t.match(connection, {
      status: 'active',
      adapterKey: 'feed.api.v1',
      adapterVersion: '1.0.0',
      webhookScheme: 'bearer',
      version: 1
    })
    t.strictSame(connection.capabilities, ['InventoryMaster', 'OfferManager'])
    t.strictSame((await connections.readCredentials(connection.id)).value, { key: 'k' })
  })

  t.test('a new connection gets the initial values of its schema, an older one never does', async t => {
    const create = async (config?: Record<string, unknown>) =>
      (await connections.create({ platformType: 'telling', name: 'Telling', config }, randomUUID())).connection

    t.strictSame((await create()).config, { tells: true })
    t.strictSame((await create({ tells: false })).config, { tells: false })
    const { id } = await create()
    await query("update connections set config = '{}' where id = $1", [id])
    await connections.patch(id, { name: 'Older', config: { colour: 'red' } })
    t.strictSame((await connections.get(id)).config, { colour: 'red' })
  })

  t.test('a connection may be paused from the start, which the audit tells apart from its creation', async t => {
    const id = randomUUID()
    const pause = { capability: null, reason: null, until: null }
    t.match((await connections.create({ ...body, paused: true }, id)).connection.pauses, [pause])

    t.match((await connections.get(id)).pauses, [pause])
    t.match(changed, [{ pauses: [pause] }], 'the processes hear of it with the pause')
    t.strictSame((await listEntries(query, { connectionId: id, limit: 5 })).map(({ action }) => action).toSorted(), [
      'connection.create',
      'connection.pause'
    ])
    t.equal((await query("select from job_holds where group_id = $1 and reason = 'paused'", [id])).length, 1)

    await createPauses(jobs.database).resume(id, {})
    t.strictSame((await connections.get(id)).pauses, [])
  })

  t.test('a repeat gets the connection of the first request, also when both come at once', async t => {
    const id = randomUUID()
    const made = await Promise.all(['One', 'Two', 'Three'].map(name => connections.create({ ...body, name }, id)))
    const later = await connections.create({ ...body, name: 'Later' }, id)

    t.equal(await count('connections'), 1)
    t.equal(await count('integration_credentials'), 1)
    t.equal(new Set([...made, later].map(({ connection }) => connection.name)).size, 1)
  })

  for (
    const [what, given, code] of [
      ['neither credentials nor a reference', {}, 'required'],
      ['both', { credentials: { key: 'k' }, credentialsRef: 'db:a' }, 'required'],
      ['credentials where none are used', { platformType: 'open', credentials: { key: 'k' } }, 'unexpected'],
      ['a reference where none is used', { platformType: 'open', credentialsRef: 'db:a' }, 'unexpected']
    ] as const
  ) {
    t.test(`${what}: refused, and nothing is stored`, async t => {
      await t.rejects(connections.create({ platformType: 'feed', name: 'Feed', ...given }, randomUUID()), {
        code: 'LNK_CONNECTION_INVALID',
        errors: [{ pointer: '/credentials', code }]
      })
      t.equal(await count('connections'), 0)
      t.strictSame(changed, [])
    })
  }

  t.test('a reference must name credentials of the same platform', async t => {
    const { connection: { credentialsRef } } = await connections.create(body, randomUUID())
    const mail = fakeAdapter({
      adapterKey: 'mail.api.v1',
      platformType: 'mail',
      credentials: Type.Object({ key: Type.String() })
    })
    const { connections: both } = openConnections(jobs, [keyed, mail])
    const withRef = (platformType: string, ref = credentialsRef ?? '') =>
      both.create({ platformType, name: 'Second', credentialsRef: ref }, randomUUID())

    t.equal((await withRef('feed')).connection.credentialsRef, credentialsRef)
    await t.rejects(withRef('mail'), { errors: [{ pointer: '/credentialsRef', code: 'platform' }] })
    await t.rejects(withRef('feed', 'db:unknown'), { code: 'LNK_CREDENTIALS_NOT_FOUND' })
    t.equal(await count('connections'), 2)
  })

  t.test('values of the adapter are stored with the connection, or not at all', async t => {
    const id = randomUUID()
    await connections.create(body, id, { values: { account: { name: 'a' } }, credentialsLabel: 'test' })
    const [row] = await query<{ ref: string }>('select ref from integration_credentials')
    await t.rejects(connections.create(body, randomUUID(), { values: { account: 'a\0' } }), {
      code: 'LNK_CONNECTION_CREATION_FAILED'
    })

    t.strictSame(await readValue(query, id, 'account'), { name: 'a' })
    t.match(row?.ref, /^feed_test_/)
    t.equal(await count('connections'), 1)
    t.equal(await count('integration_credentials'), 1)
    t.equal(changed.length, 1)
  })

  t.test('jobs of a connection that is created disabled are held from the first moment', async t => {
    const { connection: { id } } = await connections.create({ ...body, status: 'disabled' }, randomUUID())

    t.strictSame(await query('select group_id as id, reason from job_holds'), [{ id, reason: 'inactive' }])
  })

  t.test('a capability that the adapter does not have is refused', async t => {
    await t.rejects(connections.create({ ...body, capabilities: ['OrderSource'] }, randomUUID()), {
      errors: [{ pointer: '/capabilities', code: 'enum' }]
    })
    t.equal(await count('connections'), 0)
  })
})
