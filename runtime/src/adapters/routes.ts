import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from '@sinclair/typebox'
import type { AdapterRecord } from './load.ts'
import type { Registry } from './registry.ts'

const AdapterView = Type.Object({
  packageName: Type.String(),
  adapterKey: Type.Union([Type.String(), Type.Null()]),
  platformType: Type.Union([Type.String(), Type.Null()]),
  supportedCapabilities: Type.Array(Type.String()),
  displayName: Type.Union([Type.String(), Type.Null()]),
  version: Type.Union([Type.String(), Type.Null()]),
  state: Type.String(),
  isDefault: Type.Boolean(),
  permissions: Type.Record(Type.String(), Type.Unknown()),
  jobs: Type.Array(Type.String()),
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
  const { adapter, packageName, state, problem } = record
  const error = problem === undefined ? {} : { error: { code: problem.code, message: problem.message } }
  if (adapter === undefined) {
    return { packageName, adapterKey: null, platformType: null, supportedCapabilities: [], displayName: null, version: null, state, isDefault: false, permissions: {}, jobs: [], webhooks: null, usedBy: 0, ...error }
  }
  const { adapterKey, platformType, displayName, permissions } = adapter.manifest
  return {
    packageName,
    adapterKey,
    platformType,
    supportedCapabilities: adapter.supportedCapabilities,
    displayName,
    version: adapter.version,
    state,
    isDefault: registry.defaultKey(platformType) === adapterKey,
    permissions: { ...permissions },
    jobs: Object.keys(adapter.definition.jobs ?? {}),
    webhooks: adapter.definition.webhooks?.scheme ?? null,
    usedBy: usedBy.get(adapterKey) ?? 0,
    ...error
  }
}

export default routes
