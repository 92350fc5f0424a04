import { defineAdapter, type HttpClient, type RouteDefinition } from '@linker/sdk'
import { checkAdapter, describeAdapter } from '@linker/sdk/host'
import { createTestHost } from '@linker/sdk/testing'
import { Type } from '@sinclair/typebox'
import assert from 'node:assert/strict'
import t from 'tap'
import { startUpstream } from '../http/support.ts'
import { codeOf, importExample, manifest, readPage } from './guide.ts'

t.test('the permissions in the text permit the route, and the request of the testing page gets its answer', async t => {
  const { routes } = await importExample(t, codeOf('docs/routes.md')) as { routes: RouteDefinition<HttpClient>[] }
  const [, permissions = ''] = /`"permissions": (\{.*?\})`/.exec(readPage('docs/routes.md')) ?? []
  const permitted = { ...manifest, capabilities: [], permissions: JSON.parse(permissions) }
  const definition = defineAdapter({
    config: Type.Object({ baseUrl: Type.String() }),
    credentials: Type.Null(),
    connect: ({ http, config }) => http({ baseUrl: config.baseUrl }),
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    routes
  })
  const upstream = await startUpstream(t, (_request, response) => response.end('{}'))
  const host = createTestHost()
  t.teardown(() => host.close())
  const feedshop = await host.open({
    manifest: { ...permitted, permissions: { ...permitted.permissions, http: ['${config.baseUrl}'] } },
    definition,
    config: { baseUrl: upstream.baseUrl },
    credentials: null
  })
  const code = `export default async (feedshop, assert) => {${codeOf('docs/testing.md', 'js')}}`
  const { default: inject } = await importExample(t, code, 'inject.js') as {
    default: (feedshop: unknown, assert: unknown) => Promise<void>
  }

  t.strictSame(checkAdapter(permitted, describeAdapter(definition)), [])
  await inject(feedshop, assert)
  t.equal(upstream.requests[0]?.url, '/articles/7/publish')
})
