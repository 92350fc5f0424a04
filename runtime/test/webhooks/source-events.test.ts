import type { WebhookSource, WebhookVerification } from '@linker/sdk'
import { proveWebhook } from '@linker/sdk/host'
import t, { type Test } from 'tap'
import { buildGateApp, connection, event, shopId, startMs, storedSecret, type GateAppOptions } from './support.ts'

const feedId = '6a1f0c3e-2b7d-4c58-9e10-7f4b2d8c5a91'
const receivedAt = new Date(startMs).toISOString()

const source: WebhookSource = {
  topic: { header: 'X-Feed-Topic' },
  eventTypes: { 'orders/create': 'order.created', 'items/update': 'product.saved', 'webhooks/test': 'test.ping' },
  externalId: [{ body: '/order/id' }, { body: '/id' }],
  eventId: { header: 'X-Feed-Delivery' },
  occurredAt: { at: { body: '/updated' }, unit: 's' }
}

/** A server with a connection whose platform writes its deliveries in its own way. */
async function buildFeed (t: Test, declared: WebhookSource = source, options: GateAppOptions = {}) {
  const hub = await buildGateApp(t, { variables: {}, ...options })
  hub.rows.connections.set(
    feedId,
    connection(feedId, {
      platformType: 'feed',
      webhookRules: { verify: { kind: 'query', parameter: 'token' }, source: declared },
      webhookEvents: { 'order.created': 'marketplace.order.syncByExternalId' },
      webhookSecrets: [storedSecret('feed-secret')]
    })
  )
  await hub.streams.setEpoch(feedId, 1)

  async function deliver (body: object | string, headers: Record<string, string> = {}, suffix = '?token=feed-secret') {
    const answer = await hub.app.inject({
      method: 'POST',
      url: `/webhooks/feed/${feedId}${suffix}`,
      headers: {
        'content-type': 'application/json',
        'x-feed-topic': 'orders/create',
        'x-feed-delivery': 'd-1',
        ...headers
      },
      payload: typeof body === 'string' ? body : JSON.stringify(body)
    })
    const said = answer.payload === '' ? {} : answer.json<object>()
    return { ...said, status: answer.statusCode, headers: answer.headers }
  }

  const stored = () =>
    hub.streams.entries.map(({ eventId, eventType, occurredAt, payloadJson = '' }) => ({
      eventId,
      eventType: eventType?.replace('inbound.webhook.', ''),
      occurredAt,
      ...JSON.parse(payloadJson) as object
    }))
  return { ...hub, deliver, stored }
}

t.test('an event is read from the headers and the body that the platform declares', async t => {
  const { deliver, stored } = await buildFeed(t)

  t.match(await deliver({ id: 27, updated: 1_735_729_200, buyer: 'somebody' }), { status: 202 })
  t.strictSame(stored(), [{
    eventId: 'd-1',
    eventType: 'order.created',
    occurredAt: '2025-01-01T11:00:00.000Z',
    objectType: 'order',
    externalId: '27',
    payload: null
  }])
})

t.test('a topic that nobody mapped is accepted, kept and starts nothing', async t => {
  const { deliver, stored } = await buildFeed(t)
  const unknown = { 'x-feed-topic': 'Carts/Update' }

  t.match(await deliver({ a: 1 }, unknown), { status: 202, headers: { 'x-linker-ignored': 'unknown-event-type' } })
  t.match(stored(), [{ eventType: 'unmapped.carts_update', objectType: 'unmapped', externalId: 'none' }])
  t.match(await deliver({ a: 1 }, unknown, '/test?token=feed-secret'), { ok: true, ignored: /unmapped\.carts_update/ })
})

t.test('a topic that the adapter does not want is accepted and says so', async t => {
  const { deliver, stored } = await buildFeed(t, {
    ...source,
    list: '/events',
    topic: { item: '/topic' },
    externalId: { item: '/id' },
    eventTypes: { ...source.eventTypes, 'carts/update': null }
  })
  const [cart, order, other] = [{ topic: 'carts/update' }, { topic: 'orders/create', id: 1 }, { topic: 'users/create' }]
  const ignored = async (...events: object[]) => {
    const { status, headers } = await deliver({ events }, { 'x-feed-delivery': JSON.stringify(events) })
    return [status, headers['x-linker-ignored']]
  }

  t.strictSame(await ignored(cart), [202, 'unwanted-event-type'])
  t.match(stored(), [{ eventType: /^unwanted\.carts_update_[0-9a-f]{8}$/, externalId: 'none' }])
  t.strictSame(await ignored(cart, order), [202, undefined])
  t.strictSame(await ignored(cart, other), [202, 'unknown-event-type'])
  t.match(await deliver({ events: [cart] }, {}, '/test?token=feed-secret'), {
    ok: true,
    ignored: /^the adapter does not want events of type 'unwanted\.carts_update/
  })
  t.match(await deliver({ events: [cart, other] }, {}, '/test?token=feed-secret'), {
    ignored: /'unmapped\.users_create/
  })
})

t.test('a test of the platform needs no object', async t => {
  const { deliver, stored } = await buildFeed(t)

  t.match(await deliver({ hook_id: 7 }, { 'x-feed-topic': 'webhooks/test' }), { status: 202 })
  t.match(stored(), [{ eventType: 'test.ping', externalId: 'none' }])
})

t.test('a delivery without topic or id is refused with the places that were looked at', async t => {
  const { deliver, streams } = await buildFeed(t)

  t.match(await deliver({ id: 27 }, { 'x-feed-topic': '' }), {
    status: 400,
    code: 'LNK_WEBHOOK_MALFORMED',
    detail: /topic .*: header X-Feed-Topic$/
  })
  t.match(await deliver({ id: '' }), { status: 400, detail: /external id .*: \/order\/id or \/id$/ })
  t.match(await deliver({ id: 'a\nb' }), { status: 400, errors: [{ pointer: '/object/externalId' }] })
  t.match(await deliver('{"id":1,"__proto__":{}}'), { status: 400 })
  t.equal(streams.entries.length, 0)
})

t.test('nothing is read before the delivery is proved', async t => {
  const { deliver } = await buildFeed(t)

  t.match(await deliver('no JSON', {}, '?token=another'), { status: 401, code: 'LNK_SIGNATURE_MISMATCH' })
})

t.test('without an id of the event, each delivery of a platform that signs no time is a look of its own', async t => {
  const { eventId: _unused, ...without } = source
  const { deliver, stored } = await buildFeed(t, without)
  const isRepetition = async () => (await deliver({ id: 27 })).headers['x-linker-duplicate']

  t.strictSame([await isRepetition(), await isRepetition()], [undefined, undefined])
  t.equal(new Set(stored().map(({ eventId }) => eventId)).size, 2)
  for (const { eventId } of stored()) t.match(eventId, /^feed-[0-9a-f]{32}$/)
})

t.test('without an id of the event, equal bytes at an equal signed time are a repetition', async t => {
  const body = JSON.stringify({ topic: 'stock.changed', article: { id: 27 } })
  const own: WebhookSource = { topic: { body: '/topic' }, externalId: { body: '/article/id' } }
  const form = { eventType: 'stock.changed', objectType: 'stock', externalId: '/article/id' }

  for (const rules of [{ webhookRules: { source: own } }, { webhookBody: form }]) {
    const { rows, clock, streams, deliver } = await buildGateApp(t)
    rows.connections.set(shopId, connection(shopId, rules))
    const send = async (more: object = {}) => {
      const answer = await deliver({ body, timestamp: String(clock.nowMs), ...more })
      return [answer.statusCode, answer.headers['x-linker-duplicate']]
    }

    t.strictSame(await send(), [202, undefined])
    t.strictSame(await send(), [202, 'true'], 'the same delivery came twice')
    t.strictSame(await send({ body: body.replace('{', '{ ') }), [202, undefined], 'other bytes')
    clock.nowMs += 60_000
    t.strictSame(await send(), [202, undefined], 'the stock was 5, then 6, and is 5 again')
    t.equal(streams.entries.length, 3)
  }
})

t.test('a signed time of the platform tells deliveries apart', async t => {
  const { eventId: _unused, ...without } = source
  const nowSeconds = startMs / 1_000
  const hmac: WebhookVerification = {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { header: 'X-Feed-Signature' },
    signed: ['timestamp', 'body'],
    timestamp: { header: 'X-Feed-Time', unit: 's' }
  }
  const jwt: WebhookVerification = { kind: 'jwt', header: 'X-Feed-Token' }
  const bodyHash = { claim: 'body', algorithm: 'sha256', encoding: 'hex' } as const
  const cases: [WebhookVerification, isRepetition: (string | undefined)[]][] = [
    [hmac, [undefined, 'true', undefined]],
    [{ ...jwt, bodyHash }, [undefined, 'true', undefined]],
    [jwt, [undefined, undefined, undefined]]
  ]

  for (const [verify, expected] of cases) {
    const hub = await buildFeed(t, without)
    const found = hub.rows.connections.get(feedId)
    hub.rows.connections.set(feedId, connection(feedId, { ...found, webhookRules: { verify, source: without } }))
    const body = JSON.stringify({ id: 27 })
    const seen: unknown[] = []
    for (const seconds of [nowSeconds, nowSeconds, nowSeconds + 60]) {
      const proof = proveWebhook(verify, {
        secret: 'feed-secret',
        rawBody: Buffer.from(body),
        callbackUrl: 'https://hub.example/webhooks/feed/1',
        headers: {},
        query: '',
        nowMs: seconds * 1_000
      })
      const answer = await hub.deliver(body, proof.headers, '')
      t.equal(answer.status, 202)
      seen.push(answer.headers['x-linker-duplicate'])
    }
    t.strictSame(seen, expected, JSON.stringify(verify))
  }
})

t.test('an id of the platform that the hub cannot keep becomes a hash of it', async t => {
  const { deliver, stored } = await buildFeed(t)
  const odd = { 'x-feed-delivery': 'id with blanks/27' }

  await deliver({ id: 1 }, odd)
  t.match(await deliver({ id: 1, more: true }, odd), { headers: { 'x-linker-duplicate': 'true' } })
  t.match(stored(), [{ eventId: /^feed-[0-9a-f]{32}$/ }])
})

t.test('several events of one body', async t => {
  const list: WebhookSource = {
    ...source,
    list: '/events',
    topic: { item: '/topic' },
    externalId: { item: '/object/id' },
    occurredAt: { at: [{ item: '/at' }, { body: '/at' }], unit: 'iso' }
  }
  const events = [
    { topic: 'orders/create', object: { id: 1 } },
    { topic: 'items/update', object: { id: 'a' }, at: '2025-01-01T10:00:00' },
    { topic: 'carts/update' }
  ]

  t.test('are published together, each with an id of its own', async t => {
    const { deliver, stored, streams } = await buildFeed(t, list)
    const answer = await deliver({ at: '2025-01-01T09:00:00Z', events })

    t.match(answer, { status: 202, headers: { 'x-linker-events': '3', 'x-linker-duplicates': '0' } })
    const ids = String(answer.headers['x-linker-delivery-id']).split(', ')
    t.equal(new Set(ids).size, 3)
    t.equal(answer.headers['x-linker-ignored'], undefined, 'one of them starts a job')
    t.match(stored(), [
      { eventId: 'd-1:0', eventType: 'order.created', externalId: '1', occurredAt: '2025-01-01T09:00:00Z' },
      { eventId: 'd-1:1', eventType: 'product.saved', externalId: 'a', occurredAt: '2025-01-01T10:00:00Z' },
      { eventId: 'd-1:2', eventType: 'unmapped.carts_update' }
    ])
    t.match(await deliver({ at: '2025-01-01T09:00:00Z', events }), {
      headers: { 'x-linker-duplicate': 'true', 'x-linker-duplicates': '3' }
    })
    t.equal(streams.entries.length, 3)
  })

  t.test('are not published when one of them is wrong, and a failure of the stream is 500', async t => {
    const { deliver, streams } = await buildFeed(t, list)

    t.match(await deliver({ events: [...events, { topic: 'orders/create' }] }), {
      status: 400,
      detail: /\/events\/3\/object\/id/
    })
    t.match(await deliver({ events: {} }), { status: 400, errors: [{ pointer: '/events' }] })
    t.match(await deliver({ events: Array.from({ length: 501 }, () => events[0]) }), {
      status: 400,
      errors: [{ pointer: '/events', message: 'has 501 events; 500 are allowed' }]
    })
    streams.failure = new Error('down')
    t.match(await deliver({ events }), { status: 500, code: 'LNK_PUBLISH_FAILED' })
    t.equal(streams.entries.length, 0)
  })

  t.test('may be none', async t => {
    const { deliver, streams } = await buildFeed(t, list)
    const answer = await deliver({ events: [] })

    t.match(answer, { status: 202, headers: { 'x-linker-events': '0' } })
    t.strictSame([answer.headers['x-linker-duplicate'], answer.headers['x-linker-ignored']], [undefined, undefined])
    t.equal(streams.entries.length, 0)
  })

  t.test('with ids of their own are recognised wherever they stand', async t => {
    const { deliver, stored } = await buildFeed(t, { ...list, eventId: { item: '/id' } })
    const [first, second, third] = events.map((one, index) => ({ ...one, id: `e-${index}` }))
    const duplicates = async (...sent: (object | undefined)[]) => {
      const { headers } = await deliver({ events: sent })
      return [headers['x-linker-duplicates'], headers['x-linker-duplicate']]
    }

    t.strictSame(await duplicates(first, second, first), ['1', undefined])
    t.strictSame(await duplicates(third, second), ['1', undefined])
    t.strictSame(await duplicates(second, first), ['2', 'true'])
    t.strictSame(await duplicates(second), [undefined, 'true'])
    t.strictSame(stored().map(({ eventId }) => eventId), ['e-0', 'e-1', 'e-2'])
  })
})

t.test('the content types of the platform are accepted, and no others', async t => {
  const form: WebhookSource = {
    content: ['form', 'text'],
    topic: [{ body: '/topic' }, { query: 'topic' }],
    externalId: [{ body: '/id' }, { query: 'id' }],
    objectType: { text: 'parcel' },
    eventId: [{ body: '/delivery' }, { query: 'delivery' }]
  }
  const { deliver, stored } = await buildFeed(t, form)
  const type = (value: string) => ({ 'content-type': value })

  t.match(await deliver('topic=order.created&id=%C5%BC+1&delivery=f-1', type('application/x-www-form-urlencoded')), {
    status: 202
  })
  const inQuery = '?token=feed-secret&topic=order.created&id=2&delivery=f-2'
  t.match(await deliver('anything', type('text/plain; charset=utf-8'), inQuery), { status: 202 })
  t.match(await deliver({ topic: 'order.created', id: 3, delivery: 'f-3' }, type('application/vnd.feed.v1+json')), {
    status: 202
  })
  t.strictSame(stored().map(({ eventId, eventType }) => [eventId, eventType]), [
    ['f-1', 'order.created'],
    ['f-2', 'order.created'],
    ['f-3', 'order.created']
  ])
  t.match(stored(), [{ externalId: 'ż 1', objectType: 'parcel' }, { externalId: '2' }, { externalId: '3' }])
  t.match(await deliver('<a/>', type('application/xml')), {
    status: 400,
    detail: 'Content-Type must be application/json or application/x-www-form-urlencoded or text/plain'
  })
})

t.test('an event that starts no job is accepted, whatever its topic, object and id are', async t => {
  const { eventTypes: _unused, ...ownTypes } = source
  const topics = [
    'constructor',
    '__proto__',
    'x.constructor',
    'customer.created',
    `order.${'x'.repeat(100)}`,
    'a/b',
    'a_b'
  ]
  const { deliver, stored } = await buildFeed(t, ownTypes)

  for (const [index, topic] of topics.entries()) {
    const headers = { 'x-feed-topic': topic, 'x-feed-delivery': `d-${index}` }
    t.match(await deliver({ id: index === 0 ? undefined : 'x'.repeat(256) }, headers), { status: 202 }, topic)
  }
  t.equal(new Set(stored().map(({ eventType }) => eventType)).size, topics.length, 'each topic has its own type')
  t.match(stored(), topics.map(() => ({ externalId: 'none' })))
})

t.test('a body that is a list, and entries that are texts', async t => {
  const { deliver, stored } = await buildFeed(t, {
    list: '',
    topic: { text: 'order.created' },
    externalId: { item: '' }
  })

  t.match(await deliver(['a', 27]), { status: 202, headers: { 'x-linker-events': '2' } })
  t.match(stored(), [{ externalId: 'a' }, { externalId: '27' }])
})

t.test('a Content-Type that is not signed cannot hide the members of a body', async t => {
  const { deliver, streams } = await buildFeed(t, {
    content: ['text', 'form'],
    topic: [{ body: '/topic' }, { query: 'topic' }],
    externalId: [{ body: '/id' }, { query: 'id' }]
  })
  const body = { topic: 'order.created', id: 1 }
  const query = '?token=feed-secret&topic=order.created&id=99'

  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    t.match(await deliver(body, { 'content-type': type }, query), { status: 400, detail: /The body is JSON/ }, type)
  }
  t.equal(streams.entries.length, 0)
  t.match(await deliver('', { 'content-type': 'text/plain' }, query), { status: 202 }, 'a text may be empty')
})

t.test('a form is UTF-8, and a field that came twice is none', async t => {
  const { deliver, stored } = await buildFeed(t, {
    content: ['form'],
    topic: { text: 'order.created' },
    externalId: { body: '/id' }
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  t.match(await deliver('id=%E9', form), { status: 400, detail: /not UTF-8/ })
  t.match(await deliver('id=1&id=2', form), { status: 400, detail: /external id/ })
  t.match(await deliver('id=50%&note=100%', form), { status: 202 })
  t.match(stored(), [{ externalId: '50%' }])
})

t.test('a header may be UTF-8', async t => {
  const { deliver, stored } = await buildFeed(t, { ...source, externalId: { header: 'X-Feed-Size' } })

  t.match(await deliver({}, { 'x-feed-size': Buffer.from('Größe 27').toString('latin1') }), { status: 202 })
  t.match(stored(), [{ externalId: 'Größe 27' }])
})

t.test('an id of the event that is there and cannot be used is refused', async t => {
  const { deliver, streams } = await buildFeed(t, { ...source, eventId: { body: '/event' } })

  for (const id of ['1e30', 'true', '{}']) {
    t.match(await deliver(`{"id":27,"event":${id}}`), { status: 400, detail: /The id of the event .*: \/event$/ }, id)
  }
  t.equal(streams.entries.length, 0)
  t.match(await deliver('{"id":27,"event":null}'), { status: 202 }, 'a missing one has a replacement')
})

t.test('an id that JavaScript would round keeps its digits', async t => {
  const { deliver, stored } = await buildFeed(t, { ...source, eventId: { body: '/event' } })

  t.match(await deliver('{"id":9007199254740993,"event":12345678901234567890}'), { status: 202 })
  t.match(await deliver('{"id":9007199254740992,"event":12345678901234567891}'), { status: 202 })
  t.match(stored(), [
    { externalId: '9007199254740993', eventId: '12345678901234567890' },
    { externalId: '9007199254740992', eventId: '12345678901234567891' }
  ])
})

t.test('the self-test of the hub arrives in its own form', async t => {
  const { deliver, stored } = await buildFeed(t)

  t.match(await deliver({ ...event, eventType: 'test.ping' }), { status: 202 })
  t.match(stored(), [{ eventId: event.eventId, eventType: 'test.ping', externalId: '27' }])
})

t.test('a body is as large as its platform declares and the operator allows', async t => {
  const large = (bytes: number) => ({ id: 27, padding: 'x'.repeat(bytes - 24) })
  const limits = (mostBytes: number | undefined, webhookMostBytes?: number) =>
    buildFeed(t, { ...source, ...mostBytes === undefined ? {} : { mostBytes } }, { webhookMostBytes })

  const small = await limits(1_000)
  t.match(await small.deliver(large(1_000)), { status: 202 })
  t.match(await small.deliver(large(1_100)), { status: 413, code: 'LNK_PAYLOAD_TOO_LARGE', detail: /1000 bytes/ })
  const capped = await limits(500_000)
  t.match(await capped.deliver(large(300_000)), { status: 413, detail: /262144 bytes/ })
  const raised = await limits(500_000, 1_000_000)
  t.match(await raised.deliver(large(300_000)), { status: 202 })
  t.match(await raised.deliver(large(600_000)), { status: 413, detail: /500000 bytes/ })
  const undeclared = await limits(undefined, 1_000_000)
  t.match(await undeclared.deliver(large(300_000)), { status: 413, detail: /262144 bytes/ })
})

t.test('a time of another form counts as the time of arrival', async t => {
  const { deliver, stored } = await buildFeed(t)

  await deliver({ id: 27, updated: 'yesterday' })
  t.match(stored(), [{ occurredAt: receivedAt }])
})
