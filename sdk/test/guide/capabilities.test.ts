import { defineAdapter, type CapabilityFactories, type Context, type HttpClient } from '@linker/sdk'
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
