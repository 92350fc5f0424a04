import { signWebhook } from '@linker/sdk'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { parseRaw, sendRaw } from '../http/support.ts'
import {
  buildGateApp,
  connection,
  delivery,
  event,
  marketId,
  secret,
  startMs,
  unknownId,
  type DeliveryOptions
} from './support.ts'

// These tests send bytes that only a real socket can send.

function headOf (options: DeliveryOptions, more: readonly string[]): string {
  const { url, headers } = delivery(options)
  return [
    `POST ${url} HTTP/1.1`,
    'host: hub',
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...more
  ].join('\r\n')
}

function chunked (body: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size)
    chunks.push(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]))
  }
  return [...chunks, Buffer.from('0\r\n\r\n')]
}

const body = Buffer.from(JSON.stringify(event))

t.test('the signature of a body in chunks covers the whole body', async t => {
  const { app, streams } = await buildGateApp(t)
  const text = await sendRaw(app, [`${headOf({}, ['transfer-encoding: chunked'])}\r\n\r\n`, ...chunked(body, 7)], {
    isHeldOpen: true
  })

  t.equal(parseRaw(text).status, 202)
  t.equal(streams.entries.length, 1)
})

t.test('an accepted delivery is answered with no body and no type', async t => {
  const { app } = await buildGateApp(t)
  const { status, headers, body: answered } =
    parseRaw(await sendRaw(app, [`${headOf({}, [`content-length: ${body.length}`])}\r\n\r\n`, body], {
      isHeldOpen: true
    }))

  t.equal(status, 202)
  t.equal(answered, '')
  t.match(headers, /content-length: 0/i)
  t.notMatch(headers, /^content-type:/im)
})

t.test('too much is answered 413, announced or not, and the connection ends', async t => {
  const { app, streams } = await buildGateApp(t)
  const large = Buffer.alloc(262_145, ' ')
  const cases: [string, (string | Buffer)[]][] = [
    ['by its length', [`${headOf({ body: large }, [`content-length: ${large.length}`])}\r\n\r\n`, large]],
    ['by its length alone', [`${headOf({}, ['content-length: 99999999999'])}\r\n\r\n`]],
    ['in chunks', [`${headOf({ body: large }, ['transfer-encoding: chunked'])}\r\n\r\n`, ...chunked(large, 65_536)]],
    ['in one chunk that does not end', [`${headOf({}, ['transfer-encoding: chunked'])}\r\n\r\nfffffff\r\n`, large]]
  ]

  for (const [name, parts] of cases) {
    const { status, headers, body: answered } = parseRaw(await sendRaw(app, parts, { isHeldOpen: true }))
    t.equal(status, 413, name)
    t.match(headers, /x-linker-delivery-id: [0-9a-f-]{36}/i, name)
    t.match(headers, /connection: close/i, name)
    t.equal(JSON.parse(answered).code, 'LNK_PAYLOAD_TOO_LARGE', name)
  }
  t.equal(streams.entries.length, 0)
})

t.test('a raised limit makes the hub read large bodies only for whom it holds, and only announced', async t => {
  const { app, rows, streams } = await buildGateApp(t, { webhookMostBytes: 1_000_000 })
  const source = {
    topic: { header: 'x-topic' },
    eventTypes: { a: 'product.saved' },
    externalId: { body: '/id' },
    mostBytes: 500_000
  } as const
  const rules = { verify: { kind: 'query', parameter: 'token' }, source } as const
  rows.connections.set(marketId, connection(marketId, { platformType: 'mktb', webhookRules: rules }))
  const announced = ['content-length: 300000']
  const inChunks = ['transfer-encoding: chunked']
  const market = { provider: 'mktb', connectionId: marketId }
  const unread: [string, DeliveryOptions, string[], Buffer[]][] = [
    ['of a default connection', {}, announced, []],
    ['of an unknown connection', { connectionId: unknownId }, announced, []],
    ['of an address without an id', { connectionId: 'x' }, announced, []],
    ['of another platform', { ...market, provider: 'shopa' }, announced, []],
    ['for the test address', { suffix: '/test' }, announced, []],
    ['in chunks', market, inChunks, [Buffer.from('493e0\r\n'), Buffer.alloc(262_145, ' ')]]
  ]

  for (const [name, options, headers, sent] of unread) {
    const head = headOf(options, headers).replace('connection: close', 'connection: keep-alive')
    const text = await sendRaw(app, [`${head}\r\n\r\n`, ...sent], { isHeldOpen: true })
    const { status, headers: answered, body } = parseRaw(text)
    t.equal(status, 413, name)
    t.match(answered, /connection: close/i, name)
    t.match(JSON.parse(body), { code: 'LNK_PAYLOAD_TOO_LARGE', detail: 'The body is larger than 262144 bytes' }, name)
  }
  const large = Buffer.alloc(300_000, ' ')
  const read = await sendRaw(app, [`${headOf(market, announced)}\r\n\r\n`, large], { isHeldOpen: true })
  t.equal(parseRaw(read).status, 401, 'it was read and then judged')
  const small = [`${headOf({}, inChunks)}\r\n\r\n`, ...chunked(body, 7)]
  t.equal(parseRaw(await sendRaw(app, small, { isHeldOpen: true })).status, 202)
  t.equal(streams.entries.length, 1)
})

t.test('a length that is too short leaves bytes that are no request: refused, whatever is read first', async t => {
  const { app, streams } = await buildGateApp(t)
  const text = await sendRaw(app, [
    `${
      headOf({}, [`content-length: ${body.length - 1}`]).replace('connection: close', 'connection: keep-alive')
    }\r\n\r\n`,
    body,
    '\r\n\r\n'
  ], { isHeldOpen: true })

  t.ok([400, 401].includes(parseRaw(text).status))
  t.equal(streams.entries.length, 0)
})

t.test('a length that is too long is answered when the time is over, and leaves nothing', async t => {
  const { app, streams } = await buildGateApp(t, {
    server: { requestTimeout: 150, http: { headersTimeout: 100, connectionsCheckingInterval: 20 } }
  })
  const text = await sendRaw(app, [`${headOf({}, [`content-length: ${body.length + 1}`])}\r\n\r\n`, body], {
    isHeldOpen: true
  })

  t.equal(parseRaw(text).status, 408)
  t.equal(streams.entries.length, 0)
})

t.test('a header that is given twice is refused, even when both values are good', async t => {
  const { app, streams } = await buildGateApp(t)
  const { headers } = delivery()
  const forged = `sha256=${'0'.repeat(64)}`
  const twice: [string, number][] = [
    [`x-linker-signature: ${forged}`, 400],
    [`x-linker-signature: ${headers['x-linker-signature']}`, 400],
    [`X-LINKER-SIGNATURE: ${forged}`, 400],
    [`x-linker-timestamp: ${startMs}`, 400],
    ['content-encoding: identity\r\ncontent-encoding: gzip', 400],
    [`content-length: ${body.length}`, 400]
  ]

  for (const [line, status] of twice) {
    const text = await sendRaw(app, [`${headOf({}, [line, `content-length: ${body.length}`])}\r\n\r\n`, body], {
      isHeldOpen: true
    })
    t.equal(parseRaw(text).status, status, line)
  }
  t.equal(streams.entries.length, 0)
})

t.test('the server serves others while two hundred senders send slowly', async t => {
  const { app } = await buildGateApp(t)
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const dripping: Socket[] = []
  t.teardown(() => {
    for (const socket of dripping) socket.destroy()
  })
  for (let index = 0; index < 200; index += 1) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    dripping.push(socket)
    await once(socket, 'connect')
    socket.write(index % 2 === 0
      ? 'POST /webhooks/shopa/x HTTP/1.1\r\nhost: hub\r\nx-'
      : `${headOf({}, ['content-length: 400'])}\r\n\r\n{`)
  }

  for (let index = 0; index < 20; index += 1) {
    const own = JSON.stringify({ ...event, eventId: `e-${index}` })
    const text = await sendRaw(app, [
      `${
        headOf({ body: own, headers: { 'x-linker-signature': signWebhook(secret, String(startMs), own) } }, [
          `content-length: ${own.length}`
        ])
      }\r\n\r\n${own}`
    ], { isHeldOpen: true })
    t.equal(parseRaw(text).status, 202)
  }
})
