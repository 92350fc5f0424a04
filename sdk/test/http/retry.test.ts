import { createAddressPolicy } from '@linker/sdk/host'
import t from 'tap'
import { retryAfterMs } from '../../src/http/retry.ts'
import { createClient, failureOf, startRawUpstream, startUpstream, stopTime } from './support.ts'

for (const status of [429, 502, 503, 504]) {
  t.test(`the client repeats an idempotent request with its body after a ${status}`, async t => {
    let answers = 0
    const upstream = await startUpstream(t, (_request, response) => {
      answers += 1
      response.writeHead(answers < 3 ? status : 200, { 'retry-after': '0' }).end('text')
    })
    const { client, events } = createClient(t, { baseUrl: upstream.baseUrl })

    const response = await client.request({ method: 'PUT', path: 'x', body: { quantity: 1 } })

    t.equal(response.status, 200)
    t.strictSame(upstream.requests.map(request => request.body), ['{"quantity":1}', '{"quantity":1}', '{"quantity":1}'])
    t.strictSame(events.map(event => event.status), [status, status, 200])
  })
}

t.test('the client stops after the given number of repeats and throws the error of the last answer', async t => {
  const upstream = await startUpstream(
    t,
    (_request, response) => response.writeHead(upstream.requests.length === 2 ? 502 : 503, { 'retry-after': '0' }).end()
  )
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, retries: 1 })

  const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

  t.match(error, { code: 'LNK_ADAPTER_TRANSIENT', status: 502 })
  t.equal(upstream.requests.length, 2)
})

for (const status of [500, 501, 408, 425, 400]) {
  t.test(`the client does not repeat a request after a ${status}`, async t => {
    const upstream = await startUpstream(t, (_request, response) => response.writeHead(status).end())
    const { client } = createClient(t, { baseUrl: upstream.baseUrl })

    await failureOf(client.request({ method: 'GET', path: 'x' }))

    t.equal(upstream.requests.length, 1)
  })
}

t.test('the client repeats a POST after a 503 only if the request is marked as idempotent', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.writeHead(503, { 'retry-after': '0' }).end())
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, retries: 1 })

  await failureOf(client.request({ method: 'POST', path: 'x' }))
  t.equal(upstream.requests.length, 1)

  await failureOf(client.request({ method: 'POST', path: 'x', idempotent: true }))
  t.equal(upstream.requests.length, 3)
})

t.test('without Retry-After each wait is longer than the one before, and its log line has no query', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.writeHead(502).end())
  const logged: object[] = []
  const log = {
    debug () {},
    info: (fields: object) => {
      logged.push(fields)
    },
    warn () {},
    error () {}
  }
  const { client } = createClient(t, { baseUrl: upstream.baseUrl }, {
    log,
    currentCall: () => ({ requestId: 'req-1' })
  })

  await failureOf(client.request({ method: 'GET', path: 'x', query: { key: 'QUERYSECRET' } }))

  const waits = logged.map(fields => Number((fields as { waitMs?: number }).waitMs))
  t.match(logged, [{ attempt: 1, requestId: 'req-1', path: '/x', reason: /answered 502/ }, { attempt: 2 }])
  t.ok(
    waits.length === 2 && waits.every((waitMs, index) => waitMs >= 125 * (index + 1) && waitMs <= 250 * (index + 1)),
    `waited ${waits.join(' and ')} ms`
  )
  t.notMatch(JSON.stringify(logged), /QUERYSECRET/)
})

t.test('the client waits for a Retry-After of one second, even if an attempt may take only half a second', async t => {
  const upstream = await startUpstream(
    t,
    (_request, response) => response.writeHead(upstream.requests.length === 1 ? 429 : 200, { 'retry-after': '1' }).end()
  )
  const time = stopTime(t)
  const waiting = Promise.withResolvers<void>()
  const log = {
    debug () {},
    info: () => {
      waiting.resolve()
    },
    warn () {},
    error () {}
  }
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, timeoutMs: 500 }, { log })
  const response = client.request({ method: 'GET', path: 'x' })
  await waiting.promise

  time.pass(999)
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  t.equal(upstream.requests.length, 1)
  time.pass(1)

  t.equal((await response).status, 200)
})

t.test('the client throws at once for a Retry-After of more than two seconds, and the error has that time', async t => {
  const upstream = await startUpstream(t, (request, response) => {
    response.writeHead(request.url === '/429' ? 429 : 503, {
      'retry-after': request.url === '/date' ? 'Wed, 21 Oct 2026 07:30:00 GMT' : '3',
      date: 'Wed, 21 Oct 2026 07:28:00 GMT'
    }).end()
  })
  const { client } = createClient(t, { baseUrl: upstream.baseUrl })

  t.match(await failureOf(client.request({ method: 'GET', path: '429' })), {
    code: 'LNK_ADAPTER_RATE_LIMITED',
    retryAfterMs: 3000,
    status: 429
  })
  t.match(await failureOf(client.request({ method: 'GET', path: '503' })), {
    code: 'LNK_ADAPTER_RATE_LIMITED',
    retryAfterMs: 3000,
    status: 503
  })
  t.match(await failureOf(client.request({ method: 'GET', path: 'date' })), {
    code: 'LNK_ADAPTER_RATE_LIMITED',
    retryAfterMs: 120_000
  })
  t.equal(upstream.requests.length, 3)
})

t.test('Retry-After is seconds or an HTTP date, which is compared with the Date header if there is one', async t => {
  const now = new Date('2026-10-21T07:00:00Z')
  const read = (value: string | undefined, date?: string) =>
    retryAfterMs(
      { ...(value === undefined ? {} : { 'retry-after': value }), ...(date === undefined ? {} : { date }) },
      now
    )

  t.equal(read('120'), 120_000)
  t.equal(read('0'), 0)
  t.equal(read('Wed, 21 Oct 2026 07:00:05 GMT'), 5000)
  t.equal(read('Wed, 21 Oct 2026 07:00:05 GMT', 'Wed, 21 Oct 2026 07:00:04 GMT'), 1000)
  t.equal(read('Wed, 21 Oct 2026 06:00:00 GMT'), 0)
  for (const unreadable of [undefined, '', '-5', '1.5', 'soon', '1e3', '99999999999', '2026-10-21']) {
    t.equal(read(unreadable), undefined, String(unreadable))
  }
})

t.test('the client repeats even a POST after a refused connection, and then throws a transient error', async t => {
  const { client, events } = createClient(t, { baseUrl: 'http://127.0.0.1:1' })

  const error = await failureOf(client.request({ method: 'POST', path: 'x', body: {} }))

  t.match(error, {
    code: 'LNK_ADAPTER_TRANSIENT',
    message: /failed before it was sent: ECONNREFUSED/,
    cause: { code: 'ECONNREFUSED' }
  })
  t.equal(events.length, 3)
})

t.test('the client repeats even a POST when the host has no address, and then throws a transient error', async t => {
  const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND upstream.test'), { code: 'ENOTFOUND' })
  const addressPolicy = createAddressPolicy({
    allow: [],
    resolve: (_hostname, _options, callback) => {
      callback(notFound, [])
    }
  })
  const { client, events } = createClient(t, { baseUrl: 'http://upstream.test', retries: 1 }, { addressPolicy })

  const error = await failureOf(client.request({ method: 'POST', path: 'x' }))

  t.equal(error.code, 'LNK_ADAPTER_TRANSIENT')
  t.match(error.message, /failed before it was sent: ENOTFOUND/)
  t.equal(events.length, 2)
})

t.test('the client does not repeat a POST after a reset, because its outcome is unknown', async t => {
  let connections = 0
  const { baseUrl } = await startRawUpstream(t, socket => {
    connections += 1
    socket.once('data', () => socket.resetAndDestroy())
  })
  const { client } = createClient(t, { baseUrl })

  const error = await failureOf(client.request({ method: 'POST', path: 'x', body: { a: 1 } }))

  t.match(error, { code: 'LNK_ADAPTER_OUTCOME_UNKNOWN', message: /failed after it was sent/ })
  t.equal(connections, 1)
})

t.test('the client repeats an idempotent request after a reset', async t => {
  let connections = 0
  const { baseUrl } = await startRawUpstream(t, socket => {
    connections += 1
    const isFirst = connections === 1
    socket.once(
      'data',
      () => isFirst ? socket.resetAndDestroy() : socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    )
  })
  const { client } = createClient(t, { baseUrl })

  t.match(await client.request({ method: 'PUT', path: 'x', body: { a: 1 } }), { status: 200, body: 'ok' })
  t.equal(connections, 2)
})

t.test('an incomplete answer is an error, and the client neither returns a part nor requests the rest', async t => {
  const received: string[] = []
  const { baseUrl } = await startRawUpstream(t, socket => {
    socket.once('data', chunk => {
      received.push(String(chunk))
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\netag: "a"\r\n\r\nhalf')
    })
  })
  const { client } = createClient(t, { baseUrl })

  t.equal((await failureOf(client.request({ method: 'GET', path: 'x' }))).code, 'LNK_ADAPTER_TRANSIENT')
  t.equal((await failureOf(client.request({ method: 'POST', path: 'x' }))).code, 'LNK_ADAPTER_OUTCOME_UNKNOWN')
  t.equal(received.length, 2)
  t.notMatch(received.join(), /^range:/im)
})

t.test('the error about an answer that is not HTTP does not quote the answer', async t => {
  const { baseUrl } = await startRawUpstream(t, socket => {
    socket.end('PAYLOAD that is not HTTP\r\n\r\n')
  })
  const { client } = createClient(t, { baseUrl, retries: 0 })

  const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

  t.equal(error.code, 'LNK_ADAPTER_TRANSIENT')
  t.notMatch(JSON.stringify([error.message, error.cause, Object.entries(error.cause as object)]), /PAYLOAD/)
})
