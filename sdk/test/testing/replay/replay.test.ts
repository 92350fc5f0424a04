import type { HttpRequest } from '@linker/sdk'
import type { Recording } from '@linker/sdk/host'
import { createTestHost } from '@linker/sdk/testing'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'

type Exchanges = Recording['exchanges']

const get = (path: string, body: unknown, query?: Record<string, string>): Exchanges[number] => ({
  request: { method: 'GET', path, ...(query === undefined ? {} : { query }) },
  answer: { status: 200, body }
})

async function replay (t: Test, exchanges: Exchanges, redact?: (value: unknown, pointer: string) => unknown) {
  const file = join(t.testdir(), 'recording.json')
  await writeFile(file, JSON.stringify({ exchanges }))
  const host = createTestHost({ replay: file, ...(redact === undefined ? {} : { redact }) })
  const http = host.http({ baseUrl: 'https://shop.test' })
  return { host, send: (request: HttpRequest) => http.json(request), http, file }
}

t.test('requests match by method, path, query and body, whatever the order of the members', async t => {
  const { send, host } = await replay(t, [
    get('/a', 1, { x: '1', y: '2' }),
    get('/a', 2, { x: '1' }),
    { request: { method: 'POST', path: '/a', body: { m: [1], n: { o: 2, p: 3 } } }, answer: { status: 200, body: 3 } },
    { request: { method: 'POST', path: '/a', form: { m: '1' } }, answer: { status: 200, body: 4 } }
  ])

  t.equal(await send({ method: 'POST', path: 'a', body: { n: { p: 3, o: 2 }, m: [1] } }), 3)
  t.equal(await send({ method: 'POST', path: 'a', body: new URLSearchParams({ m: '1' }) }), 4)
  t.equal(await send({ method: 'GET', path: 'a', query: { x: 1 } }), 2)
  t.equal(await send({ method: 'GET', path: 'a', query: { y: 2, x: 1 } }), 1)
  t.strictSame(host.unasked, [])
})

t.test('an address in a path matches, also when it is percent-encoded', async t => {
  const { send } = await replay(t, [get('/customers/person1@example.com', 1)])

  t.equal(await send({ method: 'GET', path: 'customers/jan%40shop.test' }), 1)
})

t.test('a request that is not recorded is refused, and the nearest recorded one is named', async t => {
  const { send, host, file } = await replay(t, [
    get('/orders', 1),
    get('/products', 2, { limit: '10', page: '1' }),
    get('/products/7', 3)
  ])

  await t.rejects(send({ method: 'GET', path: 'products', query: { limit: 10, page: 2 } }), {
    code: 'LNK_ADAPTER_REJECTED',
    message: `GET /products?limit=10&page=2 is not recorded in ${file}; the nearest is ` +
      'GET /products?limit=10&page=1, which differs at /query/page: "1" is recorded, "2" was sent'
  })
  await t.rejects(send({ method: 'POST', path: 'products/8', body: {} }), {
    message: /the nearest is GET \/products\/7/
  })
  t.equal(host.unrecorded.length, 2)
  t.strictSame(host.unasked.length, 3)
})

t.test('a request that was recorded twice gets its answers in their order, and a read the last one again', async t => {
  const { send } = await replay(t, [
    get('/stock', 5),
    { request: { method: 'POST', path: '/orders', body: {} }, answer: { status: 200, body: 'made' } },
    get('/stock', 4)
  ])
  const stock = () => send({ method: 'GET', path: 'stock' })
  const order = () => send({ method: 'POST', path: 'orders', body: {} })

  t.strictSame([await stock(), await stock(), await stock()], [5, 4, 4])
  t.equal(await order(), 'made')
  await t.rejects(order(), { message: /^POST \/orders is not recorded in .* more than once$/ })
})

t.test('secrets and made-up data are not compared, nor is a value that the author opened', async t => {
  const { send } = await replay(t, [{
    request: {
      method: 'POST',
      path: '/customers/person1@example.com',
      query: { token: '[redacted]' },
      body: { lastname: 'Surname1', id: '{any}', note: 'order {any} of today' }
    },
    answer: { status: 200, body: 'yes' }
  }])

  t.equal(
    await send({
      method: 'POST',
      path: 'customers/anna@shop.test',
      query: { token: 'another' },
      body: { lastname: 'Lis', id: { any: 1 }, note: 'order 27 of today' }
    }),
    'yes'
  )
})

t.test('an answer may lead to the address that was asked', async t => {
  const { http } = await replay(t, [{
    request: { method: 'GET', path: '/a' },
    answer: { status: 200, headers: { link: '<{origin}/b>; rel=next' }, body: { next: '{origin}/b' } }
  }])
  const { headers, body } = await http.request({ method: 'GET', path: 'a' })

  t.equal(headers.link, '<https://shop.test/b>; rel=next')
  t.equal(headers['content-type'], 'application/json')
  t.strictSame(JSON.parse(body), { next: 'https://shop.test/b' })
})

t.test('a recorded failure is one', async t => {
  const { send } = await replay(t, [
    { request: { method: 'POST', path: '/a' }, failure: 'ECONNRESET' },
    { request: { method: 'GET', path: '/a' }, failure: 'ECONNRESET' },
    get('/a', 'at the second attempt')
  ])

  await t.rejects(send({ method: 'POST', path: 'a' }), {
    code: 'LNK_ADAPTER_OUTCOME_UNKNOWN',
    message: /after it was sent/
  })
  t.equal(await send({ method: 'GET', path: 'a' }), 'at the second attempt')
})

t.test('values that the author redacts in the recording are redacted before they are compared', async t => {
  const { send } = await replay(
    t,
    [{ request: { method: 'POST', path: '/a', body: { note: 'a note' } }, answer: { status: 200, body: 1 } }],
    (value, pointer) => pointer === '/request/body/note' ? 'a note' : value
  )

  t.equal(await send({ method: 'POST', path: 'a', body: { note: 'ring twice' } }), 1)
})

t.test('the clock of the host starts at the time of the recording', async t => {
  const file = join(t.testdir(), 'recording.json')
  await writeFile(file, JSON.stringify({ recordedAt: '2026-02-03T04:05:06Z', exchanges: [] }))

  t.equal(createTestHost({ replay: file }).clock.now().toISOString(), '2026-02-03T04:05:06.000Z')
  t.equal(createTestHost({ replay: file, now: new Date(0) }).clock.now().getTime(), 0)
})

t.test('a file that is no recording is refused when the host is made', async t => {
  const file = join(t.testdir({ 'broken.json': '{"exchanges":{}}' }), 'broken.json')

  t.throws(() => createTestHost({ replay: file }), { message: /broken\.json is no recording: \/exchanges/ })
})
