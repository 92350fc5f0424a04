import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { serverOptions } from '../../src/http/server-options.ts'
import { buildHttpApp, parseRaw, sendRaw } from './support.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function routes (app: FastifyInstance): void {
  app.get('/open', { config: { scope: 'public' } }, async (request, reply) => {
    request.log.info('inside')
    return reply.send({ id: request.id, url: request.url })
  })
  app.post('/open', { config: { scope: 'public' } }, async () => 'in')
}

t.test('the server takes the id of a request, sends it back and logs it', async t => {
  const { app, log } = await buildHttpApp(t, { routes })
  const response = await app.inject({ url: '/open', headers: { 'x-request-id': 'shop-1:2026_a.b' } })

  t.equal(response.headers['x-request-id'], 'shop-1:2026_a.b')
  t.equal(response.json().id, 'shop-1:2026_a.b')
  t.strictSame(log.map(line => [line.msg, line.requestId]), [['inside', 'shop-1:2026_a.b'], [
    'request',
    'shop-1:2026_a.b'
  ]])
})

t.test('a new id replaces one that is malformed or could break a log line', async t => {
  const { app } = await buildHttpApp(t, { routes })
  for (const given of ['', 'a b', 'a"b', 'ä', 'a,b', 'x'.repeat(129)]) {
    t.match(
      (await app.inject({ url: '/open', headers: { 'x-request-id': given } })).headers['x-request-id'],
      uuid,
      given
    )
  }
  t.match((await app.inject('/open')).headers['x-request-id'], uuid)
  t.equal(
    (await app.inject({ url: '/open', headers: { 'x-request-id': 'x'.repeat(128) } })).headers['x-request-id'],
    'x'.repeat(128)
  )
})

t.test('headers or a body that arrive too slowly get a 408 and end the connection', async t => {
  t.equal(serverOptions.requestTimeout, 15_000)
  t.equal(serverOptions.http.headersTimeout, 10_000)
  const { app } = await buildHttpApp(t, {
    routes,
    server: { requestTimeout: 150, http: { headersTimeout: 100, connectionsCheckingInterval: 20 } }
  })

  for (
    const begun of [
      'POST /open HTTP/1.1\r\nhost: hub\r\nx-',
      'POST /open HTTP/1.1\r\nhost: hub\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":'
    ]
  ) {
    const { status, headers, body } = parseRaw(await sendRaw(app, [begun], { isHeldOpen: true }))
    t.equal(status, 408)
    t.match(headers, 'application/problem+json')
    t.equal(JSON.parse(body).code, 'LNK_REQUEST_TIMEOUT')
  }
})

t.test('a request that smuggles a second one, or is none, is answered 400 and cut', async t => {
  const { app } = await buildHttpApp(t, { routes })
  const smuggled = 'GET /open HTTP/1.1\r\nhost: hub\r\n\r\n'
  const head = 'POST /open HTTP/1.1\r\nhost: hub\r\ncontent-type: application/json\r\n'
  const corpus: Record<string, string> = {
    'length and chunks': `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    'two lengths': `${head}content-length: 0\r\ncontent-length: 4\r\n\r\n${smuggled}`,
    'a length with a sign': `${head}content-length: +4\r\n\r\nabcd${smuggled}`,
    'chunked twice': `${head}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
    'a folded header': `${head}x-a: b\r\n c: d\r\n\r\n${smuggled}`,
    'a bare line feed': 'POST /open HTTP/1.1\nhost: hub\ncontent-length: 0\n\n',
    'a space before the colon': `${head}content-length : 4\r\n\r\nabcd${smuggled}`,
    'a bad chunk size': `${head}transfer-encoding: chunked\r\n\r\nzz\r\n\r\n${smuggled}`,
    'no host': 'POST /open HTTP/1.1\r\ncontent-length: 0\r\n\r\n',
    'no request': 'hello\r\n\r\n'
  }

  for (const [name, bytes] of Object.entries(corpus)) {
    const text = await sendRaw(app, [bytes], { isHeldOpen: true })
    t.equal(parseRaw(text).status, 400, name)
    t.notMatch(text, '200 OK', name)
  }
})

t.test('headers above 16 KiB are answered 431', async t => {
  const { app } = await buildHttpApp(t, { routes })
  const { status, body } =
    parseRaw(await sendRaw(app, [`GET /open HTTP/1.1\r\nhost: hub\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`]))

  t.equal(status, 431)
  t.equal(JSON.parse(body).code, 'LNK_HEADERS_TOO_LARGE')
})
