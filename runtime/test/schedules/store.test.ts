import t from 'tap'
import { listScheduled, readSettings, storeSetting, type SettingChange } from '../../src/schedules/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const beforeAll = '00000000-0000-0000-0000-000000000000'

t.test('stored schedules', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  /** Opens a connection of an adapter with these capabilities. */
  async function open (adapterKey: string, ...capabilities: string[]): Promise<string> {
    const id = await jobs.addConnection()
    await query('update connections set adapter_key = $2, capabilities = $3 where id = $1', [
      id,
      adapterKey,
      JSON.stringify(capabilities)
    ])
    return id
  }
  const change = (connectionId: string, more: Partial<SettingChange>) =>
    storeSetting(query, {
      connectionId,
      name: 'poll',
      every: undefined,
      enabled: undefined,
      enabledByDefault: true,
      ...more
    })
  const settings = (...ids: string[]) => readSettings(query, ids)

  t.test('keep the members of a setting that a change does not name', async t => {
    const connectionId = await open('feed.api.v1')
    const setting = { connectionId, name: 'poll' }
    await change(connectionId, { every: '5m' })
    t.strictSame(await settings(connectionId), [{ ...setting, every: '5m', enabled: true }])
    await change(connectionId, { enabled: false })
    t.strictSame(await settings(connectionId), [{ ...setting, every: '5m', enabled: false }])
    await change(connectionId, { every: null })
    t.strictSame(await settings(connectionId), [{ ...setting, every: null, enabled: false }], 'the default is back')
    await change(connectionId, { enabled: true, enabledByDefault: false })
    t.strictSame(await settings(connectionId), [{ ...setting, every: null, enabled: true }])
  })

  t.test('begin with the default of a schedule that is switched off', async t => {
    const [connectionId, other] = [await open('feed.api.v1'), await open('feed.api.v1')]
    await change(connectionId, { every: '5m', enabledByDefault: false })
    await change(connectionId, { name: 'sweep', enabled: true, enabledByDefault: false })

    const found = new Map((await settings(connectionId, other)).map(({ name, enabled }) => [name, enabled]))
    t.strictSame(found, new Map([['poll', false], ['sweep', true]]))
  })

  t.test('are of active connections with one of the adapters or capabilities, page by page', async t => {
    const ids = [
      await open('feed.api.v1'),
      await open('other.api.v1', 'InventoryMaster', 'OfferManager'),
      await open('other.api.v1', 'Marketplace')
    ].toSorted()
    await open('other.api.v1', 'ProductMaster')
    const disabled = await open('feed.api.v1', 'InventoryMaster')
    await jobs.setStatus(disabled, 'disabled')
    const list = async (after: string, limit: number) =>
      (await listScheduled(query, {
        adapterKeys: ['feed.api.v1'],
        capabilities: ['InventoryMaster', 'OfferManager', 'Marketplace'],
        after,
        limit
      })).map(({ id }) => id)

    t.strictSame(await list(beforeAll, 50), ids)
    t.strictSame(await list(beforeAll, 2), ids.slice(0, 2))
    t.strictSame(await list(ids[1] ?? '', 2), ids.slice(2))
  })

  t.test('come with what the operator set for each connection', async t => {
    const [id, other] = [await open('feed.api.v1'), await open('feed.api.v1')]
    await change(id, { every: '5m' })
    await change(id, { name: 'sweep', enabled: false })
    const rows = await listScheduled(query, {
      adapterKeys: ['feed.api.v1'],
      capabilities: [],
      after: beforeAll,
      limit: 50
    })

    t.match(rows.find(row => row.id === id), { adapterKey: 'feed.api.v1', adapterVersion: null })
    t.strictSame(rows.find(row => row.id === id)?.settings, {
      poll: { every: '5m', enabled: true },
      sweep: { every: null, enabled: false }
    })
    t.equal(rows.find(row => row.id === other)?.settings, null)
  })
})
