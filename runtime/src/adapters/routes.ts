import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from '@sinclair/typebox'
import { stateOf, type AdapterRecord } from './load.ts'
import type { Registry } from './registry.ts'

const AdapterView = Type.Object({
  packageName: Type.String(),
  adapterKey: Type.Union([Type.String(), Type.Null()]),
  platformType: Type.Union([Type.String(), Type.Null()]),
  supportedCapabilities: Type.Array(Type.String()),
  displayName: Type.Union([Type.String(), Type.Null()]),
  version: Type.Union([Type.String(), Type.Null()]),
  state: Type.String({ description: 'ready and degraded serve; the others say why not in `error`' }),
  isolation: Type.Union([Type.Literal('inline'), Type.Literal('worker'), Type.Null()], { description: 'Where it runs: in the thread of the hub or in one of its own' }),
  features: Type.Record(Type.String(), Type.Union([Type.Array(Type.String()), Type.Null()]), { description: 'Capability → the methods it has; null when they show only with a client' }),
  isDefault: Type.Boolean(),
  permissions: Type.Record(Type.String(), Type.Unknown()),
  jobs: Type.Array(Type.String()),
  schedules: Type.Array(Type.String()),
  routes: Type.Array(Type.String()),
  webhooks: Type.Union([Type.String(), Type.Null()], { description: 'How webhooks of the platform are authenticated' }),
  usedBy: Type.Integer({ description: 'Connections whose adapter key is this one' }),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() }))
}, { $id: 'Adapter' })
type AdapterView = Static<typeof AdapterView>

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(AdapterView)

  app.get('/adapters', { config: { scope: 'admin' as const }, schema: { tags: ['adapters'], summary: 'Adapters of this hub, those that failed to load included', response: { 200: Type.Array(Type.Ref(AdapterView)) } } }, async () => {
    const rows = await app.database.query<{ adapter_key: string, count: number }>('select adapter_key, count(*)::integer as count from connections group by adapter_key')
    const usedBy = new Map(rows.map(row => [row.adapter_key, row.count]))
    return app.adapters.registry.records.map(record => describeAdapter(app.adapters.registry, record, usedBy))
  })
}

function describeAdapter (registry: Registry, record: AdapterRecord, usedBy: ReadonlyMap<string, number>): AdapterView {
  const { adapter, packageName, found } = record
  const { state, problem } = stateOf(record)
  const error = problem === undefined ? {} : { error: { code: problem.code, message: problem.message } }
  if (adapter === undefined) {
    const { adapterKey = null, platformType = null, displayName = null, permissions = {} } = found?.manifest ?? {}
    return {
      packageName, adapterKey, platformType, supportedCapabilities: [], displayName, version: found?.version ?? null, state, isolation: null, features: {}, isDefault: false,
      permissions: { ...permissions }, jobs: [], schedules: [], routes: [], webhooks: null, usedBy: usedBy.get(adapterKey ?? '') ?? 0, ...error
    }
  }
  const { adapterKey, platformType, displayName, permissions } = adapter.manifest
  const { description } = adapter
  return {
    packageName,
    adapterKey,
    platformType,
    supportedCapabilities: adapter.supportedCapabilities,
    displayName,
    version: adapter.version,
    state,
    isolation: adapter.carrier.isolation(),
    features: Object.fromEntries(Object.entries(description.capabilities).map(([name, methods]) => [name, methods === null ? null : [...methods]])),
    isDefault: registry.defaultKey(platformType) === adapterKey,
    permissions: { ...permissions },
    jobs: Object.keys(description.jobs),
    schedules: description.schedules.map(({ name, every }) => `${name} every ${every}`),
    routes: description.routes.map(({ method, path }) => `${method} /integrations/${platformType}${path}`),
    webhooks: description.webhooks?.scheme ?? null,
    usedBy: usedBy.get(adapterKey) ?? 0,
    ...error
  }
}

export default routes
