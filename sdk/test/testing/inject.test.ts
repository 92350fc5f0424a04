import {
  connectionRoute,
  defineAdapter,
  platformRoute,
  RateLimitedError,
  RejectedError,
  type ConnectionRouteHost,
  type HttpClient,
  type RouteDefinition
} from '@linker/sdk'
import { createTestHost, type TestConnection } from '@linker/sdk/testing'
import { Type } from '@sinclair/typebox'
import t from 'tap'

interface Client {
  account: string
  http: HttpClient
}

const Article = Type.Object({ number: Type.Integer(), account: Type.String(), tags: Type.Array(Type.String()) })

const readArticle = connectionRoute({
  method: 'GET',
  path: '/connections/:connectionId/articles/:number',
  auth: 'read',
  schema: {
    params: Type.Object({ number: Type.Integer({ minimum: 1 }) }),
    query: Type.Object({ tags: Type.Array(Type.String(), { default: [] }) }),
    response: { '2XX': Article }
  },
  handler: async ({ params, query, headers }, { connection }: ConnectionRouteHost<Client>) => ({
    headers: { 'x-feed-seen': Object.keys(headers).join(' ') },
    body: { number: params.number, account: connection.client.account, tags: query.tags }
  })
})

const publish = connectionRoute({
  method: 'POST',
  path: '/connections/:connectionId/publish',
  auth: 'operate',
  schema: { body: Type.Object({ title: Type.String() }) },
  handler: async ({ body: { title } }, { connection: { context } }: ConnectionRouteHost<Client>) => {
    if (title === 'busy') throw new RateLimitedError('the platform is busy', { retryAfterMs: 5_000 })
    if (title === 'bug') throw new TypeError('a secret of the code')
    if (title === 'wrong') return { headers: { 'set-cookie': 'a=1' } }
    if (title === 'no') {
      const fields = [{ pointer: '/title', code: 'taken', message: 'is taken' }]
      throw new RejectedError('the platform refused it', { fields })
    }
    await context.kv.set('title', title)
    return { status: 204 }
  }
})

const status: RouteDefinition<Client> = {
  method: 'GET',
  path: '/connections/:connectionId/status',
  auth: 'public',
  servesUnusable: true,
  schema: { response: { 200: Type.Object({ problem: Type.Union([Type.String(), Type.Null()]) }) } },
  handler: async ({ query }, { connection, problem }) => ({
    body: query.broken === 'yes' ? { problem: 7 } : { problem: connection === undefined ? problem?.code : null }
  })
}

const lastRead = connectionRoute({
  method: 'GET',
  path: '/connections/:connectionId/last-read',
  auth: 'read',
  readsHubOnly: true,
  schema: { query: Type.Object({ live: Type.Boolean({ default: false }) }) },
  async handler ({ query }, { connection: { client, context } }: ConnectionRouteHost<Client>) {
    if (query.live) await client.http.get('/last')
    return { body: await context.kv.get('last') ?? null }
  }
})

const slow = platformRoute({
  method: 'POST',
  path: '/slow',
  auth: 'public',
  schema: { body: Type.Object({ seconds: Type.Integer() }, { additionalProperties: true }) },
  handler: async (_request, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('too late'))
      })
    })
})

const deadline = connectionRoute({
  method: 'GET',
  path: '/connections/:connectionId/deadline',
  auth: 'public',
  handler: async (_request, { connection: { context } }: ConnectionRouteHost<Client>) => ({
    body: context.deadline?.toISOString()
  })
})

const ping = platformRoute({
  method: 'GET',
  path: '/ping',
  auth: 'public',
  handler: async ({ query, requestId }, { platform }) => ({ body: { query, requestId, platform } })
})

const adapter = defineAdapter({
  config: Type.Object({}),
  credentials: Type.Object({}),
  connect: ({ http }): Client => ({ account: 'shop 27', http: http({ baseUrl: 'https://feed.example' }) }),
  account: async () => ({ id: '1', name: 'Test' }),
  capabilities: {},
  routes: [readArticle, publish, status, lastRead, slow, deadline, ping]
})

async function open (connectionStatus: TestConnection['status'] = 'active') {
  const host = createTestHost()
  const shop = await host.open({
    manifest: {
      adapterKey: 'feed.api.v1',
      platformType: 'feed',
      displayName: 'Feed',
      capabilities: [],
      permissions: { routes: true, http: ['https://feed.example'] }
    },
    definition: adapter,
    connection: { id: 'connection-1', status: connectionStatus },
    config: {},
    credentials: {},
    platform: { site: 'eu' }
  })
  return { host, shop }
}

t.test('a request reaches the handler converted, with defaults, and without the header of its token', async t => {
  const { shop } = await open()
  const headers = { Authorization: 'Bearer x', Accept: 'application/json' }

  t.strictSame(
    await shop.inject({ method: 'GET', path: '/connections/:connectionId/articles/7', headers, scope: 'read' }),
    {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-feed-seen': 'accept' },
      body: { number: 7, account: 'shop 27', tags: [] }
    }
  )
  const path = '/connections/connection-1/articles/8?tags=a'
  t.match(await shop.inject({ method: 'GET', path, query: { tags: ['b', 'c'] }, scope: 'admin' }), {
    body: { number: 8, tags: ['a', 'b', 'c'] }
  })
})

t.test('a route that only reads what the hub keeps cannot call the platform', async t => {
  const { shop } = await open()
  const path = '/connections/:connectionId/last-read'

  t.match(await shop.inject({ method: 'GET', path, scope: 'read' }), { status: 200, body: null })
  t.match(await shop.inject({ method: 'GET', path, query: { live: true }, scope: 'read' }), {
    status: 500,
    body: { code: 'LNK_ADAPTER_CONFIGURATION', detail: /was not sent: its route says/ }
  })
})

t.test('a write is stored, and a route of the platform has no connection', async t => {
  const { host, shop } = await open()
  const path = '/connections/:connectionId/publish'

  t.strictSame(await shop.inject({ method: 'POST', path, body: { title: 'Lamp' }, scope: 'operate' }), {
    status: 204,
    headers: {},
    body: undefined
  })
  t.strictSame(host.values, { 'connection-1': { title: 'Lamp' } })
  t.match(await shop.inject({ method: 'GET', path: '/ping', query: { n: 1, left: undefined } }), {
    body: { query: { n: '1' }, requestId: 'request-2', platform: { site: 'eu' } }
  })
})

const article = '/connections/:connectionId/articles/7'
const refusals = [
  ['no token', { method: 'GET', path: article }, 401, 'LNK_UNAUTHORIZED'],
  [
    'a token that is not enough',
    {
      method: 'POST',
      path: '/connections/:connectionId/publish',
      body: { title: 'Lamp' },
      scope: 'read'
    },
    403,
    'LNK_FORBIDDEN'
  ],
  ['an unknown path without a token', { method: 'GET', path: '/nothing' }, 401, 'LNK_UNAUTHORIZED'],
  ['an unknown path', { method: 'GET', path: '/nothing', scope: 'read' }, 404, 'LNK_NOT_FOUND'],
  ['another method', { method: 'DELETE', path: article, scope: 'admin' }, 404, 'LNK_NOT_FOUND'],
  [
    'another connection',
    {
      method: 'GET',
      path: '/connections/connection-2/articles/7',
      scope: 'read'
    },
    404,
    'LNK_CONNECTION_NOT_FOUND'
  ],
  [
    'a wrong parameter',
    {
      method: 'GET',
      path: '/connections/:connectionId/articles/zero',
      scope: 'read'
    },
    400,
    'LNK_REQUEST_INVALID'
  ],
  [
    'an unknown name in the query',
    {
      method: 'GET',
      path: article,
      query: { tag: 'a' },
      scope: 'read'
    },
    400,
    'LNK_REQUEST_INVALID'
  ]
] as const

for (const [what, request, statusCode, code] of refusals) {
  t.test(`${what} is refused with ${code}, and the handler does not run`, async t => {
    const { shop } = await open()

    const answer = await shop.inject(request)

    t.match(answer, {
      status: statusCode,
      headers: { 'content-type': 'application/problem+json' },
      body: { code, status: statusCode, type: `urn:linker:problem:${code}`, requestId: 'request-1' }
    })
    t.notOk('error' in answer)
  })
}

t.test('an error of the SDK becomes the problem that the hub answers', async t => {
  const { shop } = await open()
  const post = (body: unknown) =>
    shop.inject({ method: 'POST', path: '/connections/:connectionId/publish', body, scope: 'admin' })

  t.match(await post({ title: 'busy' }), {
    status: 503,
    headers: { 'retry-after': '5' },
    body: { code: 'LNK_ADAPTER_RATE_LIMITED', detail: 'the platform is busy' },
    error: { retryAfterMs: 5_000 }
  })
  t.match(await post({ title: 'no' }), {
    status: 400,
    body: { code: 'LNK_ADAPTER_REJECTED', errors: [{ pointer: '/title', code: 'taken' }] }
  })
  const bug = await post({ title: 'bug' })
  t.match(bug, {
    status: 500,
    body: {
      code: 'LNK_ADAPTER_FAILED',
      detail: "Adapter 'feed.api.v1@0.0.0' failed. The log of the hub shows the reason under this request id"
    },
    error: { message: 'a secret of the code' }
  })
  t.notMatch(JSON.stringify(bug.body), /secret/)
  t.match(await post({}), { status: 400, body: { errors: [{ pointer: '/title', code: 'required' }] } })
  t.match(await post(undefined), { status: 400, body: { detail: 'the body is empty' } })
})

t.test('an answer that the hub or the schema of the route refuses rejects, and says where it is wrong', async t => {
  const { shop } = await open()
  const path = '/connections/:connectionId/publish'

  await t.rejects(shop.inject({ method: 'POST', path, body: { title: 'wrong' }, scope: 'admin' }), {
    code: 'LNK_ADAPTER_REJECTED',
    message: /^route POST \/connections\/:connectionId\/publish returned .*forbidden header 'set-cookie'/
  })
  await t.rejects(shop.inject({ method: 'GET', path: '/connections/:connectionId/status?broken=yes' }), {
    message: /^route GET .*\/status returned an answer that breaks its contract: \/problem /
  })
})

t.test('a disabled connection is refused, unless the route serves unusable ones', async t => {
  const { shop } = await open('disabled')

  t.match(await shop.inject({ method: 'GET', path: article, scope: 'read' }), {
    status: 400,
    body: { code: 'LNK_CONNECTION_DISABLED' }
  })
  t.match(await shop.inject({ method: 'GET', path: '/connections/:connectionId/status' }), {
    status: 200,
    body: { problem: 'LNK_CONNECTION_DISABLED' }
  })
})

t.test('a connection in error is served, and a route for unusable ones gets the reason', async t => {
  const { shop } = await open('error')

  t.match(await shop.inject({ method: 'GET', path: article, scope: 'read' }), { status: 200 })
  t.match(await shop.inject({ method: 'GET', path: '/connections/:connectionId/status' }), {
    status: 200,
    body: { problem: 'LNK_CONNECTION_IN_ERROR' }
  })
})

const slowBody = { seconds: 1 }
const unreadable = [
  ['NUL in the query', { path: '/slow', query: { a: '\0' }, body: slowBody }, 400, [{ pointer: '/querystring/a' }]],
  ['NUL in the body', { path: '/slow', body: { ...slowBody, a: ['\0'] } }, 400, [{ pointer: '/a/0', code: 'text' }]],
  ['a name of JavaScript', { path: '/slow', body: JSON.parse('{"seconds":1,"in":[{"__proto__":1}]}') }, 400, undefined],
  ['a constructor', { path: '/slow', body: { constructor: { prototype: 1 } } }, 400, undefined],
  ['more than 1 MiB', { path: '/slow', body: { ...slowBody, a: 'x'.repeat(1_048_576) } }, 413, undefined]
] as const

for (const [what, request, statusCode, errors] of unreadable) {
  t.test(`a request with ${what} is refused as by the hub's own parser`, async t => {
    const { shop } = await open()

    const answer = await shop.inject({ method: 'POST', ...request })

    const code = statusCode === 413 ? 'LNK_PAYLOAD_TOO_LARGE' : 'LNK_REQUEST_INVALID'
    t.match(answer, { status: statusCode, body: { code, errors } })
    t.notOk('error' in answer)
  })
}

t.test('NUL in a path is refused, and of many problems fifty are told', async t => {
  const { shop } = await open()
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`name${index}`, 'x']))

  t.match(await shop.inject({ method: 'GET', path: '/connections/:connectionId/articles/7%00', scope: 'read' }), {
    status: 400,
    body: { errors: [{ pointer: '/params/number', code: 'text' }, { pointer: '/params/number', code: 'type' }] }
  })
  const { body } = await shop.inject({ method: 'GET', path: article, query: { ...many, tags: '\0' }, scope: 'read' })
  t.equal((body as { errors: unknown[] }).errors.length, 50)
})

t.test('a handler has thirty seconds on the clock of the host', async t => {
  const { host, shop } = await open()
  const end = new Date(host.clock.now().getTime() + 30_000).toISOString()
  t.match(await shop.inject({ method: 'GET', path: '/connections/:connectionId/deadline' }), { body: end })

  const answering = shop.inject({ method: 'POST', path: '/slow', body: slowBody })
  host.clock.advance(30_000)

  t.match(await answering, {
    status: 504,
    body: {
      code: 'LNK_ADAPTER_TIMEOUT',
      detail: "Adapter 'feed.api.v1@0.0.0' did not answer within 30000 ms"
    }
  })
})

t.test('a path that is not complete is an error of the test', async t => {
  const { shop } = await open()

  await t.rejects(shop.inject({ method: 'GET', path: '/connections/:connectionId/articles/:number', scope: 'read' }), {
    name: 'TypeError',
    message: /parameter :number/
  })
  await t.rejects(shop.inject({ method: 'GET', path: 'ping' }), { name: 'TypeError', message: /slash/ })
})
