import { AdapterErrorCode } from '@linker/sdk'
import nock from 'nock'
import { inspect } from 'node:util'
import t from 'tap'
import { identityKey } from '../../src/oauth/identity.ts'
import { createTokenEndpoint } from '../../src/oauth/token-endpoint.ts'
import { fetchOrder } from '../../src/orders/fetch.ts'
import { createMarketplace, platform, rest } from '../marketplace.ts'

const { connect } = createMarketplace(t)
const { authentication, configuration, outcomeUnknown, rateLimited, rejected, transient } = AdapterErrorCode
const ended = { expiresAt: '2025-01-02T12:00:30.000Z' }
const pair = {
  access_token: 'access-token-2',
  token_type: 'bearer',
  refresh_token: 'refresh-token-2',
  expires_in: 43_199,
  scope: 'all',
  mkta_api: true,
  iss: 'https://sandbox.test',
  jti: '1'
}

async function authorised (credentials: Parameters<typeof connect>[0] = {}) {
  const connection = connect(credentials)
  await connection.context.kv.set(identityKey, { account: { id: '1', login: 'seller' }, clientId: 'client-1' })
  return connection
}

const tokenHost = () =>
  nock('https://sandbox.test', {
    reqheaders: {
      authorization: `Basic ${btoa('client-1:client-secret-of-the-sandbox')}`,
      'content-type': /^application\/x-www-form-urlencoded/
    }
  })
const renewal = (token = 'refresh-token-1') =>
  tokenHost().post('/auth/oauth/token', { grant_type: 'refresh_token', refresh_token: token })
const account = (token: string) => rest({ authorization: `Bearer ${token}` }).get('/me')

t.test('a token that expires within a minute is renewed before the request, and the new pair stored', async t => {
  renewal().reply(200, pair)
  account('access-token-2').twice().reply(200, { id: '1', login: 'seller' })
  const { client, stored } = await authorised({ credentials: ended })

  await client.test()
  await client.test()

  t.same(stored(), {
    accessToken: 'access-token-2',
    refreshToken: 'refresh-token-2',
    expiresAt: '2025-01-02T23:59:59.000Z'
  })
})

t.test('a renewal carries the user agent of the operator', async t => {
  const userAgent = 'Hub/1.0 (+https://hub.example)'
  nock('https://sandbox.test', { reqheaders: { 'user-agent': userAgent } }).post('/auth/oauth/token').reply(200, pair)
  rest({ 'authorization': 'Bearer access-token-2', 'user-agent': userAgent }).get('/me')
    .reply(200, { id: '1', login: 'seller' })
  const { client } = await authorised({ credentials: ended, settings: { ...platform, userAgent } })

  await t.resolves(client.test())
})

t.test('a refused token is renewed, and the request sent once more', async t => {
  account('access-token-1').reply(401, {
    error: 'invalid_token',
    error_description: 'Access token expired: access-token-1'
  })
  renewal().reply(200, pair)
  account('access-token-2').reply(200, { id: '1', login: 'seller' })

  await t.resolves((await authorised()).client.test())
})

t.test('a renewed token that is refused as well fails the request', async t => {
  account('access-token-1').reply(401, { error: 'invalid_token' })
  renewal().reply(200, pair)
  account('access-token-2').reply(401, {
    error: 'invalid_token',
    error_description: 'Access token expired: access-token-2'
  })
  const error: unknown = await (await authorised()).client.test().catch((reason: unknown) => reason)

  t.match(error, { code: authentication, status: 401, message: /Access token expired/ })
  t.notMatch(String(error), /access-token-2/)
})

t.test('an answer without a refresh token leaves the old one in force', async t => {
  renewal().reply(200, { ...pair, refresh_token: undefined })
  account('access-token-2').reply(200, { id: '1', login: 'seller' })
  const { client, stored } = await authorised({ credentials: ended })

  await client.test()

  t.match(stored(), { accessToken: 'access-token-2', refreshToken: 'refresh-token-1' })
})

t.test('without the secret of the application a refresh is not available, and the message says what to do', async t => {
  const { client } = await authorised({
    credentials: ended,
    settings: { sandbox: { ...platform.sandbox, clients: {} } }
  })
  await t.rejects(client.test(), {
    code: authentication,
    message: /refresh is not available.*platforms\.mkta\.sandbox\.clients.*'client-1'.*re-authorise/
  })

  await t.rejects(connect({ credentials: ended }).client.test(), { code: authentication, message: /re-authorise/ })
})

async function failure (attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(() => undefined, (reason: unknown) => reason)
}

t.test('only an explicit refusal asks for another authorisation, and it quotes no token', async t => {
  const refusals: [number, object | string, RegExp][] = [
    [
      400,
      { error: 'invalid_grant', error_description: 'Invalid refresh token: refresh-token-1' },
      /\(invalid_grant\): re-authorise/
    ],
    [400, { error: 'invalid_request', error_description: 'refresh-token-1' }, /\(invalid_request\): re-authorise/],
    [400, { error: 'unauthorized_client' }, /refuses the application.*clients.*re-authorise/],
    [
      401,
      { error: 'invalid_client', error_description: 'Bad client credentials' },
      /refuses the application.*clients.*re-authorise/
    ],
    [401, { error: 'unauthorized', error_description: 'Full authentication is required' }, /refuses the application/],
    [401, '', /refuses the application/],
    [401, '<html></html>', /refuses the application/],
    [401, { errors: [{ code: 'AccessDenied' }] }, /refuses the application/]
  ]
  for (const [status, body, message] of refusals) {
    renewal().reply(status, body)
    const error = await failure((await authorised({ credentials: ended })).client.test())
    t.match(error, { code: authentication, message })
    t.notMatch(inspect(error, { depth: 9 }), /refresh-token-1/)
  }
})

t.test('the answer of a proxy is a transient error', async t => {
  const answers = [
    [400, '<html></html>'],
    [400, { errors: [] }],
    [403, '<html></html>'],
    [403, { error: 'access_denied' }]
  ] as const
  for (const [status, body] of answers) {
    renewal().reply(status, body, { 'www-authenticate': 'Basic realm="proxy"' })
    await t.rejects((await authorised({ credentials: ended })).client.test(), {
      code: transient,
      message: new RegExp(`answered ${status}`)
    })
  }
})

t.test("a proxy's refusal of the token request says nothing about the order that needs the token", async t => {
  const { client } = await authorised({ credentials: ended })
  renewal().reply(403, '<html></html>')

  await t.rejects(fetchOrder(client, 'f-1'), { code: transient, message: /token endpoint answered 403/ })
})

t.test('a token pair is stored whatever else its answer holds, as it may have cost the refresh token', async t => {
  const odd: [object, string][] = [
    [{ token_type: undefined }, '2025-01-02T23:59:59.000Z'],
    [{ token_type: 'mac', scope: ['all'], id_token: 'x' }, '2025-01-02T23:59:59.000Z'],
    [{ expires_in: '43199' }, '2025-01-02T23:59:59.000Z'],
    [{ expires_in: undefined }, '2025-01-02T12:10:00.000Z'],
    [{ expires_in: 'soon' }, '2025-01-02T12:10:00.000Z'],
    [{ expires_in: 1e300 }, '2025-01-02T12:10:00.000Z']
  ]
  for (const [members, expiresAt] of odd) {
    renewal().reply(200, JSON.stringify({ ...pair, ...members }), {
      'content-type': 'application/vnd.mkta.public.v1+json'
    })
    account('access-token-2').reply(200, { id: '1', login: 'seller' })
    const { client, stored } = await authorised({ credentials: ended })

    await client.test()

    t.same(stored(), { accessToken: 'access-token-2', refreshToken: 'refresh-token-2', expiresAt })
  }
})

t.test('neither the message nor the cause of an error quotes a refused code', async t => {
  const { context } = connect()
  const endpoint = createTokenEndpoint({
    webBaseUrl: 'https://sandbox.test',
    userAgent: undefined,
    http: context.http,
    clientId: 'client-1',
    clientSecret: 'client-secret-of-the-sandbox',
    now: context.clock.now
  })
  const exchange = () =>
    endpoint.exchangeCode({
      callback: new URLSearchParams({ code: 'code-1', state: 'state-1' }),
      state: 'state-1',
      redirectUri: 'https://hub.test/cb',
      codeVerifier: 'v'.repeat(43)
    })
  const used = { error: 'invalid_grant', error_description: 'Invalid authorization code: code-1' }
  const invalid = { error: 'invalid_request', error_description: 'code-1' }
  const otherUri = { error: 'invalid_grant', error_description: 'Redirect URI mismatch. code-1' }
  const answers: [status: number, body: object, code: string, message: RegExp][] = [
    [400, used, rejected, /^Invalid authorization code: it was used/],
    [400, invalid, rejected, /^the marketplace refused the authorisation: invalid_request$/],
    [400, otherUri, rejected, /^Invalid redirect_uri$/],
    [401, { message: 'code-1' }, rejected, /^Authentication failed$/],
    [200, { access_token: 'access-token-2' }, transient, /refresh_token/],
    [200, { refresh_token: 'refresh-token-2', code: 'code-1' }, transient, /unknown form/]
  ]
  for (const [status, body, code, message] of answers) {
    const expected = { code, message }
    tokenHost().post('/auth/oauth/token').reply(status, body)
    const error = await failure(exchange())
    t.match(error, expected)
    t.notMatch(inspect(error, { depth: 9 }), /code-1|token-2/)
  }
})

t.test('after a transient fault the same refresh token is tried again', async t => {
  const { client } = await authorised({ credentials: ended })
  renewal().reply(503)
  await t.rejects(client.test(), { code: transient })
  renewal().reply(429, '', { 'retry-after': '60' })
  await t.rejects(client.test(), { code: rateLimited, retryAfterMs: 60_000 })
  renewal().reply(500)
  await t.rejects(client.test(), { code: transient })

  renewal().reply(200, pair)
  account('access-token-2').reply(200, { id: '1', login: 'seller' })
  await t.resolves(client.test())
})

t.test('when a lost answer has spent the refresh token, the next attempt asks to re-authorise', async t => {
  renewal().replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
  const { client } = await authorised({ credentials: ended })
  const first: unknown = await client.test().catch((reason: unknown) => reason)
  t.ok([outcomeUnknown, transient].includes((first as { code: typeof transient }).code))

  renewal().reply(400, { error: 'invalid_grant' })
  await t.rejects(client.test(), { code: authentication, message: /re-authorise/ })
})

t.test('an answer without a token is a transient error, and a wrong address a configuration error', async t => {
  const { client } = await authorised({ credentials: ended })
  for (const body of ['<html></html>', { refresh_token: 'x' }, []]) {
    renewal().reply(200, body)
    await t.rejects(client.test(), { code: transient })
  }

  renewal().reply(404)
  await t.rejects(client.test(), { code: configuration, message: /webBaseUrl/ })
})
