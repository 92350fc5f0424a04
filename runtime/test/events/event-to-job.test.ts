import fc from 'fast-check'
import t from 'tap'
import {
  eventJobTypes,
  eventToJob,
  isKnownEventType,
  knownEventTypes,
  startsJob,
  stockJobTypes
} from '../../src/events/event-to-job.ts'
import type { InboundMessage } from '../../src/events/inbound-fields.ts'
import { unmappedType, unwantedType } from '../../src/events/unmapped-topics.ts'

const connectionId = '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10'

function message (eventType: string, changes: Partial<InboundMessage> = {}): InboundMessage {
  return {
    provider: 'shopa',
    connectionId,
    eventId: 'e-1',
    eventType,
    occurredAt: '2025-01-01T12:00:31+01:00',
    publishedAt: '2025-01-01T11:00:32.000Z',
    objectType: 'product',
    externalId: '27',
    ...changes
  }
}

function jobTypeOf (eventType: string, provider = 'shopa', events?: Record<string, string>): string | undefined {
  const mapping = eventToJob(message(eventType, { provider }), events)
  return 'job' in mapping ? mapping.job.jobType : undefined
}

t.test("the four event types of the specification start the jobs of the event's platform", async t => {
  t.strictSame(
    ['product.saved', 'stock.changed', 'order.created', 'order.status_changed'].map(type => jobTypeOf(type)),
    [
      'master.product.syncByExternalId',
      'shopa.inventory.syncByExternalId',
      'shopa.order.syncByExternalId',
      'shopa.order.syncByExternalId'
    ]
  )
  t.equal(jobTypeOf('order.created', 'mktb'), 'mktb.order.syncByExternalId')
})

t.test('the payload names the object and the event', async t => {
  t.strictSame(eventToJob(message('product.saved', { requestId: 'request-1' })), {
    job: {
      jobType: 'master.product.syncByExternalId',
      connectionId,
      payload: {
        schemaVersion: 1,
        externalId: '27',
        objectType: 'product',
        eventType: 'product.saved',
        eventId: 'e-1',
        occurredAt: '2025-01-01T12:00:31+01:00',
        publishedAt: '2025-01-01T11:00:32.000Z',
        requestId: 'request-1'
      },
      idempotencyKey: `webhook:shopa:${connectionId}:e-1`,
      requestId: 'request-1'
    }
  })
})

t.test('without a request id the member is missing, not undefined', async t => {
  const mapping = eventToJob(message('product.saved'))

  t.notOk('job' in mapping && 'requestId' in mapping.job)
  t.notOk('job' in mapping && 'requestId' in mapping.job.payload)
})

t.test('events that the adapter declares win, and the others keep their default', async t => {
  const events = { 'stock.changed': 'shopa.stock.refresh', 'price.changed': 'shopa.price.refresh' }

  t.equal(jobTypeOf('stock.changed', 'shopa', events), 'shopa.stock.refresh')
  t.equal(jobTypeOf('price.changed', 'shopa', events), 'shopa.price.refresh')
  t.equal(jobTypeOf('order.created', 'shopa', events), 'shopa.order.syncByExternalId')
})

t.test('an event whose job the adapter does not have starts nothing', async t => {
  const hasJob = (jobType: string): boolean => jobType === 'shopa.order.syncByExternalId'

  t.strictSame(eventToJob(message('stock.changed'), undefined, hasJob), { ignored: 'unknown event type' })
  t.match(eventToJob(message('order.created'), undefined, hasJob), { job: { jobType: 'shopa.order.syncByExternalId' } })
  t.strictSame(eventToJob(message('price.changed'), { 'price.changed': 'shopa.price.refresh' }, hasJob), {
    ignored: 'unknown event type'
  })
  t.strictSame(knownEventTypes('shopa', { 'price.changed': 'shopa.price.refresh' }, hasJob), [
    'order.created',
    'order.status_changed'
  ])
})

t.test('each known event type has its job type, the declared one first, and a test has none', async t => {
  const events = { 'stock.changed': 'shopa.stock.refresh', 'price.changed': 'shopa.price.refresh', 'test.x': 'shopa.x' }
  const hasJob = (jobType: string): boolean => !jobType.startsWith('shopa.order.')

  t.strictSame([...eventJobTypes('shopa', events, hasJob)], [
    ['stock.changed', 'shopa.stock.refresh'],
    ['price.changed', 'shopa.price.refresh'],
    ['product.saved', 'master.product.syncByExternalId']
  ])
})

t.test('test events and unknown ones start nothing', async t => {
  t.strictSame(eventToJob(message('test.ping')), { ignored: 'test' })
  t.strictSame(eventToJob(message('test.ping'), { 'test.ping': 'shopa.stock.refresh' }), { ignored: 'test' })
  t.strictSame(eventToJob(message('price.changed')), { ignored: 'unknown event type' })
})

t.test('an event of an unwanted topic starts nothing, and a sender cannot name such a type by chance', async t => {
  const type = unwantedType('Carts/Update')

  t.strictSame(eventToJob(message(type)), { ignored: 'unwanted event type' })
  t.ok(isKnownEventType(type, 'shopa'))
  t.notOk(startsJob(type, 'shopa'))
  t.strictSame(eventToJob(message('unwanted.carts_update')), { ignored: 'unknown event type' })
  t.strictSame(eventToJob(message(unmappedType('Carts/Update'))), { ignored: 'unknown event type' })
})

t.test('event types with names of object members start nothing', async t => {
  const events = { 'price.changed': 'shopa.price.refresh' }

  for (
    const type of ['constructor', 'constructor.x', '__proto__', 'toString', 'hasOwnProperty', '__proto__.polluted']
  ) {
    t.strictSame(eventToJob(message(type), events), { ignored: 'unknown event type' })
  }
  t.equal(Reflect.get({}, 'polluted'), undefined)
})

t.test('the idempotency key depends on provider, connection and event id alone, and on each of them', async () => {
  const origin = fc.record({
    provider: fc.constantFrom('shopa', 'mktb'),
    connectionId: fc.uuid(),
    eventId: fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/)
  })
  const keyOf = (of: Partial<InboundMessage>, more: Partial<InboundMessage>) => {
    const mapping = eventToJob(message('product.saved', { ...of, ...more }))
    return 'job' in mapping ? mapping.job.idempotencyKey : undefined
  }

  fc.assert(fc.property(origin, origin, fc.string({ minLength: 1 }), (one, other, externalId) => {
    const same = one.provider === other.provider && one.connectionId === other.connectionId &&
      one.eventId === other.eventId
    return keyOf(one, { externalId }) === keyOf(one, {}) && (keyOf(one, {}) === keyOf(other, {})) === same
  }))
})

t.test('the jobs of events about stock are those of the specification and of the adapter', async t => {
  t.strictSame(stockJobTypes('stall'), ['stall.inventory.syncByExternalId'])
  t.strictSame(stockJobTypes('stall', { 'stock.moved': 'stall.stock.read', 'order.changed': 'stall.order.read' }), [
    'stall.stock.read',
    'stall.inventory.syncByExternalId'
  ])
  t.strictSame(stockJobTypes('stall', { 'stock.changed': 'stall.stock.read' }), ['stall.stock.read'])
})
