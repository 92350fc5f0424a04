import { AdapterErrorCode } from '@linker/sdk'
import { createAddressPolicy, createHttpClientFactory, type HttpRequestEvent } from '@linker/sdk/host'
import nock from 'nock'
import { inspect } from 'node:util'
import t from 'tap'
import { createClient } from '../src/client.ts'
import { recordXml } from '../src/webservice/record-xml.ts'
import { apiKey, createShop, expectGet } from './shop.ts'

const { connect, contextFor } = createShop(t)

const failure = (...codes: number[]) => ({ errors: codes.map(code => ({ code, message: `text of ${code}` })) })

t.test('a request carries the key as user with an empty password, and asks for JSON', async t => {
  nock('https://shop.test', { reqheaders: { authorization: `Basic ${btoa(`${apiKey}:`)}`, 'output-format': 'JSON' } })
    .get('/api/products').query({ display: 'full' }).reply(200, { products: [{ id: 1 }] })

  t.same(await connect().client.list('products', { display: 'full' }), [{ id: 1 }])
})

t.test('every request names the configured shop', async t => {
  expectGet('products', { id_shop: '2', display: 'full' }).reply(200, [])
  expectGet('products/27', { id_shop: '2' }).reply(404)
  const { client } = connect({ shopId: '2' })

  t.same([await client.list('products', { display: 'full' }), await client.get('products', '27')], [[], undefined])
})

t.test('each refusal of the shop becomes the error that says who must act', async t => {
  const refusals: [number, number[], string, RegExp][] = [
    [401, [16], AdapterErrorCode.authentication, /Authorization header/],
    [401, [], AdapterErrorCode.authentication, /drops the Authorization header/],
    [401, [17], AdapterErrorCode.authentication, /refused the key/],
    [401, [18], AdapterErrorCode.authentication, /refused the key/],
    [401, [20], AdapterErrorCode.authentication, /refused the key/],
    [401, [21], AdapterErrorCode.authentication, /refused the key/],
    [401, [26], AdapterErrorCode.configuration, /GET products/],
    [405, [25], AdapterErrorCode.configuration, /GET products/],
    [405, [], AdapterErrorCode.configuration, /GET products/],
    [403, [132], AdapterErrorCode.configuration, /shopId/],
    [403, [], AdapterErrorCode.authentication, /GET products/],
    [404, [999], AdapterErrorCode.configuration, /shopId/],
    [404, [], AdapterErrorCode.configuration, /apiUrl/],
    [400, [27], AdapterErrorCode.configuration, /GET products: this shop's webservice has no such resource/],
    [400, [32], AdapterErrorCode.rejected, /code 32: text of 32/],
    [400, [33, 38], AdapterErrorCode.rejected, /code 33: text of 33; code 38: text of 38/],
    [503, [22], AdapterErrorCode.unavailable, /switched off/],
    [500, [46], AdapterErrorCode.rejected, /code 46/],
    [500, [84], AdapterErrorCode.rejected, /code 84/],
    [500, [85], AdapterErrorCode.rejected, /code 85/],
    [500, [93], AdapterErrorCode.rejected, /code 93/],
    [500, [2, 127], AdapterErrorCode.rejected, /\(code 127: text of 127\)/],
    [500, [32, 3, 3], AdapterErrorCode.rejected, /\(code 32: text of 32\)/],
    [500, [133], AdapterErrorCode.rejected, /code 133/],
    [500, [2, 8], AdapterErrorCode.transient, /500/],
    [500, [], AdapterErrorCode.transient, /500/]
  ]

  for (const [status, codes, code, message] of refusals) {
    expectGet('products', {}).reply(status, codes.length === 0 ? '' : failure(...codes))
    await t.rejects(
      connect().client.list('products', {}),
      { code, status, message },
      `${status} with ${codes.join(', ')}`
    )
  }
})

t.test('a hundred products with long descriptions are read', async t => {
  expectGet('products', {}).reply(200, {
    products: Array.from({ length: 100 }, (_, id) => ({ id: id + 1, description: 'x'.repeat(120_000) }))
  })

  t.equal((await connect().client.list('products', {})).length, 100)
})

t.test('a rate limit carries the wait that the shop asks for', async t => {
  expectGet('products', {}).reply(429, '', { 'retry-after': '30' })

  await t.rejects(connect().client.list('products', {}), { code: AdapterErrorCode.rateLimited, retryAfterMs: 30_000 })
})

t.test('a request is repeated after a failure of a gateway, and then fails as transient', async t => {
  expectGet('products', {}).reply(502, '<html></html>').get('/api/products').reply(200, { products: [{ id: 1 }] })
  t.same(await connect().client.list('products', {}), [{ id: 1 }])

  expectGet('products', {}).times(3).reply(504)
  await t.rejects(connect().client.list('products', {}), { code: AdapterErrorCode.transient, status: 504 })
})

t.test('errors in XML are read like errors in JSON', async t => {
  const error = '<error><code><![CDATA[26]]></code><message><![CDATA[not allowed]]></message></error>'
  expectGet('products', {}).reply(401, `<shopa><errors>${error}</errors></shopa>`)

  await t.rejects(connect().client.list('products', {}), { code: AdapterErrorCode.configuration })
})

t.test('each error of a refusal is a field error', async t => {
  expectGet('products', {}).reply(400, failure(33, 38))

  const error: unknown = await connect().client.list('products', {}).catch((reason: unknown) => reason)

  t.match(error, {
    fields: [{ pointer: '', code: '33', message: 'text of 33' }, { pointer: '', code: '38', message: 'text of 38' }]
  })
})

t.test('an HTML page is not read as an empty list', async t => {
  expectGet('products', {}).reply(200, '<html><body>Welcome</body></html>', { 'content-type': 'text/html' })

  await t.rejects(connect().client.list('products', {}), { code: AdapterErrorCode.transient })
})

t.test('a single record that the shop does not have is undefined', async t => {
  for (const body of ['', failure(87), failure(92), failure(131)]) {
    expectGet('products/27', {}).reply(404, body)
    t.equal(await connect().client.get('products', '27'), undefined)
  }
})

t.test('a 404 page of the web server does not mean that a record is gone', async t => {
  expectGet('products/27', {}).reply(404, '<html><body>Not Found</body></html>')

  await t.rejects(connect().client.get('products', '27'), { code: AdapterErrorCode.configuration, message: /apiUrl/ })
})

const person = {
  firstname: 'Żaneta-Anna',
  lastname: "O'Neil Wiśniewska",
  email: 'zaneta.oneil@example.com',
  passwd: 'R4nd0m-Pässword.16',
  address1: 'ul. Kręta 17',
  phone: '+48 500 600 700'
}
const parts = [...Object.values(person), 'Żaneta', 'Neil', 'Wiśniewska', 'R4nd0m', 'Kręta', 'zaneta.oneil']

/** The ways in which a shop quotes the document that was sent. */
const quotes: Array<(document: string) => object | string> = [
  document => ({
    errors: [
      { code: 3, message: `SimpleXMLElement::__construct(): ${document.slice(60, 140)}` },
      {
        code: 127,
        message: `XML error : not XML\r\nXML length : ${document.length}\nOriginal XML : ${document}`
      }
    ]
  }),
  document => ({ errors: [{ code: 127, message: `XML error : not XML Original XML : ${document}` }] }),
  document => ({ errors: [{ code: 3, message: document.slice(150, 230) }] }),
  () => ({ errors: [{ code: 85, message: `Customer ${Object.values(person).join(' ').toUpperCase()} is not valid` }] }),
  () => ({ errors: parts.map(part => ({ code: 84, message: `"${part}" is not valid` })) }),
  document => `<b>Fatal error</b>: ${document}`,
  document => `<html><body>${document}</body></html>`,
  document => ({ message: document })
]

t.test('no value of a person stands in an error, however the shop quotes the document', async t => {
  const { client } = connect()
  const body = recordXml('customer', person)
  const writes = {
    POST: () => client.add('customers', body),
    PUT: () => client.put('customers', '1', body),
    PATCH: () => client.patch('customers', '1', body)
  }

  for (const status of [400, 401, 404, 500, 503]) {
    for (const quote of quotes) {
      for (const [method, write] of Object.entries(writes)) {
        nock('https://shop.test').intercept(/customers/, method).query(true).times(method === 'POST' ? 1 : 3)
          .reply(status, quote(body))
        const error: unknown = await write().catch((reason: unknown) => reason)
        nock.cleanAll()

        const text = inspect(error, { depth: 10 }).toLowerCase()
        const found = parts.filter(part => text.includes(part.toLowerCase()))
        t.strictSame([error instanceof Error, found], [true, []], `${method} ${status} ${quotes.indexOf(quote)}`)
      }
    }
  }
})

t.test('code and first line of a refusal stay', async t => {
  const document = recordXml('customer', person)
  const message = `XML error : String could not be parsed as XML\r\nOriginal XML : ${document}`
  nock('https://shop.test').post('/api/customers').reply(500, {
    errors: [{ code: 3, message: document }, { code: 127, message }]
  })

  await t.rejects(connect().client.add('customers', document), {
    message: 'the shop refused the sent data (code 127: XML error : String could not be parsed as XML)',
    fields: [{ code: '127', message: 'XML error : String could not be parsed as XML' }]
  })
})

t.test('the hub counts each 500 of a write as a failure of the shop, and a refused document not', async t => {
  const events: HttpRequestEvent[] = []
  const { http, close } = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow: [] }),
    currentCall: () => undefined,
    onRequest: event => events.push(event)
  })
  t.teardown(close)
  const client = createClient({ ...contextFor(), http })
  const body = recordXml('customer', person)
  const writes: Record<string, () => Promise<unknown>> = {
    POST: () => client.add('customers', body),
    PUT: () => client.put('customers', '1', body),
    PATCH: () => client.patch('customers', '1', body)
  }
  for (const [method, write] of Object.entries(writes)) {
    for (const code of [8, 85]) {
      nock('https://shop.test').intercept(/customers/, method).query(true).reply(500, failure(code))
      await t.rejects(write().then(() => undefined), { message: new RegExp(`code ${code}: text of ${code}`) })
    }
    t.strictSame(events.splice(0).map(({ fault }) => fault), ['unavailable', undefined], method)
  }
})
