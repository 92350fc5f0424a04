import { defineAdapter, defineJob, type Adapter, type Manifest } from '@linker/sdk'
import { describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { compareContracts, type AdapterContract } from '../../../src/cli/publish/compare-contracts.ts'

const manifest: Manifest = {
  adapterKey: 'feedshop.api.v1',
  platformType: 'feedshop',
  displayName: 'Feedshop',
  capabilities: ['InventoryMaster']
}
const methods = { getStock: async () => [], listStock: async () => ({ items: [] }) }
const payload = Type.Object({ externalId: Type.String() })
const definition = {
  config: Type.Object({ baseUrl: Type.String() }),
  credentials: Type.Object({ apiKey: Type.String({ secret: true }) }),
  connect: () => ({}),
  test: async () => undefined,
  account: async () => ({ id: '7', name: 'Feedshop' }),
  capabilities: { InventoryMaster: () => methods },
  jobs: { 'feedshop.stock.refresh': defineJob({ payload, run: async () => undefined }) },
  schedules: [{ name: 'feedshop-stock', every: '6h', job: 'feedshop.stock.refresh' }],
  routes: [{
    method: 'GET' as const,
    path: '/labels',
    auth: 'read' as const,
    schema: { response: { 200: Type.Object({ labels: Type.Array(Type.String()) }) } },
    handler: async () => ({ body: {} })
  }],
  webhooks: { scheme: 'hmac' as const, events: { 'stock.changed': 'feedshop.stock.refresh' } }
}

type Changes = Partial<Adapter>

function contract (changes: Changes = {}, more: Partial<Omit<AdapterContract, 'description'>> = {}): AdapterContract {
  const ranges = { 'engines.linker': '^1.0.0', '@linker/sdk': '^1.0.0' }
  return { manifest, ranges, description: describeAdapter({ ...defineAdapter(definition), ...changes }), ...more }
}

function changes (after: AdapterContract, before = contract()): string[] {
  return compareContracts(before, after).map(({ step, place, message }) => `${step} ${place}: ${message}`)
}

t.test('the same adapter has no changes', t => {
  t.strictSame(changes(contract()), [])
  t.end()
})

t.test('everything that goes away needs a major step', t => {
  const bare = {
    capabilities: {},
    jobs: {},
    schedules: [],
    routes: [],
    webhooks: undefined,
    test: undefined,
    account: undefined
  }

  t.strictSame(changes(contract(bare)), [
    'major capability InventoryMaster: is gone',
    'major job feedshop.stock.refresh: is gone',
    'major schedule feedshop-stock: is gone',
    'major route GET /labels: is gone',
    'major webhooks: is gone',
    'major test: is gone',
    'major account: is gone'
  ])
  t.ok(changes(contract(), contract(bare)).every(line => line.startsWith('minor')), 'and what comes a minor one')
  t.end()
})

t.test('methods of a capability count one by one', t => {
  const more = { capabilities: { InventoryMaster: () => ({ ...methods, setStock: async () => undefined }) } }

  t.strictSame(changes(contract(more)), ['minor capability InventoryMaster: method setStock: is new'])
  t.strictSame(changes(contract(), contract(more)), ['major capability InventoryMaster: method setStock: is gone'])
  t.end()
})

t.test('a capability whose methods only a client could tell is not said to have lost them', t => {
  const unknown = {
    capabilities: {
      InventoryMaster: () => {
        throw new Error('needs a client')
      }
    }
  }

  t.strictSame(changes(contract(unknown)), [])
  t.end()
})

t.test('config, credentials and payloads that refuse what they took', t => {
  const strict = {
    config: Type.Object({ baseUrl: Type.String(), region: Type.String() }),
    credentials: Type.Object({ apiKey: Type.String({ secret: true, minLength: 8 }) }),
    jobs: {
      'feedshop.stock.refresh': defineJob({
        payload: Type.Object({ externalId: Type.Integer() }),
        run: async () => undefined
      })
    }
  }

  t.strictSame(changes(contract(strict)), [
    'major config /region: is new and required',
    'major credentials /apiKey: minLength 8 is new',
    'major job feedshop.stock.refresh payload /externalId: the type is integer, was string'
  ])
  t.end()
})

t.test('routes: a stricter scope and a poorer answer break callers', t => {
  const of = (auth: 'read' | 'admin' | 'public', answer: ReturnType<typeof Type.Object>) =>
    contract({ routes: definition.routes.map(route => ({ ...route, auth, schema: { response: { 200: answer } } })) })
  const answer = Type.Object({ labels: Type.Array(Type.String()) })

  t.strictSame(changes(of('admin', answer)), ['major route GET /labels auth: is admin, was read'])
  t.strictSame(changes(of('public', answer)), ['minor route GET /labels auth: is public, was read'])
  t.strictSame(changes(of('read', Type.Object({}))), ['major route GET /labels answer 200 /labels: is gone'])
  t.end()
})

t.test('webhooks: another proof refuses deliveries, and events come and go', t => {
  const of = (webhooks: object) => contract({ webhooks: { ...definition.webhooks, ...webhooks } })

  t.strictSame(changes(of({ scheme: 'bearer' })), ['major webhooks verify: is bearer, was hmac'])
  t.strictSame(changes(of({ events: { 'price.changed': 'feedshop.stock.refresh' } })), [
    'minor event price.changed: is new',
    'major event stock.changed: is gone'
  ])
  t.strictSame(changes(of({ install: async () => undefined })), [
    'minor config /callbackBaseUrl: is new',
    'minor webhooks install: is new'
  ])
  t.end()
})

t.test('permissions that grow need the consent of the operator, so at least a minor step', t => {
  const grown = contract({}, { manifest: { ...manifest, permissions: { http: ['https://feed.example'] } } })

  t.strictSame(changes(grown), ['minor permission: it may now send requests to https://feed.example'])
  t.strictSame(changes(contract(), grown), ['patch permission: it may no longer send requests to https://feed.example'])
  t.end()
})

t.test('another adapter key, and contracts that no former hub has', t => {
  const next = contract({}, { manifest: { ...manifest, adapterKey: 'feedshop.api.v2', displayName: 'The Feedshop' } })
  const ranges = (range: string) => contract({}, { ranges: { 'engines.linker': range, '@linker/sdk': '^1.0.0' } })

  t.strictSame(changes(next), [
    'major adapterKey: is feedshop.api.v2, was feedshop.api.v1',
    'patch displayName: is The Feedshop, was Feedshop'
  ])
  t.strictSame(changes(ranges('^1.2.0')), ['minor engines.linker: is ^1.2.0, was ^1.0.0'])
  t.strictSame(changes(ranges('^2.0.0')), ['major engines.linker: is ^2.0.0, was ^1.0.0'])
  t.end()
})

t.test('migrations: one that is gone leaves connections behind', t => {
  const up = (config: Readonly<Record<string, unknown>>) => ({ ...config })
  const of = (...migrations: { from: string, to: string, down?: typeof up }[]) =>
    contract({ migrations: migrations.map(migration => ({ ...migration, up })) })
  const one = { from: 'feedshop.api.v1@<1.1.0', to: '1.1.0', down: up }

  t.strictSame(changes(of(one)), ['minor migration feedshop.api.v1@<1.1.0 → 1.1.0: is new'])
  t.strictSame(changes(of(), of(one)), ['major migration feedshop.api.v1@<1.1.0 → 1.1.0: is gone'])
  t.strictSame(changes(of({ from: one.from, to: one.to }), of(one)), [
    'major migration feedshop.api.v1@<1.1.0 → 1.1.0: cannot be reversed any more'
  ])
  t.end()
})
