import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { credentialsVersionOf } from '../../src/connections/open-connection.ts'
import { holdFor } from '../../src/jobs/holds/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { openConnections } from './open-connections.ts'
import { fakeAdapter } from './support.ts'

t.test('credentials without a row, or without a reference, have a version too', async t => {
  t.equal(credentialsVersionOf('db:a', { version: 2 }), 'db:a:2')
  t.equal(credentialsVersionOf('db:a', undefined), 'db:a:0')
  t.equal(credentialsVersionOf(null, undefined), ':0')
})

const adapter = fakeAdapter({ credentials: Type.Object({ key: Type.String({ minLength: 1 }) }) })

t.test('opening a connection', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { connections } = openConnections(jobs, [adapter])
  const create = async () =>
    (await connections.create({ platformType: 'feed', name: 'Feed', credentials: { key: 'first' } }, randomUUID()))
      .connection

  t.test('its version changes with the connection and with the credentials: adapters keep clients by it', async t => {
    const { id } = await create()
    const versions = [(await connections.open(id)).snapshot.version]
    await connections.patch(id, { name: 'New' })
    versions.push((await connections.open(id)).snapshot.version)
    await connections.replaceCredentials(id, { key: 'second' })
    const opened = await connections.open(id)
    versions.push(opened.snapshot.version)

    t.equal(new Set(versions).size, 3)
    t.strictSame(opened.snapshot.credentials, { key: 'second' })
    t.match(opened.snapshot.credentialsVersion, /^db:feed_.*:2$/)
  })

  t.test('given credentials are tried instead of the stored ones, by a client of their own', async t => {
    const { id } = await create()
    const [one, two] = [await connections.open(id, { key: 'tried' }), await connections.open(id, { key: 'tried' })]

    t.strictSame(one.snapshot.credentials, { key: 'tried' })
    t.not(one.snapshot.version, two.snapshot.version)
    t.strictSame((await connections.readCredentials(id)).value, { key: 'first' })
    await t.rejects(connections.open(id, { key: '' }), { code: 'LNK_CONNECTION_INVALID' })
  })

  t.test('new work is refused on a connection that is disabled or is being moved', async t => {
    const [disabled, moving] = [await create(), await create()]
    await connections.disable(disabled.id)
    await holdFor(jobs.database.query, moving.id, 'moving', 60_000)

    await t.rejects(connections.openEnabled(disabled.id), { code: 'LNK_CONNECTION_DISABLED' })
    await t.rejects(connections.openEnabled(moving.id), { code: 'LNK_CONNECTION_MOVING' })
    t.equal((await connections.open(disabled.id)).connection.status, 'disabled', 'it may still be tested')
  })

  t.test('a connection whose adapter is gone cannot be opened', async t => {
    const { id } = await create()
    const { connections: without } = openConnections(jobs, [])

    await t.rejects(without.open(id), { code: 'LNK_ADAPTER_MISSING' })
  })
})
