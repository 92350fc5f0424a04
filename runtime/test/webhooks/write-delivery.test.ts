import type { WebhookBodyForm, WebhookSource } from '@linker/sdk'
import t from 'tap'
import { createBodyCheck, createBodyParser } from '../../src/webhooks/body.ts'
import { createSourceParser } from '../../src/webhooks/source-events.ts'
import { writeDelivery } from '../../src/webhooks/write-delivery.ts'

const check = createBodyCheck()
const parseEvents = createSourceParser(check)
const occurredAt = new Date('2026-01-31T12:00:00.000Z')
const event = {
  eventId: 'e-1',
  eventType: 'product.saved',
  object: { type: 'article', externalId: 'żółw/27' },
  payload: { note: 'new', article: { title: 'Lamp' } },
  occurredAt
}
const platform = { platformType: 'feed', receivedAt: new Date(0), startsJob: () => true }

/** Reads what was written as the hub does. */
function readBack (source: WebhookSource, sent: Partial<typeof event> = {}) {
  const written = writeDelivery({ source }, { ...event, ...sent })
  if (written === undefined) throw new Error('nothing was written')
  const { headers, query, body, topic } = written
  const events = parseEvents({
    contentType: 'application/json',
    rawHeaders: Object.entries(headers).flat(),
    query: new URLSearchParams(query).toString(),
    rawBody: Buffer.from(body),
    occasion: ''
  }, { ...platform, source })
  return { events, topic, body: JSON.parse(body) as unknown }
}

const eventTypes = { 'articles/update': 'product.saved', 'carts/update': null }
const sources: WebhookSource[] = [
  {
    topic: { header: 'X-Feed-Topic' },
    eventTypes,
    objectType: { query: 'kind' },
    externalId: { header: 'X-Feed-Article' },
    eventId: { query: 'id' },
    occurredAt: { at: { header: 'X-Feed-Time' }, unit: 'ms' }
  },
  {
    topic: [{ body: '/topic' }, { header: 'X-Feed-Topic' }],
    eventTypes,
    objectType: { body: '/article/kind~1of' },
    externalId: [{ body: '/article/id' }, { body: '/id' }],
    eventId: { body: '/delivery_id' },
    occurredAt: { at: { body: '/updated_at' }, unit: 'iso' }
  },
  {
    list: '/events',
    topic: { item: '/topic' },
    eventTypes,
    objectType: { item: '/kind' },
    externalId: { item: '/article/id' },
    eventId: { item: '/id' },
    occurredAt: { at: { body: '/sent' }, unit: 's' }
  },
  {
    list: '',
    topic: { item: '' },
    eventTypes,
    objectType: { text: 'article' },
    externalId: { header: 'x-feed-article' },
    eventId: { header: 'x-feed-id' },
    occurredAt: { at: { query: 'at' }, unit: 'iso' }
  }
]

for (const [index, source] of sources.entries()) {
  t.test(`the hub reads the event that was written from the places of a platform: ${index}`, async t => {
    const { events: [read], topic } = readBack(source)

    t.equal(topic, 'articles/update')
    t.match(read, {
      eventId: index === 3 ? 'e-1:0' : 'e-1',
      eventType: 'product.saved',
      occurredAt: '2026-01-31T12:00:00.000Z',
      object: event.object
    })
  })
}

t.test('the other members of the body are those of the payload, in the entry of a list', async t => {
  t.match(readBack(sources[1] as WebhookSource).body, { note: 'new', article: { title: 'Lamp', id: 'żółw/27' } })
  t.match(readBack(sources[2] as WebhookSource).body, { events: [{ note: 'new', article: { title: 'Lamp' } }] })
  t.strictSame(
    readBack({ topic: { header: 'x-topic' }, externalId: { header: 'x-id' } }, { payload: undefined }).body,
    {}
  )
})

t.test('a topic may stand for the event type, also one that the adapter does not want or know', async t => {
  const [source] = sources as [WebhookSource]
  const typeOf = (eventType: string) => readBack(source, { eventType }).events[0]?.eventType

  t.equal(typeOf('articles/update'), 'product.saved')
  t.match(typeOf('carts/update'), /^unwanted\./)
  t.match(typeOf('carts/create'), /^unmapped\./)
  t.equal(readBack({ ...source, topic: { text: 'articles/update' } }).topic, 'articles/update')
})

t.test('an event type that no topic means has no form of the platform', async t => {
  const [source] = sources as [WebhookSource]
  const stock = { ...event, eventType: 'stock.changed' }

  t.equal(writeDelivery({ source }, stock), undefined)
  t.equal(writeDelivery({ source: { ...source, topic: { text: 'carts/update' } } }, event), undefined)
  t.equal(writeDelivery({}, event), undefined)
})

t.test('a body in the form of a platform keeps the id of the event', async t => {
  const form: WebhookBodyForm = {
    eventType: 'order.changed',
    objectType: 'order',
    externalId: '/order/id',
    occurredAt: ['/order/at']
  }
  const parse = createBodyParser(check)
  const read = (eventId: string) => {
    const written = writeDelivery({ body: form }, { ...event, eventId, eventType: 'order.changed' })
    return parse(Buffer.from(written?.body ?? ''), {
      form,
      platformType: 'feed',
      receivedAt: new Date(0),
      occasion: ''
    })
  }

  t.match(read('e-1'), {
    eventId: 'e-1',
    eventType: 'order.changed',
    occurredAt: '2026-01-31T12:00:00.000Z',
    object: { type: 'order', externalId: 'żółw/27' }
  })
  t.equal(writeDelivery({ body: form }, event), undefined, 'the platform sends no other event')
})
