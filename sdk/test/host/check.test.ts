import { defineAdapter, type AdapterDefinition, type Manifest } from '@linker/sdk'
import { checkAdapter, describeAdapter, manifestProblems } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const manifest: Manifest = {
  adapterKey: 'feedshop.api.v1',
  platformType: 'feedshop',
  displayName: 'Feedshop',
  capabilities: [],
  permissions: { routes: true, jobs: ['feedshop.*'] }
}

type Parts = Partial<
  Pick<AdapterDefinition<ReturnType<typeof Type.Object>, ReturnType<typeof Type.Null>, null>, 'routes' | 'jobs'>
>

function faultsOf (parts: Parts, identity: Partial<Manifest> = {}): string[] {
  const adapter = defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => null,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    ...parts
  })
  return checkAdapter({ ...manifest, ...identity }, describeAdapter(adapter)).map(({ code, message }) =>
    `${code}: ${message}`
  )
}

t.test('a manifest with texts that control a terminal is refused, and the member is named', async t => {
  t.strictSame(manifestProblems(manifest), [])
  for (const displayName of ['a\u001b[2J', 'a\nb', 'a\u009bb', 'a\u007f', 'a\u202eb', '\ufeffa']) {
    t.strictSame(manifestProblems({ ...manifest, displayName }), [
      '/linker/displayName holds a control character, which a terminal would obey'
    ])
  }
  t.strictSame(
    manifestProblems({ ...manifest, permissions: { http: ['https://a.example', 'https://b.example\u001b[1A'] } }),
    [
      '/linker/permissions/http/1 holds a control character, which a terminal would obey'
    ]
  )
})

t.test('a display name in any language is accepted', async t => {
  for (const displayName of ['Sklep Żółw', '店', 'חנות', 'Shop 🛒']) {
    t.strictSame(manifestProblems({ ...manifest, displayName }), [])
  }
})

t.test("a platform with the name of the hub's own jobs is refused", async t => {
  const identity = { platformType: 'marketplace', adapterKey: 'marketplace.api.v1' }

  t.strictSame(faultsOf({}, identity), [
    "LNK_ADAPTER_SHAPE_INVALID: platformType 'marketplace' is reserved for the hub's own jobs: choose another name"
  ])
  t.strictSame(faultsOf({}, { platformType: 'marketplaces', adapterKey: 'marketplaces.api.v1' }), [])
})

for (const path of ['/..', '/.', '/a/../b', '/a/./b', '/a/..', '/../../connections']) {
  t.test(`the route path ${path} has a dot segment and is refused`, async t => {
    const faults = faultsOf({ routes: [{ method: 'GET', path, auth: 'public', handler: async () => ({}) }] })

    t.equal(faults.length, 1)
    t.match(faults[0], /^LNK_ADAPTER_SHAPE_INVALID: the path '.*' of a route has a segment \. or \.\./)
    t.ok(faults[0]?.includes(`'${path}'`))
  })
}

t.test('dots within a segment are accepted', async t => {
  const handler = async () => ({})

  t.strictSame(
    faultsOf({
      routes: ['/feed.xml', '/.well-known/x', '/a..b', '/:id/v1.2'].map(path => ({
        method: 'GET' as const,
        path,
        auth: 'public' as const,
        handler
      }))
    }),
    []
  )
})

t.test('a job serves only capabilities that the adapter has', async t => {
  const job = { payload: Type.Object({}), capabilities: ['InventoryMaster'], run: async () => ({}) }

  t.match(faultsOf({ jobs: { 'feedshop.stock.sync': job } }), [
    "LNK_ADAPTER_SHAPE_INVALID: job feedshop.stock.sync serves 'InventoryMaster', which the adapter does not implement"
  ])
})

t.test('the name of a job consists of letters, digits, dots, dashes and underscores', async t => {
  const job = { payload: Type.Object({}), run: async () => ({}) }

  t.strictSame(faultsOf({ jobs: { 'feedshop.stock-levels.sync_all': job } }), [])
  t.match(faultsOf({ jobs: { 'feedshop.\u001b[2J': job } }), [
    /^LNK_ADAPTER_SHAPE_INVALID: '.*' is not a valid name of a job/
  ])
})
