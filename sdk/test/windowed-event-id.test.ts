import { windowedEventId, type WindowedEvent } from '@linker/sdk'
import t from 'tap'

const stock: WindowedEvent = {
  provider: 'shopa',
  connectionId: '123e4567-e89b-12d3-a456-426614174000',
  eventType: 'stock.changed',
  objectType: 'stock',
  externalId: '27',
  occurredAt: new Date('2025-01-01T12:00:31+01:00'),
  timeZone: 'Europe/Berlin'
}
const order = { ...stock, objectType: 'order', externalId: '5' }

t.test("the reference ids of the shop's module", async t => {
  t.equal(
    windowedEventId({ ...stock, eventType: 'product.saved', objectType: 'product' }),
    'e3a637dd-70f4-11f4-1322-17ce5f42b233'
  )
  t.equal(windowedEventId(stock), 'ba59aefd-9091-dacb-5c1a-55f664a67429')
  t.equal(
    windowedEventId({ ...order, eventType: 'order.created', occurredAt: new Date('2025-01-01T12:01:59+01:00') }),
    '1bd3280f-3534-c360-c55c-3f74d9805c4a'
  )
  t.equal(
    windowedEventId({ ...order, eventType: 'order.status_changed', occurredAt: new Date('2025-01-01T12:00:00+01:00') }),
    'e1560a17-ac93-df24-6026-251452786be9'
  )
})

t.test('one id within a window, another after it', async t => {
  const at = (time: string, windowMinutes: number): string =>
    windowedEventId({ ...stock, occurredAt: new Date(time), windowMinutes })

  t.equal(at('2025-01-01T12:05:00Z', 5), at('2025-01-01T12:09:59Z', 5))
  t.not(at('2025-01-01T12:09:59Z', 5), at('2025-01-01T12:10:00Z', 5))
  t.equal(at('2025-01-01T12:05:00Z', 0), at('2025-01-01T12:05:00Z', 1), 'a window is at least a minute')
  t.equal(at('2025-01-01T12:05:00Z', 90), at('2025-01-01T12:05:00Z', 60), 'and at most an hour')
})

t.test('the default time zone is UTC, and an unknown one is refused', async t => {
  const { timeZone: _, ...nowhere } = stock

  t.equal(windowedEventId(nowhere), windowedEventId({ ...stock, timeZone: 'UTC' }))
  t.throws(() => windowedEventId({ ...stock, timeZone: 'Nowhere/City' }), RangeError)
})
