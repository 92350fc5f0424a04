import { AdapterErrorCode } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import nock from 'nock'
import t from 'tap'
import { Config, Credentials } from '../src/config.ts'
import adapter from '../src/index.ts'
import { createMarketplace, platform } from './marketplace.ts'

const connect = createMarketplace(t)
const sandbox = () => nock('https://api.sandbox.test')
const testSandbox = () => connect({ environment: 'sandbox' }).test()

t.test('the connection test names the account of the token, with the vendor\'s media type and a language', async t => {
  nock('https://api.sandbox.test', {
    reqheaders: { authorization: 'Bearer access-token', accept: 'application/vnd.mkta.public.v1+json', 'accept-language': 'pl-PL' }
  }).get('/me').reply(200, { id: '44300001', login: 'seller_login' })

  t.same(await testSandbox(), { message: "the token belongs to the account 'seller_login' (44300001)" })
})

t.test('each environment has its own host', async t => {
  nock('https://api.market.test').get('/me').reply(200, { id: '1', login: 'seller' })

  await t.resolves(connect({ environment: 'production' }).test())
})

t.test('the media type is the operator\'s when it is set', async t => {
  nock('https://api.sandbox.test', { reqheaders: { accept: 'application/vnd.other.v2+json' } }).get('/me').reply(200, { id: '1', login: 'seller' })

  await t.resolves(connect({ environment: 'sandbox' }, { ...platform, mediaType: 'application/vnd.other.v2+json' }).test())
})

t.test('an address that the operator has not set is named', async t => {
  const refused = (settings: Record<string, unknown>, message: RegExp) =>
    t.throws(() => connect({ environment: 'sandbox' }, settings), { code: AdapterErrorCode.configuration, message })

  refused({}, /platforms\.mkta\.sandbox\.restBaseUrl/)
  refused({ production: platform.production }, /platforms\.mkta\.sandbox\.restBaseUrl/)
  refused({ ...platform, mediaType: 'json\r\nx: y' }, /platforms\.mkta\.mediaType/)
})

t.test('a token that is refused is an authentication error with the reason', async t => {
  sandbox().get('/me').reply(401, { error: 'invalid_token', error_description: 'Access token expired: ey…' })
  await t.rejects(testSandbox(), { code: AdapterErrorCode.authentication, status: 401, message: /Access token expired/ })

  sandbox().get('/me').reply(403, { errors: [{ code: 'AccessDenied', message: 'scope missing' }] })
  await t.rejects(testSandbox(), { code: AdapterErrorCode.authentication, status: 403, message: /AccessDenied: scope missing/ })
})

t.test('refused fields come with their pointers, and the trace to quote', async t => {
  sandbox().get('/me').reply(422, {
    errors: [
      { code: 'NotBlank', message: 'may not be blank', details: null, path: 'sellingMode.price.amount', userMessage: 'Price is required', metadata: {} },
      { code: 'Bad', message: 'bad image', path: 'images[0]', userMessage: null },
      { code: null, message: 'odd', path: null }
    ]
  }, { 'trace-id': 'trace-7' })
  const error: unknown = await testSandbox().catch((reason: unknown) => reason)

  t.match(error, {
    code: AdapterErrorCode.rejected,
    message: /422.*Price is required.*\[trace trace-7\]/,
    fields: [
      { pointer: '/sellingMode/price/amount', code: 'NotBlank', message: 'Price is required' },
      { pointer: '/images/0', code: 'Bad', message: 'bad image' },
      { pointer: '', code: 'unknown', message: 'odd' }
    ]
  })
})

t.test('other refusals are told apart by their status, with any body', async t => {
  for (const [status, code] of [[404, AdapterErrorCode.notFound], [406, AdapterErrorCode.rejected], [500, AdapterErrorCode.transient]] as const) {
    sandbox().get('/me').reply(status, '<html>private-text</html>')
    const error: unknown = await testSandbox().catch((reason: unknown) => reason)
    t.match(error, { code, status })
    t.notMatch(String(error), /private-text/)
  }
})

t.test('an account in another form proves nothing', async t => {
  sandbox().get('/me').reply(200, { login: 'seller' })

  await t.rejects(testSandbox(), { code: AdapterErrorCode.transient, message: /unknown form/ })
})

t.test('config and credentials are checked member by member, and the tokens are secret', async t => {
  t.ok(Value.Check(Config, { environment: 'sandbox' }))
  t.notOk(Value.Check(Config, {}))
  t.notOk(Value.Check(Config, { environment: 'test' }))
  t.ok(Value.Check(Credentials, { accessToken: 'a', refreshToken: 'r', expiresAt: '2025-01-03T00:00:00.000Z' }))
  t.notOk(Value.Check(Credentials, { accessToken: 'a', expiresAt: '2025-01-03T00:00:00.000Z' }))
  t.equal(Credentials.properties.accessToken.secret, true)
  t.equal(Credentials.properties.refreshToken.secret, true)
})

t.test('no capability is declared before it is there', async t => {
  t.same(adapter.capabilities, {})
})
