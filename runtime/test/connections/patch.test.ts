import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { listEntries } from '../../src/audit/store.ts'
import { cheapestKind, openJobsFor, stateJob } from '../jobs/support.ts'
import { openConnections } from './open-connections.ts'
import { answering, fakeAdapter } from './support.ts'

const config = Type.Object({ shop: Type.Optional(Type.String()), key: Type.Optional(Type.String({ secret: true })) })

const adapters = [
  fakeAdapter({ config, capabilities: ['InventoryMaster', 'ProductMaster'] }),
  fakeAdapter({
    version: '1.1.0',
    config,
    capabilities: ['InventoryMaster', 'OfferManager'],
    described: { webhooks: { scheme: 'bearer', canInstall: false } }
  }),
  fakeAdapter({
    adapterKey: 'feed.graph.v1',
    version: '3.0.0',
    config,
    described: { checksConfig: true },
    call: answering(() => [{ pointer: '/shop', code: 'unknown', message: 'is not a shop' }])
  })
]

t.test('patches', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  const { connections, changed } = openConnections(jobs, adapters)

  async function create (more = {}) {
    const body = { platformType: 'feed', name: 'Feed', adapterKey: 'feed.api.v1', adapterVersion: '1.0.0', ...more }
    return (await connections.create(body, randomUUID())).connection
  }
  const snapshots = async (id: string): Promise<number> =>
    (await query('select from connection_snapshots where connection_id = $1', [id])).length

  t.test('a patch that names the present key and version is no move', async t => {
    const { id } = await create()
    await jobs.enqueueJobs([stateJob('a', { connectionId: id })])
    await query("update jobs set state = 'running', heartbeat_at = now()")
    const { connection } = await connections.patch(id, {
      name: 'New',
      adapterKey: 'feed.api.v1',
      adapterVersion: '1.0.0'
    })

    t.match(connection, { name: 'New', adapterVersion: '1.0.0' })
    t.equal(await snapshots(id), 0)
  })

  t.test('a patch that names only the present key keeps the version, which may be a range', async t => {
    const { id } = await create()
    const { connection: exact } = await connections.patch(id, { adapterKey: 'feed.api.v1' })
    await connections.patch(id, { adapterVersion: '^1.0.0' })
    const { connection: range } = await connections.patch(id, { adapterKey: 'feed.api.v1' })

    t.match([exact, range], [{ adapterVersion: '1.0.0', webhookScheme: 'hmac' }, { adapterVersion: '^1.0.0' }])
    t.equal(await snapshots(id), 1, 'only the patch of the version was a move')
  })

  t.test('a move takes what the new version has of the chosen capabilities, and its facts', async t => {
    const { id } = await create({ config: { shop: '1', key: 'k' } })
    const { connection } = await connections.patch(id, { adapterVersion: '1.1.0' })

    t.match(connection, { adapterVersion: '1.1.0', webhookScheme: 'bearer', secretMembers: ['key'] })
    t.strictSame(connection.capabilities, ['InventoryMaster'])
    t.equal(await snapshots(id), 1)
  })

  t.test('a new key without a version stores the exact version; a range stays a range', async t => {
    const { id } = await create()
    const ranged = await connections.patch(id, { adapterVersion: '^1.0.0' })
    const same = await connections.patch(id, { config: { shop: '2' } })

    t.equal(ranged.connection.adapterVersion, '^1.0.0')
    t.equal(same.connection.adapterVersion, '^1.0.0')
    const other = await create()
    await t.rejects(connections.patch(other.id, { adapterKey: 'feed.graph.v1' }), {
      code: 'LNK_CONNECTION_INVALID',
      errors: [{ pointer: '/config/shop', code: 'unknown' }]
    })
    t.equal((await connections.get(other.id)).adapterKey, 'feed.api.v1', 'the adapter refused this config')
  })

  t.test('a move that an old version of the connection asks for does not wait for jobs', async t => {
    const { id, version } = await create()
    await connections.patch(id, { name: 'New' })
    await jobs.enqueueJobs([stateJob('a', { connectionId: id })])
    await query("update jobs set state = 'running', heartbeat_at = now()")

    await t.rejects(connections.patch(id, { adapterVersion: '1.1.0' }, version), { code: 'LNK_PRECONDITION_FAILED' })
  })

  t.test('a patch that became a move because of a move before it waits for the jobs, too', async t => {
    const { id } = await create()
    const meanwhile = fakeAdapter({
      config,
      described: { checksConfig: true },
      call: answering(async () => {
        await connections.patch(id, { adapterVersion: '1.1.0' })
        return []
      })
    })
    const { connections: slow } = openConnections(jobs, [meanwhile, ...adapters.slice(1)])
    await slow.patch(id, { name: 'New', adapterVersion: '1.0.0' })

    t.match(await connections.get(id), { name: 'New', adapterVersion: '1.0.0' })
    t.equal(await snapshots(id), 2, 'there and back')
  })

  t.test('a patch that became a move is checked again, with the connection as it is by then', async t => {
    const { id } = await create()
    const seen: unknown[] = []
    const meanwhile = fakeAdapter({
      config,
      described: { checksConfig: true },
      call: answering(async ({ args }) => {
        seen.push(args)
        if (seen.length === 1) await connections.patch(id, { adapterVersion: '1.1.0', config: { shpo: '2' } })
        return []
      })
    })
    const { connections: slow } = openConnections(jobs, [meanwhile, ...adapters.slice(1)])
    const { warnings } = await slow.patch(id, { name: 'New', adapterVersion: '1.0.0' })

    t.match(warnings, [{ pointer: '/config/shpo' }])
    t.match(seen, [[{}], [{ shpo: '2' }]])
  })

  t.test('a patch whose move another patch made meanwhile is no move', async t => {
    const { id } = await create()
    let isFirst = true
    const meanwhile = fakeAdapter({
      version: '1.1.0',
      config,
      capabilities: ['InventoryMaster', 'OfferManager'],
      described: { checksConfig: true },
      call: answering(async () => {
        if (isFirst) {
          isFirst = false
          await connections.patch(id, { adapterVersion: '1.1.0', config: { shpo: '2' } })
        }
        return []
      })
    })
    const { connections: slow } = openConnections(jobs, [meanwhile])
    const { warnings } = await slow.patch(id, { status: 'disabled', adapterVersion: '1.1.0' })
    const entries = await listEntries(query, { connectionId: id, limit: 10 })

    t.strictSame(entries.map(({ action }) => action), ['connection.disable', 'connection.move', 'connection.create'])
    t.match(warnings, [{ pointer: '/config/shpo' }])
    t.equal(await snapshots(id), 1)
  })

  t.test('the reason of a status goes with that status, and only then', async t => {
    const { id } = await create()
    await connections.suspend({ connectionId: id, credentialsVersion: ':0' }, 'the key is refused')

    t.match((await connections.patch(id, { name: 'New' })).connection, {
      status: 'error',
      statusReason: 'the key is refused'
    })
    t.match((await connections.patch(id, { status: 'active' })).connection, { status: 'active', statusReason: null })
  })

  t.test('without its adapter a connection can be renamed, and its config waits', async t => {
    const { id } = await create()
    const { connections: without } = openConnections(jobs, [fakeAdapter({ version: '2.0.0' })])

    t.equal((await without.patch(id, { name: 'New' })).connection.name, 'New')
    await t.rejects(without.patch(id, { config: { shop: '2' } }), {
      code: 'LNK_CONNECTION_INVALID',
      errors: [{ pointer: '/adapterVersion', code: 'enum' }]
    })
  })

  t.test('what is stored beside a connection makes its version grow, even if the clock stands still', async t => {
    const { connections: frozen } = openConnections(jobs, adapters, () => new Date(0))
    const { id, version, updatedAt } = await create()
    await frozen.renew(id, 'connection.change', async () => undefined)
    const renewed = await connections.get(id)

    t.equal(renewed.version, version + 1)
    t.equal(renewed.updatedAt.getTime(), updatedAt.getTime() + 1)
  })

  t.test('members that the adapter does not know are stored and reported', async t => {
    const { id } = await create()
    changed.length = 0
    const { connection, warnings } = await connections.patch(id, { config: { shpo: '2' } })

    t.strictSame(connection.config, { shpo: '2' })
    t.match(warnings, [{ pointer: '/config/shpo' }])
    t.strictSame(changed.map(({ config }) => config), [{ shpo: '2' }])
  })
})
