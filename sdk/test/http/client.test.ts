import { AdapterErrorCode, NotFoundError, UnavailableError } from '@linker/sdk'
import { createAddressPolicy, createHttpClientFactory, redactEvent } from '@linker/sdk/host'
import { Type, type TSchema } from '@sinclair/typebox'
import { AsyncLocalStorage } from 'node:async_hooks'
import t from 'tap'
import { createClient, failureOf, startRawUpstream, startUpstream } from './support.ts'

t.test('a GET answers with status, lower-case headers and body', async t => {
  const upstream = await startUpstream(
    t,
    (_request, response) => response.writeHead(200, { 'X-Total': '3', 'Set-Cookie': ['a=1', 'b=2'] }).end('three')
  )
  const { client } = createClient(t, { baseUrl: `${upstream.baseUrl}/api` })

  const response = await client.request({ method: 'GET', path: '/products', query: { limit: 10 } })

  t.match(response, { status: 200, headers: { 'x-total': '3', 'set-cookie': 'a=1, b=2' }, body: 'three' })
  t.match(upstream.requests, [{ method: 'GET', url: '/api/products?limit=10', body: '' }])
  t.strictSame(structuredClone(response), response)
})

t.test('an object is sent as JSON, a form as a form, a text with the content type given', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, headers: { 'Content-Type': 'text/plain' } })
  const json = createClient(t, { baseUrl: upstream.baseUrl }).client

  await json.request({ method: 'POST', path: 'a', body: { quantity: 0 } })
  await json.request({ method: 'POST', path: 'a', body: new URLSearchParams({ grant_type: 'code', q: 'ä b' }) })
  await client.request({ method: 'PUT', path: 'a', body: '<a/>', headers: { 'content-type': 'application/xml' } })
  await client.request({ method: 'PUT', path: 'a', body: Buffer.from('bytes') })

  t.strictSame(upstream.requests.map(({ headers, body }) => [headers['content-type'], body]), [
    ['application/json', '{"quantity":0}'],
    ['application/x-www-form-urlencoded', 'grant_type=code&q=%C3%A4+b'],
    ['application/xml', '<a/>'],
    ['text/plain', 'bytes']
  ])
})

t.test('every request names its client and its call, and asks for no compression', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const { client } = createClient(t, { baseUrl: upstream.baseUrl }, { currentCall: () => ({ requestId: 'req-1' }) })
  const named = createClient(t, { baseUrl: upstream.baseUrl }, { userAgent: 'hub/2' }).client

  await client.request({ method: 'GET', path: 'x' })
  await named.request({ method: 'GET', path: 'x' })

  t.match(upstream.requests[0]?.headers, {
    'user-agent': /^linker\/\d+\.\d+\.\d+$/,
    'x-request-id': 'req-1',
    'accept-encoding': 'identity'
  })
  t.equal(upstream.requests[1]?.headers['user-agent'], 'hub/2')
  t.equal(upstream.requests[1]?.headers['x-request-id'], undefined)
})

t.test('basic and bearer credentials are sent with each request', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const basic =
    createClient(t, { baseUrl: upstream.baseUrl, auth: { type: 'basic', username: 'KEY', password: '' } }).client
  const bearer = createClient(t, { baseUrl: upstream.baseUrl, auth: { type: 'bearer', token: 'abc' } }).client

  await basic.request({ method: 'GET', path: 'x' })
  await bearer.request({ method: 'GET', path: 'x' })

  t.strictSame(upstream.requests.map(({ headers }) => headers.authorization), ['Basic S0VZOg==', 'Bearer abc'])
})

t.test('a path that leaves the base is refused before credentials leave the process', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const { client } = createClient(t, { baseUrl: `${upstream.baseUrl}/api`, auth: { type: 'bearer', token: 'abc' } })

  const error = await failureOf(client.request({ method: 'GET', path: '../admin' }))

  t.equal(error.code, 'LNK_ADAPTER_CONFIGURATION')
  t.equal(upstream.requests.length, 0)
})

t.test('a bad base URL is refused when the client is made', async t => {
  t.throws(() => createClient(t, { baseUrl: 'https://user:pass@shop.test' }), { code: 'LNK_ADAPTER_CONFIGURATION' })
})

for (const name of ['Host', 'content-length', 'Transfer-Encoding', 'connection', 'Accept-Encoding']) {
  t.test(`the header ${name} cannot be given`, async t => {
    const { client } = createClient(t, { baseUrl: 'http://127.0.0.1:9' })

    const error = await failureOf(client.request({ method: 'GET', path: 'x', headers: { [name]: 'evil.test' } }))

    t.equal(error.code, 'LNK_ADAPTER_CONFIGURATION')
    t.match(error.message, `'${name.toLowerCase()}'`)
  })
}

t.test('a key that is invalid in a header is a configuration error that does not show the key', async t => {
  const { client } = createClient(t, {
    baseUrl: 'http://127.0.0.1:9',
    auth: { type: 'bearer', token: 'topsecret\nvalue' }
  })

  const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

  t.equal(error.code, 'LNK_ADAPTER_CONFIGURATION')
  t.match(error.message, 'invalid authorization header')
  t.notMatch(error.message, /topsecret/)
})

for (const status of [301, 302, 303, 307, 308]) {
  t.test(`a ${status} is not followed: a configuration error names the origin it leads to`, async t => {
    const target = await startUpstream(t, (_request, response) => response.end())
    const location = `http://user:pw@127.0.0.1:${target.port}/latest/meta-data?token=abc`
    const upstream = await startUpstream(t, (_request, response) => response.writeHead(status, { location }).end())
    const { client } = createClient(t, { baseUrl: upstream.baseUrl, auth: { type: 'bearer', token: 'bearer-token' } })

    const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

    t.match(error, { code: 'LNK_ADAPTER_CONFIGURATION', status })
    t.match(error.message, `a redirect to http://127.0.0.1:${target.port};`)
    t.notMatch(error.message, /user|pw|meta-data|abc/)
    t.equal(target.requests.length, 0)
    t.equal(upstream.requests.length, 1)
  })
}

t.test('a redirect to a link-local address opens no connection', async t => {
  const upstream = await startUpstream(
    t,
    (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  )
  const { client, events } = createClient(t, { baseUrl: upstream.baseUrl })

  const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

  t.match(error.message, 'a redirect to http://169.254.169.254;')
  t.strictSame(events.map(event => event.origin), [upstream.baseUrl])
})

t.test('an accepted status outside 2xx is an answer, a redirect included', async t => {
  const upstream = await startUpstream(
    t,
    (request, response) => response.writeHead(Number(request.url?.slice(1)), { location: '/y' }).end('body')
  )
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  for (const status of [304, 302, 404, 409, 503]) {
    const response = await client.request({ method: 'GET', path: String(status), accept: [status] })
    t.equal(response.status, status)
  }
  t.equal(upstream.requests.length, 5)
})

t.test('json parses the body and asks for JSON', async t => {
  const upstream = await startUpstream(
    t,
    (_request, response) => response.setHeader('content-type', 'application/json').end('\ufeff{"id":5}')
  )
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  t.strictSame(await client.json({ method: 'GET', path: 'x' }), { id: 5 })
  t.equal(upstream.requests[0]?.headers.accept, 'application/json')
})

t.test('json keeps the accept header of the client or the request', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end('{}'))
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, headers: { Accept: 'application/vnd.client+json' } })

  await client.json({ method: 'GET', path: 'x' })
  await client.json({ method: 'GET', path: 'x', headers: { accept: 'application/vnd.request+json' } })

  t.strictSame(upstream.requests.map(request => request.headers.accept), [
    'application/vnd.client+json',
    'application/vnd.request+json'
  ])
})

t.test('a body that is not JSON is a transient fault naming the content type and nothing of the body', async t => {
  const upstream = await startUpstream(
    t,
    (_request, response) => response.setHeader('content-type', 'text/html').end('<html>payload</html>')
  )
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  const error = await failureOf(client.json({ method: 'GET', path: 'x', query: { key: 'queryvalue' } }))
  const afterPost = await failureOf(client.json({ method: 'POST', path: 'x' }))

  t.match(error, { code: 'LNK_ADAPTER_TRANSIENT', status: 200, message: 'text/html', cause: undefined })
  t.match(error.message, `GET ${upstream.baseUrl}/x`)
  t.notMatch(error.message, 'queryvalue')
  t.match(afterPost, { code: 'LNK_ADAPTER_OUTCOME_UNKNOWN', status: 200 })
})

t.test('an answer is checked against the schema, and the fault names the wrong member, never its value', async t => {
  const Item = Type.Object({ id: Type.Integer(), price: Type.Object({ amount: Type.String() }) })
  const upstream = await startUpstream(
    t,
    ({ url }, response) =>
      response
        .end(url === '/good' ? '{"id":5,"price":{"amount":"1.00"},"more":true}' : '{"id":5,"price":{"amount":7777777}}')
  )
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  const item = await client.get('good', { query: { a: undefined }, as: Item })
  const amount: string = item.price.amount
  const error = await failureOf(client.get('bad', { as: Item }))
  const afterPost = await failureOf(client.json({ method: 'POST', path: 'bad', as: Item }))
  const notAnObject = await failureOf(client.get('bad', { as: Type.Array(Item) }))

  t.equal(amount, '1.00')
  t.strictSame(item, { id: 5, price: { amount: '1.00' }, more: true })
  t.match(error, {
    code: 'LNK_ADAPTER_TRANSIENT',
    status: 200,
    message: `GET ${upstream.baseUrl}/bad answered 200 with an unknown form: /price/amount: Expected string`
  })
  t.notMatch(error.message, '7777777')
  t.match(afterPost, { code: 'LNK_ADAPTER_OUTCOME_UNKNOWN', message: '/price/amount' })
  t.match(notAnObject.message, 'an unknown form: the body: Expected array')
})

t.test('an id that JavaScript would round keeps its digits, and a schema that asks for a number fails', async t => {
  const upstream = await startUpstream(
    t,
    (_request, response) => response.end('{"id":9007199254740993,"near":9007199254740992}')
  )
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  t.strictSame(await client.get('item'), { id: '9007199254740993', near: '9007199254740992' })
  const Text = Type.Object({ id: Type.String(), near: Type.String() })
  t.match(await client.get('item', { as: Text }), { id: '9007199254740993' })
  for (const id of [Type.Number(), Type.Integer()]) {
    const error = await failureOf(client.get('item', { as: Type.Object({ id }) }))
    t.match(error, {
      code: 'LNK_ADAPTER_TRANSIENT',
      message: /an unknown form: \/id: a whole number beyond 2\^53, which a number would round: ask for a text$/
    })
    t.notMatch(error.message, '90071992')
  }
})

t.test('the fault of an answer shows no key that the schema does not name', async t => {
  const Amount = Type.Object({ amount: Type.String() })
  const Body = Type.Object({
    byBuyer: Type.Record(Type.String(), Type.Array(Amount)),
    byId: Type.Record(Type.String(), Amount)
  })
  const strict = Type.Object({}, { additionalProperties: false })
  const faultOf = async (body: object, as: TSchema): Promise<string> => {
    const upstream = await startUpstream(t, (_request, response) => response.end(JSON.stringify(body)))
    const { message } = await failureOf(createClient(t, { baseUrl: upstream.baseUrl }).client.get('x', { as }))
    return message.slice(message.indexOf('form: ') + 'form: '.length)
  }
  const good = [{ amount: '1' }]

  t.equal(
    await faultOf({ byBuyer: { 'a/b@shop.test': [...good, { amount: 2 }] }, byId: {} }, Body),
    '/byBuyer/*/1/amount: Expected string'
  )
  t.equal(await faultOf({ byBuyer: {}, byId: { 4917012345: {} } }, Body), '/byId/*/amount: Expected required property')
  t.equal(await faultOf({ 'a@shop.test': 1 }, strict), '/*: Unexpected property')
})

t.test('a schema that cannot be checked leaves a POST with an unknown outcome, and says so', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end('{"id":"secret"}'))
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })
  const Item = Type.Object({ id: Type.Ref('Nowhere') })
  const Broken = Type.Object({ id: Type.String({ pattern: '(' }) })

  const afterPost = await failureOf(client.json({ method: 'POST', path: 'x', as: Item }))
  const afterGet = await failureOf(client.get('x', { as: Broken }))

  t.match(afterPost, {
    code: 'LNK_ADAPTER_OUTCOME_UNKNOWN',
    status: 200,
    message: /the schema of the adapter is at fault: Unable to dereference schema with \$id 'Nowhere'/
  })
  t.match(afterGet, { code: 'LNK_ADAPTER_TRANSIENT', message: /is at fault: SyntaxError/ })
  t.notMatch(afterGet.message, 'secret')
})

t.test('get without a schema answers the body, and takes query, headers and accepted statuses', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.writeHead(404).end('{"missing":true}'))
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  t.strictSame(await client.get('x', { query: { page: 2 }, headers: { 'x-own': 'yes' }, accept: [404] }), {
    missing: true
  })
  t.match(upstream.requests, [{ method: 'GET', url: '/x?page=2', headers: { 'x-own': 'yes' } }])
})

t.test('a token comes from a function: a refused one is renewed and the request sent once more', async t => {
  const upstream = await startUpstream(t, ({ headers }, response) => {
    const isGood = headers.authorization === 'Bearer token-2'
    response.writeHead(isGood ? 200 : 401).end(isGood ? '{}' : `${headers.authorization} is no longer valid`)
  })
  const asked: (string | undefined)[] = []
  const bodies: string[] = []
  const { client } = createClient(t, {
    baseUrl: upstream.baseUrl,
    auth: {
      type: 'bearer',
      async token (rejected) {
        asked.push(rejected)
        return rejected === undefined ? 'token-1' : 'token-2'
      }
    },
    classify ({ body }) {
      bodies.push(body)
      return undefined
    }
  })

  t.strictSame(await client.json({ method: 'POST', path: 'x', body: { a: 1 } }), {})
  t.strictSame(asked, [undefined, 'token-1'])
  t.strictSame(upstream.requests.map(({ headers, body }) => [headers.authorization, body]), [
    ['Bearer token-1', '{"a":1}'],
    ['Bearer token-2', '{"a":1}']
  ])
  t.equal(bodies.length, 1)
  t.notMatch(bodies[0], 'token-1', 'the adapter does not see the token that the platform repeats')
})

t.test('a platform that refuses the renewed token too gets no third request', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.writeHead(401).end())
  const token = async (rejected?: string): Promise<string> => rejected === undefined ? 'token-1' : 'token-2'
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, auth: { type: 'bearer', token } })

  const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

  t.match(error, { code: 'LNK_ADAPTER_AUTHENTICATION', status: 401 })
  t.equal(upstream.requests.length, 2)
})

t.test('a function that has no other token than the refused one causes no second request', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.writeHead(401).end())
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, auth: { type: 'bearer', token: async () => 'same' } })

  const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

  t.match(error, { code: 'LNK_ADAPTER_AUTHENTICATION', status: 401 })
  t.equal(upstream.requests.length, 1)
})

t.test('the status of the answer decides about a new token, not the error of the adapter', async t => {
  const upstream = await startUpstream(t, ({ url }, response) => response.writeHead(Number(url?.slice(1))).end())
  const token = async (rejected?: string): Promise<string> => rejected === undefined ? 'token-1' : 'token-2'
  const { client } = createClient(t, {
    baseUrl: upstream.baseUrl,
    auth: { type: 'bearer', token },
    classify: ({ status }) => status === 401 ? new NotFoundError('gone') : new NotFoundError('gone', { status: 401 })
  })

  t.match(await failureOf(client.request({ method: 'GET', path: '401' })), { message: 'gone' })
  t.equal(upstream.requests.length, 2)
  t.match(await failureOf(client.request({ method: 'GET', path: '403' })), { message: 'gone' })
  t.equal(upstream.requests.length, 3)
})

t.test('a content type of the client goes out only with a body', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end('{}'))
  const { client } = createClient(t, {
    baseUrl: upstream.baseUrl,
    headers: { 'Content-Type': 'application/vnd.own+json' }
  })

  await client.request({ method: 'GET', path: 'x' })
  await client.request({ method: 'POST', path: 'x', body: { a: 1 } })

  t.strictSame(upstream.requests.map(({ headers }) => headers['content-type']), [undefined, 'application/vnd.own+json'])
})

t.test('a compressed answer that was not asked for is refused unread', async t => {
  const upstream = await startUpstream(
    t,
    (_request, response) => response.setHeader('content-encoding', 'gzip').end('bomb')
  )
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  const error = await failureOf(client.request({ method: 'GET', path: 'x' }))
  const afterPost = await failureOf(client.request({ method: 'POST', path: 'x' }))

  t.match(error, { code: 'LNK_ADAPTER_TRANSIENT', message: /content-encoding gzip/ })
  t.equal(afterPost.code, 'LNK_ADAPTER_OUTCOME_UNKNOWN')
})

t.test('each attempt is reported without its query', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const { client, events } = createClient(t, { baseUrl: `${upstream.baseUrl}/api` }, {
    currentCall: () => ({ requestId: 'req-1' })
  })

  await client.request({ method: 'PUT', path: 'products/5', query: { ws_key: 'SECRET' } })

  t.strictSame(events.map(event => ({ ...event, durationMs: 0 })), [
    { method: 'PUT', origin: upstream.baseUrl, path: '/api/products/5', requestId: 'req-1', status: 200, durationMs: 0 }
  ])
  t.ok((events[0]?.durationMs ?? 0) > 0)
})

t.test('an attempt without a complete answer is reported with the code of its failure', async t => {
  const { baseUrl } = await startRawUpstream(t, socket => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'))
  })
  const broken = createClient(t, { baseUrl, retries: 0 })
  const long = await startUpstream(t, (_request, response) => response.end('x'.repeat(100)))
  const tooLong = createClient(t, { baseUrl: long.baseUrl, maxResponseBytes: 10 })
  const absent = createClient(t, { baseUrl: 'http://127.0.0.1:1', retries: 1 })
  const forbidden = createClient(t, { baseUrl: 'http://127.0.0.2', retries: 0 })

  for (const { client } of [broken, tooLong, absent, forbidden]) {
    await failureOf(client.request({ method: 'GET', path: 'x' }))
  }

  const facts = (events: typeof broken.events) => events.map(({ status, error }) => ({ status, error }))
  t.match(facts(broken.events), [{ status: 200, error: /^(UND_ERR_SOCKET|ECONNRESET|UND_ERR_)/ }])
  t.strictSame(facts(tooLong.events), [{ status: 200, error: 'TOO_LONG' }])
  t.strictSame(facts(absent.events), [
    { status: undefined, error: 'ECONNREFUSED' },
    { status: undefined, error: 'ECONNREFUSED' }
  ])
  t.strictSame(facts(forbidden.events), [{ status: undefined, error: 'LNK_ADAPTER_CONFIGURATION' }])
})

t.test('an attempt is reported in the context of its call, also on a connection of an earlier call', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const context = new AsyncLocalStorage<string>()
  const reported: (string | undefined)[] = []
  const { client } = createClient(t, { baseUrl: upstream.baseUrl }, {
    onRequest () {
      reported.push(context.getStore())
    }
  })

  for (const name of ['first', 'second', 'third']) {
    await context.run(name, () => client.request({ method: 'GET', path: name }))
  }

  t.strictSame(reported, ['first', 'second', 'third'])
})

t.test('an early hint before the answer is not the answer', async t => {
  const upstream = await startUpstream(t, (_request, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' })
    response.end('answer')
  })
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  t.match(await client.request({ method: 'GET', path: 'x' }), { status: 200, body: 'answer' })
})

t.test('a large answer is complete, wherever its pieces are cut', async t => {
  const text = 'ż😀'.repeat(300_000)
  const bytes = Buffer.from(text)
  const upstream = await startUpstream(t, async (_request, response) => {
    for (let at = 0; at < bytes.length; at += 99_991) {
      response.write(bytes.subarray(at, at + 99_991))
      await new Promise(setImmediate)
    }
    response.end()
  })
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  const { body } = await client.request({ method: 'GET', path: 'x' })

  t.ok(body === text, `${body.length} of ${text.length} characters`)
})

t.test('HEAD and 204 have no body', async t => {
  const upstream = await startUpstream(
    t,
    (request, response) =>
      request.method === 'HEAD'
        ? response.setHeader('content-length', '999999999').end()
        : response.writeHead(204).end()
  )
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  t.match(await client.request({ method: 'HEAD', path: 'x' }), { status: 200, body: '' })
  t.match(await client.request({ method: 'DELETE', path: 'x' }), { status: 204, body: '' })
})

t.test('clients of one factory share connections, and close ends them', async t => {
  const ports = new Set<number | undefined>()
  const upstream = await startUpstream(t, (request, response) => {
    ports.add(request.socket.remotePort)
    response.end()
  })
  const { http, close } = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow: ['127.0.0.1/32'] }),
    currentCall: () => undefined
  })
  const [one, two] = [http({ baseUrl: upstream.baseUrl }), http({ baseUrl: `${upstream.baseUrl}/api` })]

  for (const client of [one, two, one, two, one, two]) await client.request({ method: 'GET', path: 'x' })
  await close()
  const error = await failureOf(one.request({ method: 'GET', path: 'x' }))

  // Two, not one: undici does not reuse a connection before the next turn of the event loop.
  t.ok(ports.size <= 2, `${ports.size} connections`)
  t.match(error, { code: 'LNK_ADAPTER_TRANSIENT', message: /UND_ERR_DESTROYED/ })
  t.equal(upstream.requests.length, 6)
})

t.test('a client of a closed factory sends nothing', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const { http, close } = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow: ['127.0.0.0/8'] }),
    currentCall: () => undefined
  })
  await close()

  t.match(await failureOf(http({ baseUrl: upstream.baseUrl }).request({ method: 'GET', path: 'x' })), {
    code: 'LNK_ADAPTER_TRANSIENT'
  })
  t.strictSame(upstream.requests, [])
})

t.test('the host is asked before each attempt, and a refused request is not sent', async t => {
  const upstream = await startUpstream(
    t,
    (_request, response) => response.writeHead(503, { 'retry-after': '0' }).end()
  )
  let asked = 0
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, retries: 5 }, {
    async admit () {
      asked += 1
      return asked < 3 ? undefined : { message: 'no place for 7 s', retryAfterMs: 7_000 }
    }
  })

  const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

  t.match(error, { code: 'LNK_ADAPTER_RATE_LIMITED', message: /^GET http:.*\/x was not sent: no place for 7 s$/ })
  t.equal((error as { retryAfterMs?: number }).retryAfterMs, 7_000)
  t.equal(upstream.requests.length, 2)
})

t.test('the host learns the area of a request before each attempt and after it', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end('{}'))
  const asked: unknown[] = []
  const { client, events } = createClient(t, { baseUrl: upstream.baseUrl }, {
    async admit (area) {
      asked.push(area)
      return undefined
    }
  })

  await client.get('a', { area: 'module' })
  await client.json({ method: 'POST', path: 'b', body: {}, area: 'reports-2' })
  await client.request({ method: 'GET', path: 'c' })

  t.strictSame(asked, ['module', 'reports-2', undefined])
  t.strictSame(events.map(({ area }) => area), asked)
  t.notOk('area' in (events[2] ?? {}))
})

t.test('a request whose area is not a short name is not sent', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end('{}'))
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  for (const area of ['', 'Module', 'a b', '-a', 'a-', 'a:b', '__proto__', 'a'.repeat(33)]) {
    t.match(await failureOf(client.get('x', { area })), { code: AdapterErrorCode.configuration }, area)
  }
  t.strictSame(upstream.requests, [])
})

t.test('a platform that the adapter calls away is reported with its reason, without secrets', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.writeHead(503).end())
  const { client, events } = createClient(t, {
    baseUrl: upstream.baseUrl,
    classify: () => new UnavailableError('maintenance of k3y, 503', { retryAfterMs: 60_000 })
  })

  const error = await failureOf(client.request({ method: 'GET', path: 'x', area: 'module' }))

  t.match(error, { code: AdapterErrorCode.unavailable, retryAfterMs: 60_000 })
  t.match(events, [{ area: 'module', fault: 'away', reason: 'maintenance of k3y, 503', retryAfterMs: 60_000 }])
  t.equal(upstream.requests.length, 1, 'not repeated inside the call')
  const redacted = events.map(event => redactEvent(event, text => text.replace('k3y', '[redacted]')))
  t.match(redacted, [{ reason: 'maintenance of [redacted], 503' }])
})

t.test('a host that cannot decide lets nothing out, and the fault is a transient one', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const { client } = createClient(t, { baseUrl: upstream.baseUrl }, {
    admit: () => Promise.reject(new Error('the database is away'))
  })

  t.match(await failureOf(client.request({ method: 'GET', path: 'x' })), { code: 'LNK_ADAPTER_TRANSIENT' })
  t.strictSame(upstream.requests, [])
})

const faults: readonly (readonly [status: number, headers: Record<string, string>, told: object])[] = [
  [200, {}, {}],
  [404, {}, {}],
  [401, {}, {}],
  [422, {}, {}],
  [429, {}, { fault: 'throttled' }],
  [429, { 'retry-after': '7' }, { fault: 'throttled', retryAfterMs: 7_000 }],
  [503, { 'retry-after': '7' }, { fault: 'throttled', retryAfterMs: 7_000 }],
  [503, {}, { fault: 'unavailable' }],
  [500, {}, { fault: 'unavailable' }]
]
for (const [status, headers, told] of faults) {
  t.test(`a ${status} with ${JSON.stringify(headers)} is reported as ${JSON.stringify(told)}`, async t => {
    const upstream = await startUpstream(t, (_request, response) => response.writeHead(status, headers).end())
    const { client, events } = createClient(t, { baseUrl: upstream.baseUrl, retries: 0 })

    await client.request({ method: 'POST', path: 'x' }).catch(() => undefined)

    t.strictSame(
      events.map(({ fault, retryAfterMs }) => ({
        ...(fault === undefined ? {} : { fault }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs })
      })),
      [told]
    )
  })
}

t.test('a broken connection is reported as unavailable, an aborted or a classified request is not', async t => {
  const upstream = await startUpstream(t, (request, response) => {
    if (request.url === '/broken') request.socket.destroy()
    else if (request.url === '/missing') response.writeHead(500).end()
  })
  const controller = new AbortController()
  const { client, events } = createClient(t, {
    baseUrl: upstream.baseUrl,
    retries: 0,
    classify: ({ status }) => status === 500 ? new NotFoundError('it is not there') : undefined
  }, { currentCall: () => ({ signal: controller.signal }) })

  await failureOf(client.request({ method: 'GET', path: 'broken' }))
  await failureOf(client.request({ method: 'GET', path: 'missing' }))
  const aborted = failureOf(client.request({ method: 'GET', path: 'silent' }))
  setTimeout(() => {
    controller.abort()
  }, 50)
  await aborted

  t.strictSame(events.map(({ fault }) => fault), ['unavailable', undefined, undefined])
})

t.test('a call that only reads what the hub keeps sends no request', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end('{}'))
  const { client } = createClient(
    t,
    { baseUrl: upstream.baseUrl },
    { currentCall: () => ({ readsHubOnly: true }) }
  )

  t.match(await failureOf(client.get('stock')), {
    code: AdapterErrorCode.configuration,
    message: /GET .*\/stock was not sent: its route says/
  })
  t.strictSame(upstream.requests, [])
})

t.test('a dry run sends what reads, and reports what could change something instead of sending it', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end('{}'))
  const { client, events } = createClient(
    t,
    { baseUrl: upstream.baseUrl, auth: { type: 'bearer', token: 'the-long-token' } },
    { currentCall: () => ({ isDryRun: true }) }
  )

  await client.get('stock')
  await client.request({ method: 'HEAD', path: 'stock' })
  const put = {
    method: 'PUT' as const,
    path: 'stock/27',
    query: { in: 'pieces' },
    body: { quantity: 3, by: 'the-long-token' }
  }
  const failure = await failureOf(client.request(put))
  await failureOf(client.json({ method: 'POST', path: 'stock', body: Buffer.from('bytes') }))
  await failureOf(client.request({ method: 'DELETE', path: 'stock' }))

  t.strictSame(upstream.requests.map(({ method }) => method), ['GET', 'HEAD'])
  t.match(failure, { code: AdapterErrorCode.rejected, message: /PUT .*\/stock\/27 was not sent.* dry run/ })
  t.strictSame(events.map(({ method, path, unsent }) => [method, path, unsent]), [
    ['GET', '/stock', undefined],
    ['HEAD', '/stock', undefined],
    ['PUT', '/stock/27', { query: '?in=pieces', body: '{"quantity":3,"by":"[redacted]"}' }],
    ['POST', '/stock', { body: '5 bytes' }],
    ['DELETE', '/stock', {}]
  ])
})
