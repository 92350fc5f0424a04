import { AdapterErrorCode } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import nock from 'nock'
import t from 'tap'
import { Config, Credentials } from '../src/config.ts'
import adapter from '../src/index.ts'
import { createMarketplace, mediaType, platform, rest, restWrite } from './marketplace.ts'

const { connect } = createMarketplace(t)
const get = () => connect().client.json({ method: 'GET', path: 'me' })

t.test("the connection test names the account of the token, with the vendor's media type and a language", async t => {
  rest().get('/me').reply(200, { id: '44300001', login: 'seller_login' })

  t.match(await connect().client.test(), { message: "'seller_login' (44300001)" })
})

t.test('the account is the user of the token, by the id that stays when the login changes', async t => {
  rest().get('/me').reply(200, { id: '44300001', login: 'seller_login', email: 'jan@example.com' })

  const { client, context } = connect()
  t.strictSame(await adapter.account(client, context), { id: '44300001', name: 'seller_login' })
})

t.test('each environment has its own host', async t => {
  nock('https://api.market.test').get('/me').reply(200, { id: '1', login: 'seller' })

  await t.resolves(connect({ config: { environment: 'production' } }).client.test())
})

t.test('media type, language and the name of the hub are settings', async t => {
  nock('https://api.sandbox.test', {
    reqheaders: {
      accept: 'application/vnd.other.v2+json',
      'accept-language': 'cs-CZ',
      'user-agent': 'acme-hub/1 (+https://acme.test)'
    }
  })
    .get('/me').reply(200, { id: '1', login: 'seller' })

  const { client } = connect({
    config: { language: 'cs-CZ' },
    settings: {
      ...platform,
      mediaType: 'application/vnd.other.v2+json',
      userAgent: 'acme-hub/1 (+https://acme.test)'
    }
  })
  await t.resolves(client.test())
})

t.test("a body has the vendor's media type with every method", async t => {
  restWrite().patch('/a', { b: 1 }).reply(200, {})
    .put('/a', { b: 1 }).reply(200, {})
    .post('/a', { b: 1 }).reply(200, {})

  for (const method of ['PATCH', 'PUT', 'POST'] as const) {
    await t.resolves(connect().client.request({ method, path: 'a', body: { b: 1 } }))
  }
})

t.test('the error names a missing or invalid setting of the operator', async t => {
  const refused = (settings: Record<string, unknown>, message: RegExp) =>
    t.rejects(connect({ settings }).client.test(), { code: AdapterErrorCode.configuration, message })

  await refused({}, /platforms\.mkta\.sandbox\.restBaseUrl/)
  await refused({ production: platform.production }, /platforms\.mkta\.sandbox\.restBaseUrl/)
  await refused({ sandbox: { restBaseUrl: 'https://api.sandbox.test' } }, /platforms\.mkta\.sandbox\.webBaseUrl/)
  await refused({ ...platform, mediaType: 'json\r\nx: y' }, /platforms\.mkta\.mediaType/)
  await refused({ sandbox: { ...platform.sandbox, clients: { 'client-1': 7 } } }, /platforms\.mkta\.sandbox\.clients/)
})

t.test('a token without permission is an authentication error with the reason', async t => {
  rest().get('/me').reply(403, { errors: [{ code: 'AccessDenied', message: 'scope missing' }] })

  await t.rejects(get(), { code: AdapterErrorCode.authentication, status: 403, message: /AccessDenied: scope missing/ })
})

t.test("refused fields carry pointers into the hub's patch, and the trace id", async t => {
  rest().get('/me').reply(422, {
    errors: [
      {
        code: 'NotBlank',
        message: 'may not be blank',
        details: null,
        path: 'sellingMode.price.amount',
        userMessage: 'Price is required',
        metadata: {}
      },
      { code: 'Bad', message: 'bad image', path: 'images[0]', userMessage: null },
      { code: 'Size', message: 'too long', path: 'name' },
      { code: null, message: 'odd', path: null }
    ]
  }, { 'trace-id': 'trace-7' })
  const error: unknown = await get().catch((reason: unknown) => reason)

  t.match(error, {
    code: AdapterErrorCode.rejected,
    message: /422.*Price is required.*\[trace trace-7\]/,
    fields: [
      { pointer: '/price/amount', code: 'NotBlank', message: 'Price is required' },
      { pointer: '/images/0', code: 'Bad', message: 'bad image' },
      { pointer: '/title', code: 'Size', message: 'too long' },
      { pointer: '', code: 'unknown', message: 'odd' }
    ]
  })
})

t.test('the status alone decides other refusals, with any body', async t => {
  const codes = { 404: AdapterErrorCode.notFound, 406: AdapterErrorCode.rejected, 500: AdapterErrorCode.transient }
  for (const [text, code] of Object.entries(codes)) {
    const status = Number(text)
    rest().get('/me').reply(status, '<html>private-text</html>')
    const error: unknown = await get().catch((reason: unknown) => reason)
    t.match(error, { code, status })
    t.notMatch(String(error), /private-text/)
  }
})

t.test('a rate limit says how long to wait', async t => {
  rest().get('/me').reply(429, { errors: [{ code: 'TooManyRequests', message: 'limit exceeded' }] }, {
    'retry-after': '30'
  })

  await t.rejects(get(), { code: AdapterErrorCode.rateLimited, retryAfterMs: 30_000 })
})

/** The hub fills in the defaults before an adapter sees a config. */
const accepts = (config: object): boolean => Value.Check(Config, Value.Default(Config, structuredClone(config)))

t.test('config and credentials are checked member by member, and the tokens are secret', async t => {
  t.ok(accepts({ environment: 'sandbox' }))
  t.ok(accepts({ environment: 'production', language: 'hu-HU', marketplaceIds: ['mkta-hu'] }))
  const invalid = [
    {},
    { environment: 'test' },
    { environment: 'sandbox', language: 'de-DE' },
    { environment: 'sandbox', marketplaceIds: [] }
  ]
  for (const config of invalid) t.notOk(accepts(config))
  t.ok(Value.Check(Credentials, { accessToken: 'a', refreshToken: 'r', expiresAt: '2025-01-03T00:00:00.000Z' }))
  t.notOk(Value.Check(Credentials, { accessToken: 'a', expiresAt: '2025-01-03T00:00:00.000Z' }))
  t.equal(Credentials.properties.accessToken.secret, true)
  t.equal(Credentials.properties.refreshToken.secret, true)
})

t.test('the error for an answer that is not JSON does not quote its body', async t => {
  rest().get('/me').reply(200, '<html>private-text</html>', { 'content-type': mediaType })

  await t.rejects(get(), { code: AdapterErrorCode.transient, message: /^(?!.*private-text)/ })
})
