import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { createClient, failureOf, startRawUpstream, startUpstream, stopTime, type Upstream } from './support.ts'

async function arrived ({ requests }: Upstream, count: number): Promise<void> {
  while (requests.length < count) await new Promise(setImmediate)
}

/** Whether a promise is still open after some turns of the event loop. */
async function isOpen (promise: Promise<unknown>): Promise<boolean> {
  let open = true
  promise.finally(() => {
    open = false
  })
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  return open
}

t.test('an attempt without an answer times out: transient if idempotent, else of unknown outcome', async t => {
  const time = stopTime(t)
  const upstream = await startUpstream(t, () => {})
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, timeoutMs: 150 })
  const requests = [
    failureOf(client.request({ method: 'GET', path: 'x' })),
    failureOf(client.request({ method: 'POST', path: 'x' }))
  ] as const
  await arrived(upstream, 2)

  time.pass(149)
  const areOpen = await Promise.all(requests.map(isOpen))
  time.pass(1)
  const [get, post] = await Promise.all(requests)

  t.strictSame(areOpen, [true, true])
  t.match(get, { code: 'LNK_ADAPTER_TRANSIENT', message: /failed after it was sent: TIMEOUT/ })
  t.match(post, { code: 'LNK_ADAPTER_OUTCOME_UNKNOWN', cause: { code: 'TIMEOUT' } })
  t.equal(upstream.requests.length, 2, 'a time-out is not repeated inside the call')
})

t.test('the time-out of a request wins over that of its client', async t => {
  const time = stopTime(t)
  const upstream = await startUpstream(t, () => {})
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, timeoutMs: 20_000 })
  const request = failureOf(client.request({ method: 'GET', path: 'x', timeoutMs: 100 }))
  await arrived(upstream, 1)

  time.pass(100)

  t.match(await request, { message: /TIMEOUT/ })
})

t.test('a body that drips is cut at the time-out', async t => {
  const { baseUrl } = await startRawUpstream(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(drip))
  })
  const { client } = createClient(t, { baseUrl, timeoutMs: 200 })

  // The whole body would take half an hour to arrive.
  t.equal((await failureOf(client.request({ method: 'GET', path: 'x' }))).code, 'LNK_ADAPTER_TRANSIENT')
})

t.test('an attempt ends at its time-out while it waits for a connection, and is not sent later', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const resolved: (() => void)[] = []
  const { client, events, close } = createClient(t, { baseUrl: `http://shop.test:${upstream.port}` }, {
    addressPolicy: slowPolicy(resolved)
  })

  const error = await failureOf(client.request({ method: 'POST', path: 'x', timeoutMs: 100 }))
  for (const finish of resolved) finish()
  const next = await client.request({ method: 'GET', path: 'next' })

  t.match(error, { code: 'LNK_ADAPTER_TRANSIENT', message: /failed before it was sent: TIMEOUT/ })
  t.equal(next.status, 200)
  t.strictSame(upstream.requests.map(request => request.url), ['/next'])
  t.strictSame(events.map(event => event.status), [undefined, 200], 'it was not repeated')
  await close()
})

/** A policy whose first look-up ends when the test decides. */
function slowPolicy (resolved: (() => void)[]) {
  return {
    refusedClass: () => undefined,
    assertAllowed () {},
    lookup (
      _hostname: string,
      { all }: { all?: boolean },
      callback: (error: null, address: string | { address: string, family: number }[], family?: number) => void
    ) {
      const finish = () =>
        all === true ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)
      if (resolved.push(finish) > 1) finish()
    }
  }
}

for (const moment of ['headers', 'body', 'connection', 'back-off'] as const) {
  t.test(`aborting the call ends it while it waits for the ${moment}, without a repeat`, async t => {
    const call = new AbortController()
    const upstream = await startUpstream(t, (_request, response) => {
      if (moment === 'body') response.write('half')
      if (moment === 'back-off') response.writeHead(503, { 'retry-after': '2' }).end()
      else setImmediate(() => call.abort())
    })
    const log = {
      debug () {},
      info: () => {
        setImmediate(() => call.abort())
      },
      warn () {},
      error () {}
    }
    const isConnecting = moment === 'connection'
    const { client } = createClient(t, {
      baseUrl: isConnecting ? `http://shop.test:${upstream.port}` : upstream.baseUrl
    }, {
      currentCall: () => ({ signal: call.signal }),
      log,
      ...(isConnecting ? { addressPolicy: slowPolicy([]) } : {})
    })
    if (isConnecting) setImmediate(() => call.abort())

    const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

    t.match(
      error,
      moment === 'back-off'
        ? { code: 'LNK_ADAPTER_RATE_LIMITED', message: /answered 503/ }
        : { code: 'LNK_ADAPTER_TRANSIENT', message: /ABORTED/ }
    )
    t.ok(upstream.requests.length <= 1)
  })
}

t.test('aborting a POST that was sent leaves its outcome unknown', async t => {
  const call = new AbortController()
  const upstream = await startUpstream(t, () => call.abort())
  const { client } = createClient(t, { baseUrl: upstream.baseUrl }, { currentCall: () => ({ signal: call.signal }) })

  const error = await failureOf(client.request({ method: 'POST', path: 'x' }))

  t.match(error, { code: 'LNK_ADAPTER_OUTCOME_UNKNOWN', message: /ABORTED/ })
})

t.test('a call that is aborted at once sends nothing', async t => {
  const call = new AbortController()
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const { client } = createClient(t, { baseUrl: upstream.baseUrl }, { currentCall: () => ({ signal: call.signal }) })
  const failing = failureOf(client.request({ method: 'POST', path: 'x' }))
  call.abort()

  t.match(await failing, { code: 'LNK_ADAPTER_TRANSIENT', message: /was not sent/ })
  t.strictSame(upstream.requests, [])
})

t.test('a call that is already aborted sends nothing', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const { client, events } = createClient(t, { baseUrl: upstream.baseUrl }, {
    currentCall: () => ({ signal: AbortSignal.abort() })
  })

  const error = await failureOf(client.request({ method: 'POST', path: 'x' }))

  t.match(error, { code: 'LNK_ADAPTER_TRANSIENT', message: /was not sent/ })
  t.equal(upstream.requests.length, 0)
  t.equal(events.length, 0)
})

t.test('an answer of exactly the limit is accepted, one byte more is rejected', async t => {
  const upstream = await startUpstream(t, (request, response) => {
    if (request.url === '/declared') response.setHeader('content-length', '1001')
    response.write('x'.repeat(500))
    response.end('x'.repeat(request.url === '/fits' ? 500 : 501))
  })
  const { client } = createClient(t, { baseUrl: upstream.baseUrl, maxResponseBytes: 1000 })

  t.equal((await client.request({ method: 'GET', path: 'fits' })).body.length, 1000)
  t.match(await failureOf(client.request({ method: 'GET', path: 'chunked' })), {
    code: 'LNK_ADAPTER_REJECTED',
    message: /more than 1000 bytes/
  })
  t.match(await failureOf(client.request({ method: 'GET', path: 'declared' })), { code: 'LNK_ADAPTER_REJECTED' })
})

t.test('an answer that announces more than the limit is rejected before its body arrives', async t => {
  const { baseUrl } = await startRawUpstream(t, socket => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n'))
  })
  const { client } = createClient(t, { baseUrl, maxResponseBytes: 1000 })

  t.equal((await failureOf(client.request({ method: 'GET', path: 'x' }))).code, 'LNK_ADAPTER_REJECTED')
})

for (
  const [name, head] of [['no length', ''], ['chunks', 'transfer-encoding: chunked\r\n'], [
    'a length that is a lie',
    'content-length: 999999999\r\n'
  ]] as const
) {
  t.test(`an endless body with ${name} is cut at 10 MiB with the connection`, async t => {
    const ends: Promise<unknown>[] = []
    let sentBytes = 0
    const piece = Buffer.alloc(65_536, 'x')
    const framed = head.startsWith('transfer')
      ? Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
      : piece
    const { baseUrl } = await startRawUpstream(t, socket => {
      ends.push(new Promise(resolve => socket.once('close', resolve)))
      socket.once('data', () => {
        socket.write(`HTTP/1.1 500 Internal Server Error\r\n${head}\r\n`)
        pump()
      })
      function pump () {
        while (!socket.destroyed) {
          sentBytes += framed.length
          if (!socket.write(framed)) return socket.once('drain', pump)
        }
      }
    })
    const { client } = createClient(t, { baseUrl })

    const error = await failureOf(client.request({ method: 'GET', path: 'x' }))
    await Promise.all(ends)

    t.match(error, { code: 'LNK_ADAPTER_REJECTED', message: /more than 10485760 bytes/ })
    t.equal(ends.length, 1)
    t.ok(sentBytes < 32 * 1024 * 1024, `${sentBytes} bytes were sent`)
  })
}

t.test('a body longer than its announced length is cut, and the rest does not become the next answer', async t => {
  const { baseUrl } = await startRawUpstream(t, socket => {
    socket.on(
      'data',
      () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged')
    )
  })
  const { client } = createClient(t, { baseUrl })

  const bodies = [
    (await client.request({ method: 'GET', path: '1' })).body,
    (await client.request({ method: 'GET', path: '2' })).body
  ]

  t.strictSame(bodies, ['ok', 'ok'])
})

t.test('a request that has ended neither keeps the process alive nor listens on', async t => {
  const call = new AbortController()
  let listeners = 0
  const add = call.signal.addEventListener.bind(call.signal)
  const remove = call.signal.removeEventListener.bind(call.signal)
  call.signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1
    add(...args)
  }
  call.signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1
    remove(...args)
  }
  const upstream = await startUpstream(
    t,
    (_request, response) => response.writeHead(upstream.requests.length < 3 ? 503 : 200, { 'retry-after': '0' }).end()
  )
  const { client, close } = createClient(t, { baseUrl: upstream.baseUrl }, {
    currentCall: () => ({ signal: call.signal })
  })

  await client.request({ method: 'GET', path: 'x' })
  await close()

  t.equal(listeners, 0)
  const probe = connect(upstream.port, '127.0.0.1')
  await once(probe, 'connect')
  probe.destroy()
})
