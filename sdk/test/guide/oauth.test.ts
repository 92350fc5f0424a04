import {
  defineAdapter,
  type AuthorisationDefinition,
  type Context,
  type HttpClient,
  type RouteDefinition,
  type RouteHost,
  type RouteRequest
} from '@linker/sdk'
import { checkAdapter, compileSchema, describeAdapter } from '@linker/sdk/host'
import { createTestHost } from '@linker/sdk/testing'
import { Type, type TSchema } from '@sinclair/typebox'
import t from 'tap'
import { failureOf, startUpstream } from '../http/support.ts'
import { codeOf, importExample, manifest } from './guide.ts'

const page = 'docs/oauth.md'

type Flow = { authorisation: AuthorisationDefinition, routes: RouteDefinition[] }
const flowCode = codeOf(page, 'ts', 1)

t.test('the client of the example renews an expired token, with the newest refresh token', async t => {
  const { Config, Credentials, createClient } = await importExample(t, codeOf(page)) as {
    Config: TSchema,
    Credentials: TSchema,
    createClient: (context: Context) => HttpClient
  }
  let issued = 0
  const upstream = await startUpstream(t, (request, response) => {
    if (request.url === '/oauth/token') issued += 1
    response.end(JSON.stringify({ access_token: `a-${issued}`, refresh_token: `r-${issued}`, expires_in: 3_600 }))
  })
  const host = createTestHost()
  t.teardown(() => host.close())
  const feedshop = await host.open({
    manifest: { ...manifest, capabilities: [] },
    definition: defineAdapter({
      config: Config,
      credentials: Credentials,
      connect: createClient,
      account: async () => ({ id: '1', name: 'Test' }),
      async test (client) {
        await client.get('me')
        return undefined
      },
      capabilities: {}
    }),
    config: { baseUrl: upstream.baseUrl, clientId: 'hub' },
    credentials: {
      clientSecret: 'test-secret',
      refreshToken: 'r-0',
      accessToken: 'a-0',
      expiresAt: host.clock.now().toISOString()
    }
  })

  await feedshop.test()
  host.clock.advance(3_600_000)
  await feedshop.test()

  t.strictSame(upstream.requests.map(({ url, headers }) => [url, headers.authorization]), [
    ['/oauth/token', undefined],
    ['/me', 'Bearer a-1'],
    ['/oauth/token', undefined],
    ['/me', 'Bearer a-2']
  ])
  t.match(upstream.requests[2]?.body, 'refresh_token=r-1')
  t.match(host.credentials[feedshop.id], { accessToken: 'a-2', refreshToken: 'r-2', clientSecret: 'test-secret' })
})

t.test('the authorisation of the example makes one connection, however often its page is loaded', async t => {
  const { authorisation, routes } = await importExample(t, flowCode) as Flow
  const upstream = await startUpstream(
    t,
    (_request, response) => response.end('{"apiKey":"key-of-the-shop","account":"27"}')
  )
  const host = createTestHost()
  t.teardown(() => host.close())
  const definition = defineAdapter({
    config: Type.Object({ baseUrl: Type.String() }),
    credentials: Type.Object({ apiKey: Type.String({ secret: true }) }),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    routes,
    authorisation
  })
  const permitted = {
    ...manifest,
    capabilities: [],
    permissions: { routes: true, connections: true, http: ['${platform.baseUrl}'] }
  }
  t.strictSame(checkAdapter(permitted, describeAdapter(definition)), [])
  const opened = await host.open({
    manifest: permitted,
    definition,
    config: { baseUrl: upstream.baseUrl },
    credentials: { apiKey: 'another' },
    platform: { baseUrl: upstream.baseUrl }
  })
  const begin = async (body: object): Promise<string> => {
    const begun = await opened.call({ kind: 'route', index: 0 }, [{ body }]) as {
      body: { authorizationUrl: string, state: string }
    }
    t.equal(new URL(begun.body.authorizationUrl).searchParams.get('state'), begun.body.state)
    return begun.body.state
  }
  const state = await begin({ connectionName: 'Shop 27' })
  const comeBack = (query: object): Promise<unknown> => opened.call({ kind: 'route', index: 1 }, [{ query }])

  const answers = await Promise.all([comeBack({ state, code: 'c-1' }), comeBack({ state, code: 'c-1' })])

  const [, made] = host.connections
  t.equal(host.connections.length, 2)
  t.strictSame(answers, Array(2).fill({ body: { connectionId: made?.id, connectionName: 'Shop 27' } }))
  t.strictSame(upstream.requests.map(({ url, body }) => [url, body]), [['/token', '{"code":"c-1"}']])
  const again = await begin({ connectionName: 'Shop 27', connectionId: made?.id })
  t.strictSame(await comeBack({ state: again, code: 'c-2' }), answers[0])
  t.equal(host.connections.length, 2)
  t.strictSame(host.values, { [made?.id ?? '']: { account: '27' } })
  t.equal((await failureOf(comeBack({ state: 'unknown', code: 'c-1' }))).code, 'LNK_ADAPTER_REJECTED')
})

t.test('the page of the example accepts a refusal and unknown parameters', async t => {
  const { routes } = await importExample(t, flowCode) as Flow
  const check = compileSchema(routes[1]?.schema?.query ?? {})
  const complete = async (_state: string, work: (data: unknown) => Promise<unknown>) =>
    work({ connectionName: 'Shop 27' })
  const refusal = { error: 'access_denied', error_description: 'no', state: 's', iss: 'https://platform.test' }
  const answer = routes[1]?.handler(
    { query: refusal } as Partial<RouteRequest> as RouteRequest,
    { flows: { complete }, platform: {} } as Partial<RouteHost> as RouteHost
  )

  for (const query of [refusal, { code: 'c-1', state: 's', iss: 'https://platform.test' }]) {
    t.strictSame(check(query), { problems: [], unknown: [] })
  }
  t.match(await failureOf(answer ?? Promise.resolve()), {
    code: 'LNK_ADAPTER_REJECTED',
    message: /did not authorise the hub: access_denied$/
  })
})
