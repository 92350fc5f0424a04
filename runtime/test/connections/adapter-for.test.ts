import { defineAdapter } from '@linker/sdk'
import { describeAdapter, type SchemaProblem } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { Discovered } from '../../src/adapters/discover.ts'
import type { AdapterRecord } from '../../src/adapters/load.ts'
import { createRegistry } from '../../src/adapters/registry.ts'
import { adapterFor } from '../../src/connections/adapter-for.ts'

const description = describeAdapter(defineAdapter({
  config: Type.Object({}),
  credentials: Type.Null(),
  connect: () => null,
  account: async () => ({ id: '1', name: 'Test' }),
  capabilities: {}
}))
const validate = () => ({ problems: [], unknown: [] })
const carrier = {
  call: async () => ({ value: undefined, effects: { cursors: {}, jobs: [] } }),
  forget: () => undefined,
  isolation: () => 'inline' as const,
  health: () => ({ state: 'ready' as const }),
  moveToWorker: () => undefined,
  redact: (value: unknown) => value,
  close: async () => undefined
}

function record (adapterKey: string, version: string): AdapterRecord {
  const manifest = {
    adapterKey,
    platformType: adapterKey.split('.')[0] ?? '',
    displayName: adapterKey,
    capabilities: []
  }
  const found = {
    packageName: adapterKey,
    selfName: adapterKey,
    isLocal: false,
    isolation: 'inline' as const,
    directory: '',
    version,
    manifest
  }
  return {
    packageName: adapterKey,
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

function problemsOf (work: () => unknown): SchemaProblem[] {
  try {
    work()
    return []
  } catch (error) {
    return (error as { errors: SchemaProblem[] }).errors
  }
}

t.test('two adapters without a default: the refusal names their keys and both ways out', async t => {
  const registry = createRegistry([
    record('feed.api.v1', '1.0.0'),
    record('feed.graph.v1', '1.0.0'),
    record('other.api.v1', '1.0.0')
  ], new Map())
  const [problem] = problemsOf(() => adapterFor(registry, 'feed', undefined, undefined))

  t.match(problem, {
    pointer: '/adapterKey',
    code: 'required',
    message:
      /^is required: feed\.api\.v1 and feed\.graph\.v1 serve 'feed'.*--adapter.*"defaults": \{ "feed": "<key>" \}/
  })
  t.equal(
    adapterFor(registry, 'feed', 'feed.graph.v1', undefined).manifest.adapterKey,
    'feed.graph.v1',
    'the first way out'
  )
  const settled = createRegistry(
    [record('feed.api.v1', '1.0.0'), record('feed.graph.v1', '1.0.0')],
    new Map([['feed', 'feed.graph.v1']])
  )
  t.equal(adapterFor(settled, 'feed', undefined, undefined).manifest.adapterKey, 'feed.graph.v1', 'the second')
})

t.test('a version that a newer major has says under which key', async t => {
  const registry = createRegistry([record('feed.api.v1', '1.0.0'), record('feed.api.v2', '2.0.0')], new Map())

  t.match(problemsOf(() => adapterFor(registry, 'feed', 'feed.api.v1', '2.0.0')), [{
    pointer: '/adapterVersion',
    message: /loaded: 1\.0\.0; feed\.api\.v2 has this version/
  }])
  const [unknown] = problemsOf(() => adapterFor(registry, 'feed', 'feed.api.v1', '3.0.0'))
  t.notMatch(unknown?.message, 'feed.api.v2')
})

t.test('the answer says whether a restart would load a version that fits', async t => {
  const failed = { state: 'failed', code: 'LNK_ADAPTER_INIT_FAILED', message: 'no such host' } as const
  const { adapter: _absent, ...broken } = record('feed.api.v1', '4.0.0')
  const registry = createRegistry([record('feed.api.v1', '1.0.0'), { ...broken, problem: failed }], new Map())
  const conflict = { state: 'conflicting', code: 'LNK_ADAPTER_CONFLICT', message: 'two packages' } as const
  const onDisk = [
    record('feed.api.v1', '1.0.0'),
    record('feed.api.v1', '2.0.0'),
    record('feed.api.v1', '2.1.0'),
    { ...record('feed.api.v1', '3.0.0'), problem: conflict },
    record('feed.api.v1', '4.0.0'),
    record('feed.graph.v1', '1.0.0')
  ]
  const told = (wanted: string, installed: readonly Discovered[] = onDisk, key = 'feed.api.v1') =>
    problemsOf(() => adapterFor(registry, 'feed', key, wanted, installed))[0]?.message

  t.equal(
    told('^2.0.0'),
    "no loaded version of 'feed.api.v1' fits '^2.0.0'; loaded: 1.0.0; 2.1.0 is installed, but not loaded: restart " +
      'the hub. `linker doctor` says what else that changes'
  )
  t.match(told('3.0.0'), /; 3\.0\.0 is installed, but conflicting: two packages$/)
  t.match(told('4.0.0'), /; 4\.0\.0 is installed, but failed: no such host$/)
  t.match(told('5.0.0'), /; loaded: 1\.0\.0; install a version that fits, then restart the hub$/)
  t.match(
    told('latest', onDisk, 'feed.graph.v1'),
    /^'feed\.graph\.v1' is not registered; registered: feed\.api\.v1; 1\.0\.0 is installed, but not loaded: restart/
  )
  const [unlooked] = problemsOf(() => adapterFor(registry, 'feed', 'feed.api.v1', '2.0.0'))
  t.match(unlooked?.message, /; loaded: 1\.0\.0$/, 'who has not looked at the disk says nothing of it')
})
