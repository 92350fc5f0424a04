import t, { type Test } from 'tap'
import { checks } from '../../../src/testing/conformance/checks.ts'
import { runChecks, type CheckResult } from '../../../src/testing/conformance/run-conformance.ts'
import { createSubject } from '../../../src/testing/conformance/subject.ts'
import { limits } from './find-faults.ts'
import { goodAdapter, writeAdapter } from './good-adapter.ts'
import { here } from './run-here.ts'

const source = {
  topic: { body: '/topic' },
  list: '/changes',
  eventTypes: { 'stock/update': 'stock.changed', 'product/update': 'product.saved', 'cart/update': null },
  externalId: { item: '/id' },
  eventId: { header: 'x-delivery' }
}
const change = {
  secret: 'a-secret',
  headers: { 'Content-Type': 'application/json', 'X-Delivery': 'd-1' },
  body: '{"topic":"product/update","changes":[{"id":27},{"id":28}]}',
  at: '2026-01-31T12:00:00Z'
}

/** Judges the good adapter with other webhooks and other deliveries. */
async function judge (t: Test, webhooks: object, deliveries: readonly object[]): Promise<CheckResult | undefined> {
  const good = goodAdapter()
  const code = good.source.replace(/webhooks: \{.*?\n {2}\},/s, `webhooks: ${JSON.stringify(webhooks)},`)
  const settings = { ...good.settings, challenges: [], deliveries }
  const { directory, remove } = await writeAdapter({ ...good, source: code, settings })
  t.teardown(remove)
  const subject = await createSubject(directory, new Set(), limits, here)
  const [result] = await runChecks(subject, checks.filter(({ id }) => id === 'L1-SHP-12'))
  return result
}

const messages = (found: readonly { message: string }[] = []): string[] => found.map(({ message }) => message)

t.test('events that are read as the settings say pass without a warning', async t => {
  const events = [
    { topic: 'product/update', eventType: 'product.saved', externalId: '27', eventId: 'd-1:0' },
    { externalId: '28', eventId: 'd-1:1' }
  ]
  const { eventTypes: { 'stock/update': _idle, ...eventTypes } } = source

  const result = await judge(t, { scheme: 'hmac', source: { ...source, eventTypes } }, [
    { ...change, events },
    { ...change, body: '{"topic":"cart/update","changes":[{}]}', events: [] }
  ])

  t.match(result, { status: 'passed', findings: [], warnings: undefined })
})

t.test('an event that is read as another one is named by its place', async t => {
  const events = [{ eventType: 'stock.changed', externalId: '27' }, { externalId: 'v-28', objectType: 'variant' }]

  const named = await judge(t, { scheme: 'hmac', source }, [{ ...change, events }])
  const counted = await judge(t, { scheme: 'hmac', source }, [{ ...change, events: [{ externalId: '27' }] }])

  t.match(messages(counted?.findings), [/^deliveries\/0 has 2 events, not 1: \[\{.*"externalId":"27"/])
  t.strictSame(messages(named?.findings), [
    'deliveries/0/events/0/eventType is read as product.saved, not stock.changed',
    'deliveries/0/events/1/externalId is read as 28, not v-28',
    'deliveries/0/events/1/objectType is read as nothing, not variant'
  ])
})

t.test('a delivery that the hub would refuse fails, and names the place', async t => {
  const found = await judge(t, { scheme: 'hmac', source }, [
    { ...change, body: '{"changes":[{"id":27}]}' },
    { ...change, body: '{"topic":"product/update","changes":[{}]}' },
    { ...change, body: '{"topic":"product/update","changes":{}}' },
    { ...change, headers: { 'Content-Type': 'application/xml' } },
    { ...change, body: '{x' }
  ])

  t.match(messages(found?.findings), [
    /^deliveries\/0 cannot be read: The topic of the event is missing .*: \/topic$/,
    /^deliveries\/1 cannot be read: The external id of the event is missing .*: \/changes\/0\/id$/,
    /^deliveries\/2 cannot be read: \/changes must be the list of events$/,
    /^deliveries\/3 cannot be read: the hub reads no body with the Content-Type 'application\/xml'/,
    /^deliveries\/4 cannot be read: the body is not JSON$/
  ])
})

t.test('the one event of webhooks.body is read, too', async t => {
  const body = { eventType: 'product.saved', objectType: 'product', externalId: '/id' }
  const events = [{ eventType: 'product.saved', objectType: 'product', externalId: '27' }]

  const read = await judge(t, { scheme: 'hmac', body }, [{ ...change, body: '{"id":27}', events }])
  const unread = await judge(t, { scheme: 'hmac', body }, [{ ...change, body: '{"name":27}', events }])

  t.match(read, { status: 'passed', findings: [] })
  const other = await judge(t, { scheme: 'hmac', body }, [{ ...change, headers: {}, body: '{"id":27}', events }])
  t.match(messages(other?.findings), [/^deliveries\/0 cannot be read: the hub reads no body with the Content-Type ''/])
  t.strictSame(messages(unread?.findings), ['deliveries/0 cannot be read: /id has no usable external id'])
})

t.test('a topic that starts no job is a warning, even without deliveries', async t => {
  const known = { ...source, eventTypes: { ...source.eventTypes, 'ping': 'test.ping' } }
  const idle = await judge(t, { scheme: 'hmac', source: known }, [])
  const events = { 'stock.changed': 'master.inventory.syncByExternalId' }
  const mapped = await judge(t, { scheme: 'hmac', source: known, events }, [])

  t.equal(idle?.status, 'skipped')
  t.match(messages(idle?.warnings), [/^source\.eventTypes maps 'stock\/update' to stock\.changed, which starts no job/])
  t.match(mapped, { status: 'skipped', warnings: undefined })
})

t.test('an adapter whose platform sends neither an id of the event nor a signed time gets a warning', async t => {
  const { eventId: _unused, ...without } = source
  const body = { eventType: 'product.saved', objectType: 'product', externalId: '/id' }
  const events = { 'stock.changed': 'master.inventory.syncByExternalId' }
  const bearer = { verify: { kind: 'bearer', header: 'x-token' }, events }
  const warned = async (webhooks: object) => messages((await judge(t, webhooks, []))?.warnings)
  const warning = /have neither an id of the event nor a signed time, so the hub knows no repetition: it looks at/

  for (const webhooks of [{ ...bearer, source: without }, { ...bearer, body }, { scheme: 'bearer', body }]) {
    t.match(await warned(webhooks), [warning], JSON.stringify(webhooks))
  }
  for (const webhooks of [{ ...bearer, source }, { scheme: 'hmac', events, source: without }]) {
    t.strictSame(await warned(webhooks), [], JSON.stringify(webhooks))
  }
})

t.test('a delivery that does not say its events is a warning that shows them', async t => {
  const result = await judge(t, { scheme: 'hmac', source, events: { 'stock.changed': 'good.product.refresh' } }, [
    change,
    { ...change, body: '{"topic":"orders/new","changes":[{"id":27}]}' }
  ])

  t.equal(result?.status, 'passed')
  t.match(messages(result?.warnings), [
    /^deliveries\/0 does not say which events it has\. The hub reads 2: \[\{"topic":"product\/update",/,
    /^deliveries\/1 has the topic 'orders\/new', which source\.eventTypes does not name: it starts no job$/,
    /^deliveries\/1 does not say which events it has\. The hub reads 1: /
  ])
})
