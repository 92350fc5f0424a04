import t from 'tap'
import { keepDefaults } from '../../src/adapters/kept-defaults.ts'
import { createRegistry } from '../../src/adapters/registry.ts'
import { fakeAdapter } from '../connections/support.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const recordsOf = (...keys: string[]) =>
  keys.map(adapterKey => {
    const adapter = fakeAdapter({ adapterKey })
    return { packageName: adapterKey, isRequired: false, found: adapter, adapter }
  })

t.test('the key that served a platform first', async t => {
  const { database: { query } } = await openJobsFor(t, cheapestKind)
  let asked = 0
  const keep = async (
    keys: string[],
    { oldest = {}, configured = {} }: Record<string, Record<string, string>> = {}
  ) => {
    const records = recordsOf(...keys)
    const defaults = new Map(Object.entries(configured))
    const readOldestKeys = async () => {
      asked += 1
      return new Map(Object.entries(oldest))
    }
    const kept = await keepDefaults({ query, configured: defaults, readOldestKeys }, records)
    return createRegistry(records, defaults, kept).defaultKey('feed')
  }
  const forget = () => query('delete from platform_defaults')

  t.test('is stored once, and asks the connections only before', async t => {
    t.equal(await keep(['feed.api.v2', 'feed.api.v1']), 'feed.api.v1')
    t.equal(await keep(['feed.a.v1', 'feed.api.v1'], { oldest: { feed: 'feed.a.v1' } }), 'feed.api.v1')
    t.equal(asked, 1)
  })

  t.test('gives way to the configuration only while that names another', async t => {
    t.equal(await keep(['feed.a.v1', 'feed.api.v1'], { configured: { feed: 'feed.a.v1' } }), 'feed.a.v1')
    t.equal(await keep(['feed.a.v1', 'feed.api.v1']), 'feed.api.v1')
  })

  t.test('is that of the configuration when none is stored', async t => {
    await forget()
    await keep(['feed.a.v1', 'feed.api.v1'], { configured: { feed: 'feed.api.v1' }, oldest: { feed: 'feed.a.v1' } })

    t.equal(await keep(['feed.a.v1', 'feed.api.v1']), 'feed.api.v1')
  })

  t.test('is not that of the configuration while no adapter has it', async t => {
    await forget()
    await keep(['feed.a.v1', 'feed.api.v1'], { configured: { feed: 'feed.apy.v1' }, oldest: { feed: 'feed.a.v1' } })

    t.equal(await keep(['feed.a.v1', 'feed.api.v1']), 'feed.a.v1')
  })

  t.test('is that of the oldest connection, even when its adapter does not load now', async t => {
    await forget()
    t.equal(await keep(['feed.a.v1'], { oldest: { feed: 'feed.api.v1' } }), 'feed.api.v1')
    await forget()
    t.equal(await keep(['feed.a.v1', 'feed.api.v1'], { oldest: { feed: 'feed.api.v1' } }), 'feed.api.v1')
  })

  t.test('is the one that new connections got, when the oldest connection was moved to a newer major', async t => {
    await forget()
    t.equal(await keep(['feed.api.v2', 'feed.api.v1'], { oldest: { feed: 'feed.api.v2' } }), 'feed.api.v1')
  })

  t.test('is unknown when two interfaces come to a hub without connections', async t => {
    await forget()
    t.equal(await keep(['feed.a.v1', 'feed.api.v1']), undefined)
    t.equal(await keep(['feed.api.v1']), 'feed.api.v1', 'one of them is taken away')
  })
})
