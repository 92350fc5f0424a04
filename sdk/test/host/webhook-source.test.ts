import { defineAdapter, type WebhookSource } from '@linker/sdk'
import { describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const whole: WebhookSource = {
  content: ['form', 'text'],
  mostBytes: 1_048_576,
  list: '/events',
  topic: [{ item: '/topic' }, { header: 'x-topic' }],
  eventTypes: { 'orders/create': 'order.created', 'carts/update': null },
  objectType: { text: 'order' },
  externalId: { item: '/id' },
  eventId: { query: 'delivery' },
  occurredAt: { at: { body: '/at' }, unit: 'iso' }
}

const describe = (source: unknown, more: object = {}) =>
  describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    webhooks: { scheme: 'hmac', source: source as WebhookSource, ...more }
  })).webhooks?.source

t.test('a source with every member is described as a copy', async t => {
  t.strictSame(describe(whole), whole)
  t.not(describe(whole), whole)
})

const faults: [unknown, RegExp][] = [
  [{ ...whole, topics: [] }, /webhooks\.source has an unknown member 'topics'/],
  [{ ...whole, topic: undefined }, /source\.topic is missing: an object with one of header, query, body, item, text/],
  [{ ...whole, topic: [] }, /source\.topic is an array: at least one place/],
  [{ ...whole, topic: 'X-Topic' }, /source\.topic is 'X-Topic'/],
  [{ ...whole, topic: { header: 'a', query: 'b' } }, /source\.topic is of the type object/],
  [{ ...whole, externalId: { body: 'id' } }, /source\.externalId\.body is 'id': a JSON pointer/],
  [{ ...whole, externalId: [{ body: '/id' }, { cookie: 'id' }] }, /source\.externalId\[1\]/],
  [{ ...whole, list: 'events' }, /source\.list is 'events': a JSON pointer/],
  [{ ...whole, list: undefined }, /source\.topic is in an item, and webhooks\.source\.list does not say where/],
  [
    { ...whole, eventTypes: { 'orders/create': 'Order' } },
    /eventTypes\['orders\/create'\] is 'Order': an event type of lower-case words/
  ],
  [{ ...whole, eventTypes: { 'orders/create': undefined } }, /eventTypes\['orders\/create'\] is missing/],
  [{ ...whole, eventTypes: { 'orders/create': 'orders.constructor' } }, /is 'orders\.constructor': an event type/],
  [{ ...whole, eventTypes: { 'orders/create': `orders.${'a'.repeat(94)}` } }, /100 characters at most, is allowed/],
  [{ ...whole, topic: { header: 'X Feed: Topic' } }, /topic\.header is 'X Feed: Topic': the name of a header/],
  [{ ...whole, eventId: { header: 'é' } }, /eventId\.header is 'é': the name of a header/],
  [{ ...whole, content: ['xml'] }, /source\.content\[0\] is 'xml'/],
  [{ ...whole, mostBytes: 20_000_000 }, /source\.mostBytes is 20000000: a whole number of bytes from 1 to 10485760/],
  [{ ...whole, occurredAt: { at: { body: '/at' } } }, /source\.occurredAt\.unit is missing/]
]

for (const [declared, message] of faults) {
  t.test(`${JSON.stringify(declared).slice(0, 100)} is refused when the adapter loads`, async t => {
    t.throws(() => describe(declared), { code: 'LNK_ADAPTER_SHAPE_INVALID', message })
  })
}

t.test('a body form beside a source is refused', async t => {
  const body = { eventType: 'order.changed', objectType: 'order', externalId: '/id' }

  t.throws(() => describe(whole, { body }), { message: 'its webhooks has both body and source: keep one of them' })
})
