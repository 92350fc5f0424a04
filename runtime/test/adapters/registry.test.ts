import { adapterTag, type Adapter } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { AdapterRecord } from '../../src/adapters/load.ts'
import { createRegistry } from '../../src/adapters/registry.ts'
import { compileSchema } from '../../src/http/json-schema.ts'

function record (adapterKey: string, version: string): AdapterRecord {
  const definition: Adapter = { [adapterTag]: '0.1.0', config: Type.Object({}), credentials: Type.Null(), connect: () => null, capabilities: {} }
  const packageName = `${adapterKey}-${version}`
  const manifest = { adapterKey, platformType: adapterKey.split('.')[0] ?? '', displayName: adapterKey, capabilities: [] }
  const validate = compileSchema(Type.Object({}))
  return { packageName, state: 'ready', adapter: { packageName, directory: '', version, manifest, definition, validateConfig: validate, validateCredentials: validate, supportedCapabilities: [] } }
}

t.test('a version is found exact, by range and as latest', async t => {
  const registry = createRegistry([record('feed.api.v1', '1.0.0'), record('feed.api.v1', '1.5.0'), record('feed.api.v1', '1.6.0-rc.1')], new Map())

  t.equal(registry.resolve('feed.api.v1', '1.0.0').version, '1.0.0')
  t.equal(registry.resolve('feed.api.v1', '^1.0.0').version, '1.5.0', 'a range leaves a pre-release alone')
  t.equal(registry.resolve('feed.api.v1', '^1.6.0-rc.0').version, '1.6.0-rc.1', 'unless it names one')
  t.equal(createRegistry([record('feed.api.v1', '1.6.0-rc.1')], new Map()).resolve('feed.api.v1', '^1.0.0').version, '1.6.0-rc.1', 'or there is nothing else')
  t.equal(registry.resolve('feed.api.v1', 'latest').version, '1.5.0', 'latest is the highest stable one')
  t.equal(registry.resolve('feed.api.v1').version, '1.5.0')
  t.throws(() => registry.resolve('feed.api.v1', '3.0.0'), { code: 'LNK_ADAPTER_MISSING', message: /feed\.api\.v1@3\.0\.0/ })
  t.throws(() => registry.resolve('other.api.v1'), { code: 'LNK_ADAPTER_MISSING', message: /Registered: feed\.api\.v1/ })
})

t.test('the derived default is the oldest major, so that a second one changes nothing', async t => {
  t.equal(createRegistry([record('feed.api.v2', '2.0.0'), record('feed.api.v1', '1.0.0')], new Map()).defaultKey('feed'), 'feed.api.v1')
})

t.test('two interfaces of one platform have no default unless the operator names it', async t => {
  const records = [record('feed.api.v1', '1.0.0'), record('feed.graph.v1', '1.0.0')]

  t.equal(createRegistry(records, new Map()).defaultKey('feed'), undefined)
  t.equal(createRegistry(records, new Map([['feed', 'feed.graph.v1']])).defaultKey('feed'), 'feed.graph.v1')
  t.equal(createRegistry(records, new Map()).defaultKey('unknown'), undefined)
})

t.test('names of object members are no adapters', async t => {
  const registry = createRegistry([record('feed.api.v1', '1.0.0')], new Map())

  for (const name of ['__proto__', 'constructor', 'toString']) {
    t.throws(() => registry.resolve(name), { code: 'LNK_ADAPTER_MISSING' })
    t.equal(registry.defaultKey(name), undefined)
  }
})
