import { connectionRoute, defineAdapter, platformRoute, type ConnectionRouteHost, type HttpClient } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const handler = async () => ({})

t.test('a route of a connection begins with the connection, and any other route does not', async t => {
  t.throws(() =>
    connectionRoute({
      method: 'GET',
      // @ts-expect-error It does not begin with the connection.
      path: '/articles/:number',
      auth: 'read',
      handler
    }), {
    name: 'TypeError',
    message: "connectionRoute: the path '/articles/:number' must start with /connections/:connectionId/. " +
      'Use platformRoute for a route of the platform as a whole'
  })
  t.throws(
    () => platformRoute({ method: 'GET', path: '/connections/:connectionId/articles', auth: 'read', handler }),
    { name: 'TypeError', message: /platformRoute: .*\/connections\/:connectionId\/articles.*connectionRoute/ }
  )
  t.throws(() => platformRoute({ method: 'GET', path: '/connections/:id/articles', auth: 'read', handler }), TypeError)
  t.equal(platformRoute({ method: 'GET', path: '/articles', auth: 'read', handler }).path, '/articles')
})

t.test('a handler has the types of its path and schemas, and a connection that is never undefined', async t => {
  const route = connectionRoute({
    method: 'PUT',
    path: '/connections/:connectionId/articles/:number/tags/:tag',
    auth: 'operate',
    schema: {
      params: Type.Object({ number: Type.Integer() }),
      query: Type.Object({ isDraft: Type.Boolean({ default: false }) }),
      body: Type.Object({ title: Type.String() })
    },
    async handler ({ params, query, body }, { connection }: ConnectionRouteHost<HttpClient>) {
      const number: number = params.number
      const names: string[] = [params.connectionId, params.tag, body.title]
      const isDraft: boolean = query.isDraft
      // @ts-expect-error The path has no such parameter.
      t.equal(params.name, undefined)
      // @ts-expect-error Nor does the body have such a member.
      t.equal(body.name, undefined)
      await connection.client.request({ method: 'PUT', path: `articles/${number}`, body: { names, isDraft } })
      return { status: 204 }
    }
  })
  const adapter = defineAdapter({
    config: Type.Object({}),
    credentials: Type.Object({}),
    connect: ({ http }) => http({ baseUrl: 'https://shop.test' }),
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    routes: [route, platformRoute({ method: 'GET', path: '/ping', auth: 'public', handler })]
  })

  t.strictSame(adapter.routes?.map(({ path }) => path), [route.path, '/ping'])
})

t.test('a route without schemas has its query as the hub read it, and texts as parameters', async t => {
  const read = async (
    path: string,
    { query, params }: { query: Readonly<Record<string, unknown>>, params: object }
  ) => ({
    body: [path, query.state, params]
  })
  const ofConnection = connectionRoute({
    method: 'GET',
    path: '/connections/:connectionId/state',
    auth: 'read',
    handler: async request => read(request.params.connectionId, { query: request.query, params: request.params })
  })
  const ofPlatform = platformRoute({
    method: 'GET',
    path: '/callback/:name',
    auth: 'public',
    schema: { response: {} },
    handler: async ({ params, query }) => ({ body: [params.name, query.state] })
  })

  t.strictSame([ofConnection, ofPlatform].map(({ method }) => method), ['GET', 'GET'])
})

t.test('an adapter takes no route whose client has more than the one that it makes', async t => {
  const route = connectionRoute({
    method: 'GET',
    path: '/connections/:connectionId/account',
    auth: 'read',
    handler: async (_request, { connection }: ConnectionRouteHost<{ account: string }>) => ({
      body: connection.client.account
    })
  })
  const rest = {
    config: Type.Object({}),
    credentials: Type.Object({}),
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    routes: [route]
  }

  t.ok(defineAdapter({ ...rest, connect: () => ({ account: 'a', more: 1 }) }))
  // @ts-expect-error The client has no account.
  t.ok(defineAdapter({ ...rest, connect: () => ({ more: 1 }) }))
})
