import { AdapterErrorCode } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { readAccount, testConnection } from '../src/client.ts'
import { Config, Credentials, normalizeCredentials } from '../src/config.ts'
import { apiKey, createMarketplace, upstream } from './marketplace.ts'

const { connect } = createMarketplace(t)

async function runTest (config: Partial<Config> = { orderWriteBack: true }) {
  const { client, context } = connect(config)
  return testConnection(client, context)
}

t.test('the connection test names the shop that the key opens', async t => {
  upstream().get('/me').reply(200, { id: 1234, name: 'my-shop', active: true, externalMatchingPolicy: 'enabled' })

  t.match(await runTest(), { message: "'my-shop'", warnings: undefined })
})

t.test('a shop that is not active is a success with a warning', async t => {
  upstream().get('/me').reply(200, { id: 1234, name: 'my-shop', active: false })

  t.match(await runTest(), { message: /my-shop/, warnings: [/not active/] })
})

t.test('a hub that does not write orders back is a success with a warning', async t => {
  for (const config of [{}, { orderWriteBack: false }]) {
    upstream().get('/me').reply(200, { id: 1234, name: 'my-shop', active: true })
    t.match(await runTest(config), { message: /my-shop/, warnings: [/orderWriteBack is off/] })
  }
})

t.test('an account in another form is a success with a warning', async t => {
  upstream().get('/me').reply(200, { id: 1234 })

  t.match(await runTest(), { warnings: [/unknown form/] })
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
    await t.rejects(runTest(), { code: AdapterErrorCode.authentication, status })
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
  const error: unknown = await runTest().catch((reason: unknown) => reason)

  t.match(error, {
    code: AdapterErrorCode.rejected,
    status: 400,
    message: 'Validation error / Blad walidacji (a conflict, trace b2)'
  })
  t.notMatch(String(error), /private-text/)
})

t.test('the refusal of a key has no name and no trace', async t => {
  upstream().get('/me')
    .reply(401, { failureType: 'security', message: 'Invalid API key', httpCode: 401, spanId: 'a1' })

  await t.rejects(runTest(), {
    code: AdapterErrorCode.authentication,
    message: 'the marketplace refused the API key: Invalid API key (span a1)'
  })
})

t.test('an invalid body is refused with each member that is wrong, in whatever form the details come', async t => {
  const refusal = (details: unknown) => ({
    failureType: 'validation',
    name: 'ValidationFailure',
    message: 'Nieprawidłowe dane',
    payload: { details },
    traceId: 'b2'
  })
  const url = { pointer: '/imageUrls/0/url', code: 'invalid', message: 'za długi' }
  const cases: Array<[details: unknown, fields: object[]]> = [
    [[{ path: '/images/0/url', message: 'za długi' }, { path: 'name', message: 'za krótka' }], [
      url,
      { pointer: '/title', code: 'invalid', message: 'za krótka' }
    ]],
    [[{ instancePath: '/images/0/url', message: 'za długi' }], [url]],
    [[{ field: 'body.images[0].url', message: 'za długi' }], [url]],
    [[{ path: ['images', 0, 'url'], message: 'za długi' }], [url]],
    [{ 'images.0.url': ['za długi'] }, [url]],
    [[{ path: 'stock' }], [{ pointer: '/quantity', code: 'invalid', message: 'is invalid' }]],
    [['za długi'], [{ pointer: '', code: 'invalid', message: 'za długi' }]],
    [[5, null, {}], []],
    ['nothing', []],
    [undefined, []]
  ]

  for (const [details, fields] of cases) {
    upstream().get('/me').reply(400, refusal(details))
    const error: unknown = await runTest().catch((reason: unknown) => reason)
    t.match(error, { code: AdapterErrorCode.rejected, status: 400 })
    t.strictSame(Reflect.get(Object(error), 'fields'), fields, JSON.stringify(details))
  }
  upstream().get('/me').reply(400, refusal([{ path: '/images/0/url', message: 'za długi' }]))
  const said = 'Nieprawidłowe dane (trace b2): /imageUrls/0/url za długi'
  await t.rejects(runTest(), {
    message: `the marketplace refused the request with 400: ${said}`
  })
})

t.test('a body without a message still gives a readable error', async t => {
  for (const body of ['', 'null', '[]', '"text"', '<html>private-text</html>', { message: 5 }]) {
    upstream().get('/me').reply(422, body)
    await t.rejects(runTest(), {
      code: AdapterErrorCode.rejected,
      status: 422,
      message: /422$/
    })
  }
})

t.test('a rate limit carries the wait that the marketplace asks for', async t => {
  upstream().get('/me').reply(429, { message: 'slow down' }, { 'retry-after': '7' })

  await t.rejects(runTest(), { code: AdapterErrorCode.rateLimited, retryAfterMs: 7_000 })
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
