import { createHash } from 'node:crypto'
import t from 'tap'
import {
  buildGateApp,
  delivery,
  disabledId,
  event,
  marketId,
  shopId,
  unknownId,
  type DeliveryOptions
} from './support.ts'

t.test('the test address says what a delivery would be answered and stores nothing', async t => {
  const { app, deliver, streams, rows } = await buildGateApp(t)
  const test = async (options: DeliveryOptions = {}) => {
    const response = await deliver({ ...options, suffix: '/test' })
    t.equal(response.statusCode, 200)
    return response.json()
  }

  t.strictSame(await test(), { ok: true })
  t.match(await test({ headers: { 'content-encoding': 'br' } }), { ok: false, check: 'encoding', status: 400 })
  for (const connectionId of [unknownId, disabledId, marketId]) {
    t.match(await test({ connectionId }), {
      ok: false,
      check: 'connection',
      status: 404
    })
  }
  t.match(await test({ secret: 'other', body: '{}' }), {
    ok: false,
    check: 'authentication',
    status: 401,
    code: 'LNK_SIGNATURE_MISMATCH',
    received: { bytes: 2, sha256: createHash('sha256').update('{}').digest('hex') }
  })
  t.match(await test({ timestamp: '1735729231' }), {
    ok: false,
    check: 'authentication',
    status: 401,
    message: /seconds/
  })
  t.match(await test({ body: '{}' }), { ok: false, check: 'body', status: 400, code: 'LNK_WEBHOOK_MALFORMED' })
  t.equal(streams.entries.length + streams.markers.size, 0)

  rows.failure = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  t.equal(
    (await app.inject(delivery({ connectionId: '00000000-0000-4000-8000-000000000009', suffix: '/test' }))).statusCode,
    503
  )
})

t.test('the test address refuses a body that is too large, as the delivery is refused', async t => {
  const { deliver } = await buildGateApp(t)
  const body = Buffer.alloc(262_145, ' ')

  for (const suffix of ['', '/test']) {
    const response = await deliver({ body, suffix })
    t.equal(response.statusCode, 413, suffix)
    t.match(response.json(), { code: 'LNK_PAYLOAD_TOO_LARGE' })
  }
})

t.test('a browser gets 404 from the address of a connection, whether or not it exists', async t => {
  const { app } = await buildGateApp(t)

  for (const id of [shopId, unknownId]) {
    const response = await app.inject({ url: `/webhooks/shopa/${id}`, headers: { accept: 'text/html' } })
    t.equal(response.statusCode, 404, id)
    t.match(response.json(), { code: 'LNK_WEBHOOK_CONNECTION_NOT_FOUND' })
    t.match(response.headers['content-type'], /^application\/problem\+json/)
  }
})

t.test('the test address warns of an object that the event is not about; the delivery is accepted', async t => {
  const { deliver } = await buildGateApp(t)
  const bodyOf = (eventType: string, type: string): string =>
    JSON.stringify({ ...event, eventType, object: { type, externalId: '27' } })
  const test = async (eventType: string, type: string): Promise<object> =>
    (await deliver({ body: bodyOf(eventType, type), suffix: '/test' })).json()

  t.match(await test('stock.changed', 'variant'), {
    ok: true,
    warning: /^events of type 'stock\.changed' are about an object of type 'stock', not 'variant': the hub accepts/
  })
  const pairs = [
    ['product.saved', 'product'],
    ['stock.changed', 'stock'],
    ['order.created', 'order'],
    ['order.status_changed', 'order'],
    ['test.ping', 'connection']
  ] as const
  for (const [eventType, type] of pairs) t.strictSame(await test(eventType, type), { ok: true }, eventType)
  t.notOk('warning' in await test('stock.change', 'variant'), 'an ignored event starts no job')

  const accepted = await deliver({ body: bodyOf('stock.changed', 'variant') })
  t.equal(accepted.statusCode, 202)
  t.notOk('x-linker-ignored' in accepted.headers)
})

t.test('the test address warns of a time without an offset', async t => {
  const { deliver } = await buildGateApp(t)
  const warningOf = async (occurredAt: string): Promise<unknown> => {
    const { warning } = (await deliver({ body: JSON.stringify({ ...event, occurredAt }), suffix: '/test' })).json()
    return warning
  }

  for (const time of ['2026-11-27 01:00', '2026-11-27T01:00:00.5']) t.match(await warningOf(time), /no offset/, time)
  for (
    const time of ['2026-11-27T01:00Z', '2026-11-27T01:00:00+0100', '2026-11-27 01:00-05:30', '2026-11-27T01:00-05']
  ) {
    t.equal(await warningOf(time), undefined, time)
  }
})

t.test('the test address says nothing that the delivery would not', async t => {
  const { deliver } = await buildGateApp(t)
  const cases: DeliveryOptions[] = [
    { secret: 'other' },
    { connectionId: disabledId },
    { connectionId: unknownId },
    { timestamp: '1735729231' },
    { body: '[]' },
    { headers: { 'x-linker-signature': undefined } }
  ]

  for (const options of cases) {
    const real = (await deliver(options)).json()
    const { status, code, message } = (await deliver({ ...options, suffix: '/test' })).json()
    t.strictSame({ status, code, message }, { status: real.status, code: real.code, message: real.detail })
  }
})
