import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createSwap, type SwapOptions } from '../../../src/connections/moves/swap.ts'
import { setMembers } from '../../../src/connections/store.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { openConnections } from '../open-connections.ts'
import { fakeAdapter } from '../support.ts'

const next = fakeAdapter({ version: '2.0.0', described: { webhooks: { scheme: 'bearer', canInstall: false } } })
const destination = {
  adapter: next,
  adapterVersion: '^2.0.0',
  config: { store: 'a' },
  capabilities: ['OfferManager'],
  steps: []
}

for (const kind of kinds(t)) {
  t.test(`swapping the adapter version of a connection, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { connections } = openConnections(jobs, [fakeAdapter(), next])

    async function openSwap () {
      const created = await connections.create({
        platformType: 'feed',
        name: 'Feed',
        adapterVersion: '1.0.0'
      }, randomUUID())
      const { id } = created.connection
      const forgotten: string[] = []
      const swap = createSwap({
        connections,
        adapters: { forget: connectionId => forgotten.push(connectionId) },
        now: () => new Date('2026-01-31T12:00:00Z')
      })
      const departure = { connection: await connections.get(id), adapter: fakeAdapter() }
      const make = (more: Partial<SwapOptions> = {}) =>
        swap(departure, destination, {
          waitMs: 0,
          expectedVersion: undefined,
          isAccepted: false,
          store: async () => undefined,
          ...more
        })
      return { id, make, forgotten }
    }

    t.test('the connection has all of the new version at once, and clients of the old one are forgotten', async t => {
      const { id, make, forgotten } = await openSwap()
      await make()

      t.match(await connections.get(id), {
        adapterKey: 'feed.api.v1',
        adapterVersion: '^2.0.0',
        config: { store: 'a' },
        capabilities: ['OfferManager'],
        webhookScheme: 'bearer',
        version: 2
      })
      t.strictSame(forgotten, [id])
    })

    t.test('a connection that is no longer what was judged stays as it is', async t => {
      const { id, make, forgotten } = await openSwap()
      await connections.renew(id, 'connection.change', async (connection, { em }) => {
        setMembers(em, connection, { config: { shop: 'b' } })
      })

      await t.rejects(make(), { code: 'LNK_MOVE_REFUSED', errors: [{ code: 'changed' }] })
      t.match(await connections.get(id), { adapterVersion: '1.0.0', config: { shop: 'b' } })
      t.strictSame(forgotten, [])
    })

    t.test('a new name or status does not matter; a version that the client named does', async t => {
      const { id, make } = await openSwap()
      await connections.patch(id, { name: 'New', status: 'disabled' })

      await t.rejects(make({ expectedVersion: 1 }), { code: 'LNK_PRECONDITION_FAILED' })
      await make()
      t.match(await connections.get(id), { name: 'New', status: 'disabled', adapterVersion: '^2.0.0' })
    })

    t.test('only a platform that accepted the connection ends its error', async t => {
      const [tested, untested] = [await openSwap(), await openSwap()]
      for (const { id: connectionId } of [tested, untested]) {
        await connections.suspend({ connectionId, credentialsVersion: ':0' }, 'refused')
      }
      await tested.make({ isAccepted: true })
      await untested.make()

      t.match(await connections.get(tested.id), { status: 'active', statusReason: null })
      t.match(await connections.get(untested.id), { status: 'error', statusReason: 'refused' })
    })

    t.test('what belongs to the swap is stored with it or not at all', async t => {
      const { id, make } = await openSwap()
      await t.rejects(
        make({
          async store (query) {
            await query("update connections set name = 'half' where id = $1", [id])
            throw new Error('too late')
          }
        }),
        /too late/
      )

      t.match(await connections.get(id), { name: 'Feed', adapterVersion: '1.0.0', isMoving: false })
    })
  })
}
