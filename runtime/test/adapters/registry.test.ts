import { defineAdapter } from '@linker/sdk'
import { describeAdapter, type Carrier } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { AdapterRecord } from '../../src/adapters/load.ts'
import { createChangingRegistry, createRegistry } from '../../src/adapters/registry.ts'

const description = describeAdapter(defineAdapter({
  config: Type.Object({}),
  credentials: Type.Null(),
  connect: () => null,
  account: async () => ({ id: '1', name: 'Test' }),
  capabilities: {}
}))
const validate = () => ({ problems: [], unknown: [] })
const nobody: Carrier = {
  call: async () => ({ value: undefined, effects: { cursors: {}, jobs: [] } }),
  forget: () => undefined
}
const carrier = {
  ...nobody,
  isolation: () => 'inline' as const,
  health: () => ({ state: 'ready' as const }),
  moveToWorker: () => undefined,
  redact: (value: unknown) => value,
  close: async () => undefined
}

function record (adapterKey: string, version: string): AdapterRecord {
  const packageName = `${adapterKey}-${version}`
  const manifest = {
    adapterKey,
    platformType: adapterKey.split('.')[0] ?? '',
    displayName: adapterKey,
    capabilities: []
  }
  const found = {
    packageName,
    selfName: packageName,
    isLocal: false,
    isolation: 'inline' as const,
    directory: '',
    version,
    manifest
  }
  return {
    packageName,
    isRequired: false,
    found,
    adapter: {
      ...found,
      description,
      validateConfig: validate,
      validateCredentials: validate,
      supportedCapabilities: [],
      carrier
    }
  }
}

t.test('a version is found exact, by range and as latest', async t => {
  const registry = createRegistry([
    record('feed.api.v1', '1.0.0'),
    record('feed.api.v1', '1.5.0'),
    record('feed.api.v1', '1.6.0-rc.1')
  ], new Map())

  t.equal(registry.resolve('feed.api.v1', '1.0.0').version, '1.0.0')
  t.equal(registry.resolve('feed.api.v1', '^1.0.0').version, '1.5.0', 'a range leaves a pre-release alone')
  t.equal(registry.resolve('feed.api.v1', '^1.6.0-rc.0').version, '1.6.0-rc.1', 'unless it names one')
  t.equal(
    createRegistry([record('feed.api.v1', '1.6.0-rc.1')], new Map()).resolve('feed.api.v1', '^1.0.0').version,
    '1.6.0-rc.1',
    'or there is nothing else'
  )
  t.equal(registry.resolve('feed.api.v1', 'latest').version, '1.5.0', 'latest is the highest stable one')
  t.equal(registry.resolve('feed.api.v1').version, '1.5.0')
  t.throws(() => registry.resolve('feed.api.v1', '3.0.0'), {
    code: 'LNK_ADAPTER_MISSING',
    message: /feed\.api\.v1@3\.0\.0/
  })
  t.throws(() => registry.resolve('other.api.v1'), {
    code: 'LNK_ADAPTER_MISSING',
    message: /Registered: feed\.api\.v1/
  })
})

t.test('a newer major has another key: the next one comes first, a stable one before a prerelease', async t => {
  const registry = createRegistry([
    record('feed.api.v1', '1.0.0'),
    record('feed.api.v10', '10.0.0'),
    record('feed.api.v2', '2.0.0'),
    record('feed.api.v2', '2.1.0'),
    record('feed.api.v2', '2.2.0-rc.1'),
    record('feed.graph.v3', '3.0.0')
  ], new Map())

  t.strictSame(
    registry.newerMajors('feed.api.v1').map(({ manifest, version }) => `${manifest.adapterKey}@${version}`),
    ['feed.api.v2@2.1.0', 'feed.api.v10@10.0.0']
  )
  t.strictSame(registry.newerMajors('feed.api.v10'), [])
  t.strictSame(registry.newerMajors('feed.graph.v3'), [])
})

t.test('the derived default is the oldest major, so that a second one changes nothing', async t => {
  t.equal(
    createRegistry([record('feed.api.v2', '2.0.0'), record('feed.api.v1', '1.0.0')], new Map()).defaultKey('feed'),
    'feed.api.v1'
  )
})

t.test('two interfaces of one platform have no default unless the operator names it', async t => {
  const records = [record('feed.api.v1', '1.0.0'), record('feed.graph.v1', '1.0.0')]

  t.equal(createRegistry(records, new Map()).defaultKey('feed'), undefined)
  t.equal(createRegistry(records, new Map([['feed', 'feed.graph.v1']])).defaultKey('feed'), 'feed.graph.v1')
  t.equal(createRegistry(records, new Map()).defaultKey('unknown'), undefined)
})

t.test('the registry says why no adapter serves: not installed, another version, or failed', async t => {
  const problem = { state: 'invalid', code: 'LNK_ADAPTER_SHAPE_INVALID', message: 'it is no adapter' } as const
  const { adapter: _adapter, ...broken } = record('feed.api.v1', '2.0.0')
  const registry = createRegistry([record('feed.api.v1', '1.0.0'), { ...broken, problem }], new Map())

  t.match(registry.explain('feed.api.v1', '1.1.0'), /installed in version 1\.0\.0, not in version 1\.1\.0/)
  t.match(registry.explain('feed.api.v1', '2.0.0'), /feed\.api\.v1@2\.0\.0 is invalid: it is no adapter/)
  t.match(registry.explain('other.api.v1'), /No adapter other\.api\.v1 is installed/)
})

t.test('names of object members are not taken for adapters', async t => {
  const registry = createRegistry([record('feed.api.v1', '1.0.0')], new Map())

  for (const name of ['__proto__', 'constructor', 'toString']) {
    t.throws(() => registry.resolve(name), { code: 'LNK_ADAPTER_MISSING' })
    t.equal(registry.defaultKey(name), undefined)
  }
})

t.test('a changing registry answers from the newest records, also to those who have it already', async t => {
  const { registry, changeTo } = createChangingRegistry(createRegistry([record('shop.api.v1', '1.0.0')], new Map()))
  const { find } = registry
  t.equal(find('shop.api.v1')?.version, '1.0.0')

  changeTo(createRegistry([record('shop.api.v1', '1.1.0'), record('market.api.v1', '1.0.0')], new Map()))

  t.equal(find('shop.api.v1')?.version, '1.1.0')
  t.strictSame(registry.keys(), ['market.api.v1', 'shop.api.v1'])
  t.strictSame(registry.platforms(), ['market', 'shop'])
  t.equal(registry.records.length, 2)
  t.equal(registry.resolve('market.api.v1').version, '1.0.0')
  t.equal(registry.defaultKey('market'), 'market.api.v1')
  t.strictSame(registry.versions('shop.api.v1').map(({ version }) => version), ['1.1.0'])
  t.strictSame(registry.newerMajors('shop.api.v1'), [])
  t.match(registry.explain('shop.api.v1', '2.0.0'), '1.1.0')
})
