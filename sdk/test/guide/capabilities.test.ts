import {
  defineAdapter,
  type CapabilityFactories,
  type Context,
  type HttpClient,
  type JobDefinition,
  type RouteDefinition
} from '@linker/sdk'
import { checkAdapter, describeAdapter } from '@linker/sdk/host'
import { createTestHost } from '@linker/sdk/testing'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { startUpstream } from '../http/support.ts'
import { codeOf, importExample, manifest } from './guide.ts'

t.test('the capability of the example is declared by the text, and its method reads a category', async t => {
  const code = codeOf('docs/capabilities.md')
  const { capabilities } = await importExample(t, code) as {
    capabilities: CapabilityFactories<HttpClient, unknown, unknown>
  }
  const [, declared = ''] = /`"capabilities": (\[.*?\])`/.exec(code) ?? []
  const definition = defineAdapter({
    config: Type.Object({ baseUrl: Type.String() }),
    credentials: Type.Null(),
    connect: ({ http, config }: Context<{ baseUrl: string }, null>): HttpClient => http({ baseUrl: config.baseUrl }),
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities
  })
  const own = { ...manifest, capabilities: JSON.parse(declared) }
  const upstream = await startUpstream(t, (_request, response) => response.end('{"id":"7","title":"Lamps"}'))
  const host = createTestHost()
  t.teardown(() => host.close())
  const feedshop = await host.open({
    manifest: own,
    definition,
    config: { baseUrl: upstream.baseUrl },
    credentials: null
  })
  const target = { kind: 'capability', capability: 'acme/Categories', method: 'getCategory' } as const

  t.strictSame(checkAdapter(own, describeAdapter(definition)), [])
  t.strictSame(await feedshop.call(target, ['7']), { id: '7', name: 'Lamps' })
  await t.rejects(feedshop.call(target, ['']), { code: 'LNK_ADAPTER_NOT_FOUND' })
})

const settingsOfLabels = Type.Object({ labels: Type.String() })

t.test('the job and the route of the example call the capability of the connection in the config', async t => {
  const { Config, labelParcel, labelRoute } = await importExample(
    t,
    codeOf('docs/capabilities.md', 'ts', 1),
    'labels.ts'
  ) as {
    Config: typeof settingsOfLabels,
    labelParcel: JobDefinition<null, unknown, unknown>,
    labelRoute: RouteDefinition
  }
  const host = createTestHost()
  t.teardown(() => host.close())
  const labels = '0198c3b2-bb3f-7c40-9f51-6c7d8e9fa0b1'
  host.serveCapability(labels, 'acme/Labels', {
    createLabel: async (reference: string) => ({ id: `label of ${reference}` })
  })
  const feedshop = await host.open({
    manifest: {
      ...manifest,
      capabilities: [],
      permissions: { jobs: ['feedshop.*'], routes: true, capabilities: ['acme/Labels'] }
    },
    definition: defineAdapter({
      config: Config,
      credentials: Type.Null(),
      connect: () => null,
      account: async () => ({ id: '1', name: 'Test' }),
      capabilities: {},
      jobs: { 'feedshop.parcel.label': labelParcel },
      routes: [labelRoute]
    }),
    config: { labels },
    credentials: null
  })

  t.strictSame(await feedshop.run('feedshop.parcel.label', { reference: 'p-1' }), { result: { id: 'label of p-1' } })
  const path = '/connections/:connectionId/labels/p-2'
  t.match(await feedshop.inject({ method: 'POST', path, scope: 'operate' }), {
    status: 200,
    body: { id: 'label of p-2' }
  })
})
