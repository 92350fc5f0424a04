import { AdapterErrorCode } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { readAccount, testConnection } from '../src/client.ts'
import { Config, Credentials, normalizeCredentials } from '../src/config.ts'
import { apiKey, createMarketplace, upstream } from './marketplace.ts'

const { connect } = createMarketplace(t)

t.test('the connection test names the shop that the key opens', async t => {
  upstream().get('/me').reply(200, { id: 1234, name: 'my-shop', active: true, externalMatchingPolicy: 'enabled' })

  t.match(await testConnection(connect().client), { message: "'my-shop'", warnings: undefined })
})

t.test('a shop that is not active is a success with a warning', async t => {
  upstream().get('/me').reply(200, { id: 1234, name: 'my-shop', active: false })

  t.match(await testConnection(connect().client), { message: /my-shop/, warnings: [/not active/] })
})

t.test('an account in another form is a success with a warning', async t => {
  upstream().get('/me').reply(200, { id: 1234 })

  t.match(await testConnection(connect().client), { warnings: [/unknown form/] })
})

t.test('the account is the shop that the key opens, by its id', async t => {
  upstream().get('/me').reply(200, { id: 1234, name: 'my-shop', active: false, externalMatchingPolicy: 'enabled' })

  t.strictSame(await readAccount(connect().client), { id: '1234', name: 'my-shop' })
})

t.test('an account without its id is a transient fault, because another id would be another account', async t => {
  upstream().get('/me').reply(200, { name: 'my-shop' })

  await t.rejects(readAccount(connect().client), { code: AdapterErrorCode.transient })
})

t.test('a refused key is an authentication error with any body', async t => {
  const refusals = [[401, { message: 'Unauthorized', traceId: 'b2' }], [401, ''], [403, '<html></html>']] as const
  for (const [status, body] of refusals) {
    upstream().get('/me').reply(status, body)
    await t.rejects(testConnection(connect().client), { code: AdapterErrorCode.authentication, status })
  }
})

t.test('the error quotes the message in both languages and the trace, and nothing else of the body', async t => {
  upstream().get('/me').reply(400, {
    failureType: 'conflict',
    message: 'Validation error',
    name: 'ValidationError',
    polishMessage: 'Blad walidacji',
    spanId: 'a1',
    traceId: 'b2',
    secret: 'private-text'
  })
  const error: unknown = await testConnection(connect().client).catch((reason: unknown) => reason)

  t.match(error, {
    code: AdapterErrorCode.rejected,
    status: 400,
    message: 'Validation error / Blad walidacji (a conflict, trace b2)'
  })
  t.notMatch(String(error), /private-text/)
})

t.test('a body without a message still gives a readable error', async t => {
  for (const body of ['', 'null', '[]', '"text"', '<html>private-text</html>', { message: 5 }]) {
    upstream().get('/me').reply(422, body)
    await t.rejects(testConnection(connect().client), {
      code: AdapterErrorCode.rejected,
      status: 422,
      message: /422$/
    })
  }
})

t.test('a rate limit carries the wait that the marketplace asks for', async t => {
  upstream().get('/me').reply(429, { message: 'slow down' }, { 'retry-after': '7' })

  await t.rejects(testConnection(connect().client), { code: AdapterErrorCode.rateLimited, retryAfterMs: 7_000 })
})

t.test('the key is accepted as a bare string and as an object', async t => {
  t.same(normalizeCredentials(` ${apiKey}\n`), { apiKey })
  t.same(normalizeCredentials({ apiKey }), { apiKey })
  t.equal(normalizeCredentials(null), null)
  t.ok(Value.Check(Credentials, { apiKey }))
  for (const bad of ['', 'two words', 'line\nbreak', 'klucz-ó']) t.notOk(Value.Check(Credentials, { apiKey: bad }), bad)
  t.equal(Credentials.properties.apiKey.secret, true)
})

/** The hub fills in the defaults before an adapter sees a config. */
const accepts = (config: object): boolean => Value.Check(Config, Value.Default(Config, structuredClone(config)))

t.test('the config is checked member by member', async t => {
  t.ok(accepts({}))
  t.ok(accepts({
    callbackBaseUrl: 'https://hub.test/path',
    defaultDispatchTime: { unit: 'day', period: 2 },
    baseUrl: '',
    environment: 'sandbox',
    own: 1
  }))
  for (const callbackBaseUrl of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000/hub']) {
    t.ok(accepts({ callbackBaseUrl }), callbackBaseUrl)
  }
  const invalid = [
    { callbackBaseUrl: 'http://localhost.hub.test' },
    { callbackBaseUrl: 'http://hub.test' },
    { defaultDispatchTime: { unit: 'week', period: 1 } },
    { defaultDispatchTime: { unit: 'day', period: -1 } },
    { environment: 'test' }
  ]
  for (const config of invalid) t.notOk(accepts(config), JSON.stringify(config))
})
