import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { jobIdOf } from '../../src/jobs/identity.ts'
import {
  buildGateApp,
  connection,
  createMemoryStreams,
  delivery,
  disabledId,
  event,
  marketDelivery,
  marketId,
  marketSecret,
  orderForm,
  shopId,
  startMs,
  storedSecret,
  unknownId,
  type DeliveryOptions
} from './support.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

t.test('an event that the shop signed is answered 202 without a body and stands in the stream', async t => {
  const { deliver, streams } = await buildGateApp(t)
  const response = await deliver({ headers: { 'x-request-id': 'r-1' } })

  t.equal(response.statusCode, 202)
  t.equal(response.payload, '')
  t.equal(response.headers['content-type'], undefined)
  t.equal(streams.entries.length, 1)
  const { payloadJson = '', metadataJson = '', ...fields } = streams.entries[0] ?? {}
  t.strictSame(fields, {
    eventId: event.eventId,
    eventType: 'inbound.webhook.product.saved',
    occurredAt: '2025-01-01T12:00:31+01:00',
    publishedAt: '2025-01-01T11:00:31.000Z'
  })
  t.strictSame(JSON.parse(payloadJson), { objectType: 'product', externalId: '27', payload: null })
  t.match(JSON.parse(metadataJson), { schemaVersion: 1, provider: 'shopa', connectionId: shopId, requestId: 'r-1' })
})

t.test('the delivery id of an accepted event is the id of its job', async t => {
  const { deliver } = await buildGateApp(t)
  const response = await deliver()

  t.equal(response.headers['x-linker-delivery-id'], jobIdOf(`webhook:shopa:${shopId}:${event.eventId}`))
})

t.test('a repetition says that it is one, under the same delivery id', async t => {
  const { deliver, streams } = await buildGateApp(t)
  const [first, second] = [await deliver(), await deliver()]

  t.strictSame([first.statusCode, second.statusCode], [202, 202])
  t.strictSame([first, second].map(({ headers }) => headers['x-linker-duplicate']), [undefined, 'true'])
  t.equal(second.headers['x-linker-delivery-id'], first.headers['x-linker-delivery-id'])
  t.equal(streams.entries.length, 1)
})

t.test('a sender who mistyped an event type learns it from the answer, and by name from the test', async t => {
  const { deliver, streams } = await buildGateApp(t)
  const mistyped = { body: JSON.stringify({ ...event, eventType: 'stock.chnaged' }) }
  const [known, ping, unknown] = [
    await deliver(),
    await deliver({ body: JSON.stringify({ ...event, eventId: 'e2', eventType: 'test.ping' }) }),
    await deliver(mistyped)
  ]
  const verdict = (await deliver({ ...mistyped, suffix: '/test' })).json()

  t.equal(known.headers['x-linker-ignored'], undefined)
  t.equal(ping.headers['x-linker-ignored'], undefined)
  t.match(unknown, { statusCode: 202, payload: '', headers: { 'x-linker-ignored': 'unknown-event-type' } })
  t.match(verdict, { ok: true, ignored: /'stock\.chnaged'; known types: product\.saved, stock\.changed/ })
  t.strictSame((await deliver({ suffix: '/test' })).json(), { ok: true })
  t.equal(streams.entries.length, 2, 'the mistyped one had the id of the first')
})

t.test('the answer to an event without a job in the adapter says so and does not list its type', async t => {
  const { deliver } = await buildGateApp(t)
  const bearer = {
    authorization: `Bearer ${marketSecret}`,
    'x-linker-timestamp': undefined,
    'x-linker-signature': undefined
  }
  const order = {
    provider: 'mktb',
    connectionId: marketId,
    headers: bearer,
    body: JSON.stringify({ ...event, eventType: 'order.created' })
  }

  const answer = await deliver(order)
  const verdict = (await deliver({ ...order, suffix: '/test' })).json<unknown>()

  t.match(answer, { statusCode: 202, payload: '', headers: { 'x-linker-ignored': 'unknown-event-type' } })
  t.strictSame(verdict, {
    ok: true,
    ignored: "the hub knows no job for events of type 'order.created'; known types: product.saved, stock.changed"
  })
})

t.test('the vectors of the sender are accepted as they are', async t => {
  const { deliver, streams } = await buildGateApp(t)
  const vectors: [string, string][] = [
    [
      'sha256=905fa527df46e1b0f59e223e1a86efcf0a1b2eba35300d98071bc0ab777b9b99',
      '{"schemaVersion":1,"eventId":"e3a637dd-70f4-11f4-1322-17ce5f42b233","eventType":"product.saved",' +
      '"occurredAt":"2025-01-01T12:00:31+01:00","object":{"type":"product","externalId":"27"}}'
    ],
    [
      'sha256=813677ebb18f79b6b1a88e690a84ff3793ebc61a2089f2a944b36fb0427308a5',
      '{"schemaVersion":1,"eventId":"e1560a17-ac93-df24-6026-251452786be9","eventType":"order.status_changed",' +
      '"occurredAt":"2025-01-01T12:00:31+01:00","object":{"type":"order","externalId":"5"},"payload":{"newStatusId":4}}'
    ]
  ]

  for (const [signature, body] of vectors) {
    t.equal((await deliver({ body, headers: { 'x-linker-signature': signature } })).statusCode, 202)
  }
  t.strictSame(JSON.parse(streams.entries[1]?.payloadJson ?? ''), {
    objectType: 'order',
    externalId: '5',
    payload: { newStatusId: 4 }
  })
})

t.test('an event that was received is answered 202 again and not published twice', async t => {
  const { deliver, streams } = await buildGateApp(t)
  const first = await deliver()
  const copies = await Promise.all(Array.from({ length: 99 }, () => deliver()))

  t.ok(copies.every(copy => copy.statusCode === 202))
  t.equal(streams.entries.length, 1)
  t.equal(copies[0]?.headers['x-linker-delivery-id'], first.headers['x-linker-delivery-id'])
})

t.test('the same event id on another connection is another event', async t => {
  const { deliver, streams, rows } = await buildGateApp(t)
  rows.connections.set(unknownId, connection(unknownId))
  await deliver()
  t.equal((await deliver({ connectionId: unknownId })).statusCode, 202)

  t.equal(streams.entries.length, 2)
})

t.test('a refused delivery has the status of the specification, a code and an id, and leaves nothing', async t => {
  const { deliver, streams, log } = await buildGateApp(t)
  const wrong = (body: object) => ({ body: JSON.stringify({ ...event, ...body }) })
  const cases: [string, DeliveryOptions, number, string][] = [
    ['no timestamp', { headers: { 'x-linker-timestamp': undefined } }, 400, 'LNK_WEBHOOK_HEADER_MISSING'],
    ['no signature', { headers: { 'x-linker-signature': undefined } }, 400, 'LNK_WEBHOOK_HEADER_MISSING'],
    ['an empty signature', { headers: { 'x-linker-signature': '' } }, 400, 'LNK_WEBHOOK_HEADER_MISSING'],
    ['no content type', { headers: { 'content-type': undefined } }, 400, 'LNK_WEBHOOK_MALFORMED'],
    ['another content type', { headers: { 'content-type': 'text/plain' } }, 400, 'LNK_WEBHOOK_MALFORMED'],
    [
      'a content type that only begins alike',
      { headers: { 'content-type': 'application/jsonp' } },
      400,
      'LNK_WEBHOOK_MALFORMED'
    ],
    ['no valid content type', { headers: { 'content-type': 'nonsense' } }, 400, 'LNK_WEBHOOK_MALFORMED'],
    ['a compressed body', { headers: { 'content-encoding': 'gzip' } }, 400, 'LNK_WEBHOOK_MALFORMED'],
    ['another secret', { secret: 'not-the-secret' }, 401, 'LNK_SIGNATURE_MISMATCH'],
    ['a time that is past', { timestamp: String(startMs - 300_001) }, 401, 'LNK_TIMESTAMP_OUTSIDE_WINDOW'],
    ['a time to come', { timestamp: String(startMs + 300_001) }, 401, 'LNK_TIMESTAMP_OUTSIDE_WINDOW'],
    ['an unknown connection', { connectionId: unknownId }, 404, 'LNK_WEBHOOK_CONNECTION_NOT_FOUND'],
    ['a disabled connection', { connectionId: disabledId }, 404, 'LNK_WEBHOOK_CONNECTION_NOT_FOUND'],
    ['the connection of another platform', { connectionId: marketId }, 404, 'LNK_WEBHOOK_CONNECTION_NOT_FOUND'],
    ['no UUID', { connectionId: 'shop' }, 404, 'LNK_WEBHOOK_CONNECTION_NOT_FOUND'],
    ['no platform', { provider: 'SHOPA' }, 404, 'LNK_WEBHOOK_CONNECTION_NOT_FOUND'],
    ['the name of a secret as platform', { provider: 'shopa__123E4567' }, 404, 'LNK_WEBHOOK_CONNECTION_NOT_FOUND'],
    ['one byte too many', { body: Buffer.alloc(262_145, ' ') }, 413, 'LNK_PAYLOAD_TOO_LARGE'],
    ['no JSON', { body: '{"schemaVersion":1' }, 400, 'LNK_WEBHOOK_MALFORMED'],
    ['nothing', { body: '' }, 400, 'LNK_WEBHOOK_MALFORMED'],
    ['another version', wrong({ schemaVersion: 2 }), 400, 'LNK_WEBHOOK_MALFORMED']
  ]

  for (const [name, options, status, code] of cases) {
    const response = await deliver(options)
    t.equal(response.statusCode, status, name)
    t.equal(response.json().code, code, name)
    t.equal(response.headers['content-type'], 'application/problem+json', name)
    t.match(response.headers['x-linker-delivery-id'], uuid, name)
    t.notMatch(response.payload, /sha256=[0-9a-f]|test-secret/, name)
  }
  t.equal(streams.entries.length + streams.markers.size, 0)
  t.notMatch(JSON.stringify(log), /sha256=|test-secret/)
})

t.test('262 144 bytes are accepted', async t => {
  const { deliver } = await buildGateApp(t)
  const body = JSON.stringify({ ...event, payload: { padding: '' } })
  const response = await deliver({
    body: body.replace('"padding":""', `"padding":"${'x'.repeat(262_144 - body.length)}"`)
  })

  t.equal(response.statusCode, 202)
})

t.test('unknown, disabled and mismatched connections get the same answer', async t => {
  const { deliver } = await buildGateApp(t)
  const headers = { 'x-request-id': 'r-1' }
  const responses: LightMyRequestResponse[] = []
  for (
    const options of [{ connectionId: unknownId }, { connectionId: disabledId }, { connectionId: marketId }, {
      connectionId: 'x'
    }, { provider: 'MKTB' }]
  ) responses.push(await deliver({ ...options, headers }))

  t.equal(
    new Set(responses.map(response =>
      `${response.statusCode} ${response.payload} ${Object.keys(response.headers).toSorted().join()}`
    )).size,
    1
  )
})

t.test('a time at the edge of the window is accepted', async t => {
  const { deliver } = await buildGateApp(t)
  t.equal((await deliver({ timestamp: String(startMs - 300_000) })).statusCode, 202)
  t.equal((await deliver({ timestamp: String(startMs + 300_000) })).statusCode, 202)
})

t.test('a time in another unit or form is refused with a hint', async t => {
  const { deliver } = await buildGateApp(t)
  const answer = async (timestamp: string) => {
    const response = await deliver({ timestamp })
    return `${response.statusCode} ${response.json().detail}`
  }

  t.match(await answer('1735729231'), /^401 .*looks like seconds; milliseconds are expected/)
  t.match(await answer('1735729231000000'), /^401 .*looks like microseconds/)
  t.match(await answer(String(startMs - 400_000)), '401 X-Linker-Timestamp is 400 s behind')
  t.match(await answer(String(startMs + 400_000)), '401 X-Linker-Timestamp is 400 s ahead of')
  for (
    const timestamp of [
      '0x18f',
      '1e12',
      '-1735729231000',
      '1735729231000.5',
      '9'.repeat(25),
      '123456789',
      ' ',
      '１７３５７２９２３１０００',
      '1735729231000,1735729231000'
    ]
  ) t.match(await answer(timestamp), /^400 /, timestamp)
})

t.test('an address works below /v1 and with an id in upper case', async t => {
  const { app, streams } = await buildGateApp(t)
  const { url, ...rest } = delivery()
  t.equal((await app.inject({ ...rest, url: `/v1${url}` })).statusCode, 202)
  t.equal((await app.inject({ ...rest, url: url.replace(shopId, shopId.toUpperCase()) })).statusCode, 202)

  t.equal(streams.entries.length, 1, 'it is the same event')
})

t.test('a publication that fails is answered 500 and may be repeated', async t => {
  const { deliver, streams, log } = await buildGateApp(t)
  streams.failure = new Error('Command timed out')
  const failed = await deliver()
  t.equal(failed.statusCode, 500)
  t.equal(failed.json().code, 'LNK_PUBLISH_FAILED')
  t.match(failed.headers['x-linker-delivery-id'], uuid)
  t.match(log.find(line => line.msg === 'a request failed'), {
    err: { message: /not have been stored.*Command timed out/ }
  })

  streams.failure = undefined
  t.equal((await deliver()).statusCode, 202)
  t.equal(streams.entries.length, 1)
})

t.test('while 1 000 webhooks wait to be stored, further ones are refused and not stored', async t => {
  const memory = createMemoryStreams()
  const gate = Promise.withResolvers<undefined>()
  const { deliver } = await buildGateApp(t, {
    streams: {
      ...memory,
      async publishEvent (event) {
        await gate.promise
        return memory.publishEvent(event)
      }
    }
  })
  const deliverOne = (eventId: string) => deliver({ body: JSON.stringify({ ...event, eventId }) })
  const waiting = Promise.all(Array.from({ length: 1_000 }, (_, index) => deliverOne(`e${index}`)))
  const refused = await deliverOne('more')
  gate.resolve(undefined)
  const accepted = await waiting

  t.match(refused, { statusCode: 503, headers: { 'retry-after': /^\d+$/, 'x-linker-delivery-id': uuid } })
  t.match(refused.json(), { code: 'LNK_INTAKE_FULL', detail: /Send it again later/ })
  t.strictSame(new Set(accepted.map(({ statusCode }) => statusCode)), new Set([202]))
  t.equal(memory.entries.length, 1_000, 'the refused one is not among them')
  t.equal((await deliverOne('more')).statusCode, 202)
})

t.test('of 1 001 webhooks that waited for the same look-up, one is refused and not stored', async t => {
  const memory = createMemoryStreams()
  const [found, gate] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  let [asked, published] = [0, 0]
  const { deliver, cache } = await buildGateApp(t, {
    streams: {
      ...memory,
      async publishEvent (event) {
        published += 1
        // All are stored, and none was refused: let the test fail, not hang.
        if (published === 1_001) gate.resolve(undefined)
        await gate.promise
        return memory.publishEvent(event)
      }
    }
  })
  const { find } = cache
  cache.find = async id => {
    asked += 1
    if (asked === 1_001) found.resolve(undefined)
    await found.promise
    return find(id)
  }
  const deliveries = Array.from(
    { length: 1_001 },
    (_, index) => deliver({ body: JSON.stringify({ ...event, eventId: `e${index}` }) })
  )
  await Promise.race(deliveries)
  gate.resolve(undefined)
  const answers = await Promise.all(deliveries)

  t.match(answers.filter(({ statusCode }) => statusCode !== 202), [{ statusCode: 503 }])
  t.equal(answers.filter(({ statusCode }) => statusCode === 202).length, 1_000)
  t.equal(memory.entries.length, 1_000)
})

t.test('disabling takes effect on the next delivery, although the connection is cached', async t => {
  const { deliver, streams, rows } = await buildGateApp(t)
  await deliver()
  rows.connections.set(shopId, connection(shopId, { status: 'disabled', epoch: 2 }))
  await streams.setEpoch(shopId, 2)

  t.equal((await deliver({ body: JSON.stringify({ ...event, eventId: 'two' }) })).statusCode, 404)
  t.equal(streams.entries.length, 1)
})

t.test('a version that the stream does not know is looked up and told to it', async t => {
  const { deliver, streams, rows } = await buildGateApp(t)
  await deliver()
  rows.connections.set(shopId, connection(shopId, { epoch: 7 }))
  streams.epochs.clear()

  t.equal((await deliver({ body: JSON.stringify({ ...event, eventId: 'two' }) })).statusCode, 202)
  t.equal(streams.epochs.get(shopId), 7)
  t.equal(streams.entries.length, 2)
})

t.test('with the database away a known connection goes on, another is 503 and never 404', async t => {
  const { deliver, rows, clock } = await buildGateApp(t)
  await deliver()
  rows.failure = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  clock.nowMs += 120_000

  t.equal((await deliver({ timestamp: String(clock.nowMs) })).statusCode, 202)
  for (const connectionId of [unknownId, disabledId]) {
    const response = await deliver({ connectionId })
    t.equal(response.statusCode, 503)
    t.equal(response.json().code, 'LNK_DATABASE_UNAVAILABLE')
    t.equal(response.headers['retry-after'], '5')
  }
})

t.test('a delivery says that it is JSON, however it proves itself', async t => {
  const { app } = await buildGateApp(t)
  const authorization = `Bearer ${marketSecret}`
  const send = async (contentType?: string): Promise<number> => {
    const headers = { authorization, ...(contentType === undefined ? {} : { 'content-type': contentType }) }
    return (await app.inject({ ...marketDelivery(authorization), headers })).statusCode
  }

  for (const json of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    t.equal(await send(json), 202, json)
  }
  for (const other of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    t.equal(await send(other), 400, other)
  }
  t.equal(await send(), 400, 'without any')
})

t.test('a delivery of the marketplace proves itself by its bearer token', async t => {
  const { app, streams } = await buildGateApp(t)
  for (const good of [`Bearer ${marketSecret}`, `bearer ${marketSecret}`, `BEARER ${marketSecret}`]) {
    t.equal((await app.inject(marketDelivery(good))).statusCode, 202, good)
  }
  for (
    const bad of [
      undefined,
      '',
      'Bearer',
      marketSecret,
      `Basic ${marketSecret}`,
      'Bearer market-secre',
      `Bearer ${marketSecret}x`,
      `Bearer ${marketSecret.toUpperCase()}`,
      `Bearer ${marketSecret}, Bearer other`
    ]
  ) {
    const response = await app.inject(marketDelivery(bad))
    t.equal(response.statusCode, 401, String(bad))
    t.equal(response.json().code, 'LNK_SIGNATURE_MISMATCH')
  }
  t.equal(streams.entries.length, 1)
})

t.test('a signature does not open a connection that takes tokens, nor a token one that takes signatures', async t => {
  const { app, deliver } = await buildGateApp(t)
  t.equal((await deliver({ provider: 'mktb', connectionId: marketId, secret: marketSecret })).statusCode, 401)
  t.equal(
    (await app.inject({ ...marketDelivery('Bearer test-secret'), url: `/webhooks/shopa/${shopId}` })).statusCode,
    400
  )
})

t.test('a connection without a secret lets nobody in', async t => {
  const unset: Record<string, string>[] = [{}, { LINKER_WEBHOOK_SECRET__SHOPA: '', LINKER_WEBHOOK_SECRET__MKTB: '' }]
  for (const variables of unset) {
    const { app, deliver } = await buildGateApp(t, { variables })
    for (
      const response of [
        await deliver(),
        await app.inject(marketDelivery('Bearer ')),
        await app.inject(marketDelivery(undefined))
      ]
    ) {
      t.equal(response.statusCode, 401)
      t.equal(response.json().code, 'LNK_WEBHOOK_SECRET_MISSING')
    }
  }
})

t.test(
  'every secret that is stored for a connection is good until its time is over, also while the connection is ' +
    'cached',
  async t => {
    const { deliver, rows, clock } = await buildGateApp(t, { variables: {} })
    rows.connections.set(
      shopId,
      connection(shopId, { webhookSecrets: [storedSecret('new'), storedSecret('old', startMs + 10_000)] })
    )
    const status = async (secret: string) => (await deliver({ secret, timestamp: String(clock.nowMs) })).statusCode
    t.strictSame([await status('new'), await status('old'), await status('other')], [202, 202, 401])

    clock.nowMs += 10_000
    t.strictSame([await status('new'), await status('old')], [202, 401])
    t.strictSame(rows.loads, [shopId])
  }
)

t.test('a body in the own form of the platform is an event, another one each time it comes', async t => {
  const { app, rows, streams } = await buildGateApp(t)
  rows.connections.set(
    marketId,
    connection(marketId, { platformType: 'mktb', webhookScheme: 'bearer', webhookBody: orderForm })
  )
  const order = { id: 17, status: 'new', buyer: { name: 'Jane Roe' } }
  const send = async (body: object, token = `Bearer ${marketSecret}`) =>
    (await app.inject(marketDelivery(token, body))).statusCode
  t.equal(await send({}, 'Bearer other'), 401, 'nothing is said of the body to a stranger')
  t.strictSame([await send(order), await send(order), await send({ ...order, status: 'paid' }), await send(event)], [
    202,
    202,
    202,
    202
  ])

  t.equal(streams.entries.length, 4)
  t.match(streams.entries[0], {
    eventType: 'inbound.webhook.order.changed',
    occurredAt: new Date(startMs).toISOString()
  })
  t.notMatch(JSON.stringify(streams.entries), 'Jane')
  const empty = await app.inject(marketDelivery(`Bearer ${marketSecret}`, {}))
  t.match(empty.json(), { status: 400, code: 'LNK_WEBHOOK_MALFORMED', errors: [{ pointer: '/id' }] })
  t.match(
    (await app.inject({ ...marketDelivery(`Bearer ${marketSecret}`, {}), url: `/webhooks/mktb/${marketId}/test` }))
      .json(),
    { check: 'body', status: 400 }
  )
})

t.test('five thousand forged deliveries leave no entry, no marker and a bounded log', async t => {
  const { deliver, streams, log, rows } = await buildGateApp(t)
  for (let index = 0; index < 2_500; index += 1) {
    await deliver({ headers: { 'x-linker-signature': `sha256=${index.toString(16).padStart(64, '0')}` } })
    await deliver({ connectionId: `00000000-0000-4000-8000-${index.toString().padStart(12, '0')}` })
  }

  t.equal(streams.entries.length + streams.markers.size, 0)
  t.ok(log.length <= 40, `${log.length} lines`)
  t.equal(rows.loads.filter(id => id === shopId).length, 1)
})

t.test('a sender is not blamed while a stored secret, which may be its own, cannot be read', async t => {
  const { deliver, rows, streams } = await buildGateApp(t)
  const unreadable = { ...storedSecret('lost'), encrypted: true }
  rows.connections.set(shopId, connection(shopId, { webhookSecrets: [unreadable] }))

  t.match(await deliver({ secret: 'lost' }), { statusCode: 500, body: /LNK_PUBLISH_FAILED/ })
  t.match(await deliver({ timestamp: '1' }), { statusCode: 400 })
  t.equal(streams.entries.length, 0)
  t.equal((await deliver()).statusCode, 202, 'the secret of the environment is good')
})
