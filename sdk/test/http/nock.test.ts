import nock from 'nock'
import t from 'tap'
import { createClient, failureOf } from './support.ts'

t.beforeEach(() => {
  nock.disableNetConnect()
})
t.afterEach(() => {
  const pending = nock.pendingMocks()
  nock.cleanAll()
  nock.enableNetConnect()
  if (pending.length > 0) throw new Error(`never asked for: ${pending.join(', ')}`)
})
t.teardown(() => {
  nock.restore()
})

t.test('nock answers for a host that does not exist, over https, with the composed dispatcher', async t => {
  nock('https://shop.test', { reqheaders: { authorization: 'Bearer abc' } }).get('/api/products/5').query({ full: 1 })
    .reply(200, { id: 5 })
  const { client } = createClient(t, { baseUrl: 'https://shop.test/api', auth: { type: 'bearer', token: 'abc' } })

  t.strictSame(await client.json({ method: 'GET', path: 'products/5', query: { full: 1 } }), { id: 5 })
})

t.test('nock answers for plain http with a body', async t => {
  nock('http://shop.test').patch('/products/5', { stock: 3 }).reply(202)
  const { client } = createClient(t, { baseUrl: 'http://shop.test' })

  t.equal((await client.request({ method: 'PATCH', path: 'products/5', body: { stock: 3 } })).status, 202)
})

t.test('a repeat takes the next mock', async t => {
  nock('https://shop.test').get('/x').reply(503, '', { 'retry-after': '0' }).get('/x').reply(200, 'now')
  const { client } = createClient(t, { baseUrl: 'https://shop.test' })

  t.equal((await client.request({ method: 'GET', path: 'x' })).body, 'now')
})

t.test('a mocked refusal is classified', async t => {
  nock('https://shop.test').post('/orders').reply(422, { message: 'no lines' })
  const { client } = createClient(t, { baseUrl: 'https://shop.test' })

  const error = await failureOf(client.request({ method: 'POST', path: 'orders', body: {} }))

  t.match(error, { code: 'LNK_ADAPTER_REJECTED', status: 422, message: /POST https:\/\/shop\.test\/orders.*no lines/ })
})

t.test('a mocked connection error is classified', async t => {
  nock('https://shop.test').get('/x').replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
  const { client } = createClient(t, { baseUrl: 'https://shop.test', retries: 0 })

  t.equal((await failureOf(client.request({ method: 'GET', path: 'x' }))).code, 'LNK_ADAPTER_TRANSIENT')
})

t.test('a literal address is refused although nock would answer', async t => {
  nock('http://10.0.0.5').get('/x').optionally().reply(200)
  const { client } = createClient(t, { baseUrl: 'http://10.0.0.5' })

  t.equal((await failureOf(client.request({ method: 'GET', path: 'x' }))).code, 'LNK_ADAPTER_CONFIGURATION')
})
