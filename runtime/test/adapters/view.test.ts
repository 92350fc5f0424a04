import t from 'tap'
import type { AdapterRecord } from '../../src/adapters/load.ts'
import { createRegistry } from '../../src/adapters/registry.ts'
import { countUses, describeAdapter } from '../../src/adapters/view.ts'
import { fakeAdapter } from '../connections/support.ts'

const recordOf = (more = {}): AdapterRecord => {
  const adapter = fakeAdapter(more)
  return { packageName: adapter.packageName, isRequired: false, found: adapter, adapter }
}
const noUses = new Map<string, number>()

t.test('a connection counts for the version that serves it, and with an exact pin also without one', async t => {
  const registry = createRegistry([recordOf(), recordOf({ version: '1.1.0' })], new Map())
  const uses = countUses(registry, [
    { adapterKey: 'feed.api.v1', adapterVersion: null, count: 1 },
    { adapterKey: 'feed.api.v1', adapterVersion: '^1.0.0', count: 2 },
    { adapterKey: 'feed.api.v1', adapterVersion: '1.0.0', count: 4 },
    { adapterKey: 'feed.api.v1', adapterVersion: '9.0.0', count: 8 },
    { adapterKey: 'gone.api.v1', adapterVersion: null, count: 16 }
  ])

  t.strictSame(Object.fromEntries(uses), {
    'feed.api.v1@1.1.0': 3,
    'feed.api.v1@1.0.0': 4,
    'feed.api.v1@9.0.0': 8,
    'gone.api.v1@': 16
  })
})

t.test('the default of a platform is the one version that connections without a wish get', async t => {
  const records = [recordOf(), recordOf({ version: '1.1.0' }), recordOf({ version: '1.2.0-rc.1' })]
  const registry = createRegistry(records, new Map())

  t.strictSame(records.map(record => describeAdapter(registry, record, noUses).isDefault), [false, true, false])
})

t.test('a deprecated adapter is shown with the words of its author', async t => {
  const [old, current] = [recordOf({ deprecated: 'use feed-v2' }), recordOf({ version: '2.0.0' })]
  const registry = createRegistry([old, current], new Map())

  t.equal(describeAdapter(registry, old, noUses).deprecated, 'use feed-v2')
  t.equal(describeAdapter(registry, current, noUses).deprecated, undefined)
})

t.test('an adapter whose folder holds newer code says what to do', async t => {
  const record = recordOf()
  const registry = createRegistry([record], new Map())
  const changed = { message: 'its folder has changed', remedy: 'restart the hub' }

  t.strictSame(describeAdapter(registry, record, noUses, changed).changed, changed)
  t.equal(describeAdapter(registry, record, noUses).changed, undefined)
})

const form = { type: 'object', properties: { key: { type: 'string', secret: true } } }

t.test('an adapter is shown with what it can do, at the addresses of its platform', async t => {
  const record = recordOf({
    capabilities: ['OfferManager', 'InventoryMaster'],
    permissions: { routes: true },
    described: {
      capabilities: { OfferManager: ['createOffer'], InventoryMaster: null },
      jobs: { 'feed.read': {} },
      schedules: [{ name: 'read', every: '5m', job: 'feed.read', payload: {} }],
      routes: [
        { method: 'GET', path: '/status', auth: 'public', schema: {} },
        { method: 'POST', path: '/authorise', auth: 'admin', schema: { body: form } }
      ],
      authorisation: { path: '/authorise' },
      webhooks: { scheme: 'bearer', canInstall: false }
    }
  })
  const view = describeAdapter(createRegistry([record], new Map()), record, new Map([['feed.api.v1@1.0.0', 3]]))

  t.match(view, {
    state: 'ready',
    isolation: 'inline',
    features: { OfferManager: ['createOffer'], InventoryMaster: null },
    jobs: ['feed.read'],
    schedules: ['read every 5m'],
    routes: ['GET /integrations/feed/status', 'POST /integrations/feed/authorise'],
    authorisation: { path: '/integrations/feed/authorise', schema: form },
    webhooks: 'bearer',
    permissions: { routes: true },
    usedBy: 3
  })
  t.equal(view.error, undefined)
})

t.test('the level that its author reports is shown; without a report there is none', async t => {
  const record = recordOf()
  const tested = { level: 3, suite: '0.1.0', exempt: ['L2-ERR-06'] }
  const viewOf = (shown: AdapterRecord) => describeAdapter(createRegistry([shown], new Map()), shown, noUses)

  t.equal(viewOf(record).conformance, null)
  t.strictSame(viewOf({ ...record, tested }).conformance, tested)
})

t.test('an adapter whose credentials an operator enters has no authorisation', async t => {
  const record = recordOf()

  t.equal(describeAdapter(createRegistry([record], new Map()), record, noUses).authorisation, null)
})

t.test('an adapter that did not load is shown with its reason, and without its warning', async t => {
  const problem = { state: 'invalid', code: 'LNK_ADAPTER_SHAPE_INVALID', message: 'no default export' } as const
  const found = { ...fakeAdapter(), warning: 'made for another contract' }
  const failed: AdapterRecord = { packageName: 'feed', isRequired: false, found, problem }
  const missing: AdapterRecord = { packageName: 'gone', isRequired: false }
  const registry = createRegistry([failed, missing], new Map())

  t.match(describeAdapter(registry, failed, new Map([['feed.api.v1@1.0.0', 2]])), {
    adapterKey: 'feed.api.v1',
    state: 'invalid',
    isolation: null,
    isDefault: false,
    authorisation: null,
    usedBy: 2,
    warning: undefined,
    error: { code: 'LNK_ADAPTER_SHAPE_INVALID', message: 'no default export' }
  })
  t.match(describeAdapter(registry, missing, noUses), {
    adapterKey: null,
    version: null,
    state: 'failed',
    usedBy: 0,
    error: { code: 'LNK_ADAPTER_NOT_INSTALLED' }
  })
})

t.test('an adapter that serves despite a warning is shown with it', async t => {
  const adapter = { ...fakeAdapter(), warning: 'made for another contract' }
  const record = { packageName: 'feed', isRequired: false, found: adapter, adapter }

  t.equal(describeAdapter(createRegistry([record], new Map()), record, noUses).warning, 'made for another contract')
})

t.test('an adapter is shown with its links, its icon and its changelog', async t => {
  const adapter = fakeAdapter({ version: '1.0.0+build' })
  const links = { help: 'https://docs.feed.example' }
  const icon = { type: 'image/png', bytes: Buffer.of(), etag: '"1"' } as const
  const found = { ...adapter, manifest: { ...adapter.manifest, links }, icon, hasChangelog: true }
  const viewOf = (record: AdapterRecord) => describeAdapter(createRegistry([record], new Map()), record, noUses)

  t.match(viewOf({ packageName: 'feed', isRequired: false, found, adapter: found }), {
    links,
    icon: '/adapters/feed.api.v1/versions/1.0.0%2Bbuild/icon',
    hasChangelog: true
  })
  t.match(viewOf(recordOf()), { links: {}, icon: null, hasChangelog: false })
})
