import type { RouteDescription } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { describeRoutes } from '../../src/adapter-routes/route-documents.ts'
import { createRouteTable } from '../../src/adapter-routes/route-table.ts'
import { fakeAdapter, registryOf } from '../connections/support.ts'

function describe (...routes: RouteDescription[]) {
  return describeRoutes(createRouteTable(registryOf(fakeAdapter({ described: { routes } }))).routes)
}

t.test('routes at one path are one entry, with the parameters of the path in braces', async t => {
  const schema = { params: Type.Object({ id: Type.Integer({ description: 'Number of the article' }) }) }
  const { paths, tags } = describe(
    { method: 'GET', path: '/articles/:id', auth: 'admin', schema },
    { method: 'DELETE', path: '/articles/:id', auth: 'public', schema: {} }
  )
  const entry = paths['/integrations/feed/articles/{id}']

  t.strictSame(Object.keys(paths), ['/integrations/feed/articles/{id}'])
  t.match(entry?.get?.parameters, [{
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: 'integer' },
    description: 'Number of the article'
  }])
  t.match(entry?.delete?.parameters, [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }])
  t.strictSame([entry?.get?.security, entry?.delete?.security], [
    [{ token: ['admin'] }, { session: ['admin'] }],
    []
  ])
  t.match(tags, [{ name: 'feed.api.v1', description: /adapter/ }])
})

t.test('routes of a deprecated adapter, and deprecated members of a query, are marked', async t => {
  const query = Type.Object({
    old: Type.Optional(Type.String({ deprecated: true })),
    tag: Type.Optional(Type.String())
  })
  const routes: RouteDescription[] = [{ method: 'GET', path: '/articles', auth: 'admin', schema: { query } }]
  const adapter = fakeAdapter({ deprecated: 'use feed-v2', described: { routes } })
  const [path] = Object.values(describeRoutes(createRouteTable(registryOf(adapter)).routes).paths)
  const [other] = Object.values(describe(...routes).paths)

  t.match(path?.get, { deprecated: true, description: /It is deprecated: use feed-v2$/ })
  t.match(path?.get?.parameters, [{ name: 'old', deprecated: true }, { name: 'tag', deprecated: undefined }])
  t.equal(other?.get?.deprecated, undefined)
})

t.test('members of the query are parameters, required where the schema says so', async t => {
  const query = Type.Object({ tag: Type.String(), limit: Type.Optional(Type.Integer()) })
  const [path] = Object.values(describe({ method: 'GET', path: '/articles', auth: 'admin', schema: { query } }).paths)

  t.match(path?.get?.parameters, [
    { name: 'tag', in: 'query', required: true },
    { name: 'limit', in: 'query', required: false }
  ])
  t.equal(path?.get?.requestBody, undefined)
})

t.test('only answers with a status stand in the description', async t => {
  const response = { 201: Type.Object({}, { description: 'Made' }), '4xx': Type.Null(), other: Type.Object({}) }
  const { paths } = describe(
    { method: 'POST', path: '/articles', auth: 'admin', schema: { body: Type.Object({}), response } },
    { method: 'GET', path: '/status', auth: 'admin', schema: {} }
  )
  const made = paths['/integrations/feed/articles']?.post
  const status = paths['/integrations/feed/status']?.get

  t.strictSame(Object.keys(made?.responses ?? {}).toSorted(), ['201', '4XX'])
  t.match(made?.responses?.['201'], { description: 'Made', content: { 'application/json': {} } })
  t.notOk('content' in (made?.responses?.['4XX'] ?? {}))
  t.match(made?.requestBody, { required: true })
  t.strictSame(Object.keys(status?.responses ?? {}).toSorted(), ['200'])
})

t.test('an operation is named after adapter, method and path, and no name stands for two', async t => {
  const { paths } = describe(
    { method: 'GET', path: '/articles/:id', auth: 'admin', schema: {} },
    { method: 'GET', path: '/feed-state', auth: 'admin', schema: {} },
    { method: 'GET', path: '/feed/state', auth: 'admin', schema: {} }
  )

  t.strictSame(Object.values(paths).map(path => path?.get?.operationId), [
    'feedApiV1_getArticlesById',
    'feedApiV1_getFeedState',
    'feedApiV1_getFeedState_2'
  ])
})

t.test('the body that begins an authorisation shows the page that the hub returns to', async t => {
  const body = Type.Object({ connectionName: Type.String() })
  const routes: RouteDescription[] = ['/authorise', '/other']
    .map(path => ({ method: 'POST', path, auth: 'admin', schema: { body } }))
  const adapter = fakeAdapter({ described: { routes, authorisation: { path: '/authorise' } } })
  const paths = Object.values(describeRoutes(createRouteTable(registryOf(adapter)).routes).paths)

  t.match(paths.map(path => path?.post?.requestBody), [
    {
      content: {
        'application/json': { schema: { required: ['connectionName'], properties: { returnTo: { type: 'string' } } } }
      }
    },
    { content: { 'application/json': { schema: { properties: { returnTo: undefined } } } } }
  ])
})
