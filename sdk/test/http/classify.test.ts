import { RejectedError } from '@linker/sdk'
import t from 'tap'
import { createClient, failureOf, startUpstream } from './support.ts'

const expected: Record<number, string> = {
  400: 'LNK_ADAPTER_REJECTED',
  401: 'LNK_ADAPTER_AUTHENTICATION',
  402: 'LNK_ADAPTER_REJECTED',
  403: 'LNK_ADAPTER_AUTHENTICATION',
  404: 'LNK_ADAPTER_NOT_FOUND',
  405: 'LNK_ADAPTER_REJECTED',
  408: 'LNK_ADAPTER_TRANSIENT',
  409: 'LNK_ADAPTER_REJECTED',
  410: 'LNK_ADAPTER_REJECTED',
  413: 'LNK_ADAPTER_REJECTED',
  422: 'LNK_ADAPTER_REJECTED',
  425: 'LNK_ADAPTER_TRANSIENT',
  429: 'LNK_ADAPTER_RATE_LIMITED',
  500: 'LNK_ADAPTER_TRANSIENT',
  501: 'LNK_ADAPTER_TRANSIENT',
  502: 'LNK_ADAPTER_TRANSIENT',
  503: 'LNK_ADAPTER_TRANSIENT',
  504: 'LNK_ADAPTER_TRANSIENT',
  507: 'LNK_ADAPTER_TRANSIENT',
  300: 'LNK_ADAPTER_REJECTED',
  304: 'LNK_ADAPTER_REJECTED'
}

t.test('every status has its error class', async t => {
  const upstream = await startUpstream(
    t,
    (request, response) => response.writeHead(Number(request.url?.slice(1))).end()
  )
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, retries: 0 })

  for (const [status, code] of Object.entries(expected)) {
    const error = await failureOf(client.request({ method: 'GET', path: status }))
    t.match(
      error,
      { code, status: Number(status), message: `GET ${upstream.baseUrl}/${status} answered ${status}` },
      status
    )
  }
})

t.test('a 5xx after a request that is not idempotent leaves its outcome unknown, except a 503', async t => {
  const upstream = await startUpstream(
    t,
    (request, response) => response.writeHead(Number(request.url?.slice(1))).end()
  )
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  for (const status of [500, 502, 504]) {
    t.equal(
      (await failureOf(client.request({ method: 'POST', path: String(status) }))).code,
      'LNK_ADAPTER_OUTCOME_UNKNOWN'
    )
  }
  t.equal((await failureOf(client.request({ method: 'POST', path: '503' }))).code, 'LNK_ADAPTER_TRANSIENT')
  t.equal(
    (await failureOf(client.request({ method: 'POST', path: '500', idempotent: true }))).code,
    'LNK_ADAPTER_TRANSIENT'
  )
  t.equal(upstream.requests.length, 5)
})

t.test('a short JSON message of the platform is the reason; anything else stays out', async t => {
  const bodies: Record<string, [string, string]> = {
    '/short': ['application/json', '{"message":"title is\\n too long","payload":"PAYLOAD"}'],
    '/problem': ['application/problem+json; charset=utf-8', '{"message":"nope"}'],
    '/long': ['application/json', JSON.stringify({ message: 'PAYLOAD'.repeat(40) })],
    '/object': ['application/json', '{"message":{"a":"PAYLOAD"}}'],
    '/html': ['text/html', '{"message":"PAYLOAD"}'],
    '/broken': ['application/json', '{"message":"PAYLOAD"'],
    '/null': ['application/json', 'null']
  }
  const upstream = await startUpstream(t, (request, response) => {
    const [type, body] = bodies[request.url ?? ''] ?? ['', '']
    response.writeHead(422, { 'content-type': type }).end(body)
  })
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  const messages: string[] = []
  for (const path of Object.keys(bodies)) {
    messages.push((await failureOf(client.request({ method: 'GET', path }))).message)
  }

  t.strictSame(messages.map(message => message.replace(upstream.baseUrl, '')), [
    'GET /short answered 422: title is too long',
    'GET /problem answered 422: nope',
    'GET /long answered 422',
    'GET /object answered 422',
    'GET /html answered 422',
    'GET /broken answered 422',
    'GET /null answered 422'
  ])
})

t.test('a query value that is undefined is not sent, so its name does not hide words of the platform', async t => {
  const upstream = await startUpstream(t, (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ message: 'the filter is undefined' }))
  })
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  const error = await failureOf(client.request({ method: 'GET', path: 'x', query: { filter: undefined } }))

  t.match(error.message, 'the filter is undefined')
})

t.test('no credential, secret header or query value is in an error, even when the platform echoes it', async t => {
  const upstream = await startUpstream(t, (request, response) => {
    const message = `${request.headers.authorization} ${
      request.headers['x-api-key']
    } GET ${request.url} CANARY-VALUE-OF-QUERY`
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
  })
  const secrets = { username: 'CANARY-USER', password: 'CANARY/PASSWORD' }
  const { client, events } = createClient(t, {
    baseUrl: upstream.baseUrl,
    auth: { type: 'basic', ...secrets },
    headers: { 'X-Api-Key': 'CANARY-KEY' }
  })
  const bearer = createClient(t, { baseUrl: upstream.baseUrl, auth: { type: 'bearer', token: 'CANARY-TOKEN' } }).client

  const query = { filter: 'CANARY-VALUE-OF-QUERY', ws_key: 'CANARY1' }
  const errors = [
    await failureOf(client.request({ method: 'GET', path: `x/${encodeURIComponent(secrets.password)}`, query })),
    await failureOf(bearer.request({ method: 'GET', path: 'x', query }))
  ]

  const seen = JSON.stringify([
    errors.map(error => [error.message, error.stack, error.cause]),
    events.map(event => event.origin)
  ])
  t.match(errors[0]?.message, '[redacted]')
  t.notMatch(seen, /CANARY/)
  t.notMatch(seen, Buffer.from('CANARY-USER:CANARY/PASSWORD').toString('base64'))
})

t.test('classify is asked first, and its verdict is thrown as it is and not repeated', async t => {
  const upstream = await startUpstream(
    t,
    (request, response) => response.writeHead(request.url === '/mine' ? 503 : 502).end('{"code":133}')
  )
  const mine = new RejectedError('the row depends on stock')
  const { client } = createClient(t, {
    baseUrl: upstream.baseUrl,
    retries: 1,
    classify: response => response.status === 503 && response.body === '{"code":133}' ? mine : undefined
  })

  const error = await failureOf(client.request({ method: 'GET', path: 'mine' }))
  const other = await failureOf(client.request({ method: 'GET', path: 'other' }))

  t.equal(error, mine)
  t.equal(other.code, 'LNK_ADAPTER_TRANSIENT')
  t.strictSame(upstream.requests.map(request => request.url), ['/mine', '/other', '/other'])
})

t.test('an error that classify throws comes out as it is', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.writeHead(500).end())
  const bug = new TypeError('a bug of the adapter')
  const { client } = createClient(t, {
    baseUrl: upstream.baseUrl,
    classify: () => {
      throw bug
    }
  })

  t.equal(await failureOf(client.request({ method: 'GET', path: 'x' })), bug)
  t.equal(upstream.requests.length, 1)
})

t.test('accepted answers are not classified', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.writeHead(404).end())
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, classify: () => new RejectedError('asked') })

  t.equal((await client.request({ method: 'GET', path: 'x', accept: [404] })).status, 404)
})
