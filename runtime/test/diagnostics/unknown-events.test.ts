import t from 'tap'
import { countUnknownEvents } from '../../src/diagnostics/unknown-events.ts'

const event = (eventType: string, deliveryId: string) => ({
  eventType,
  deliveryId,
  at: `2026-01-31T12:00:0${deliveryId}.000Z`
})
const newestFirst = [event('b', '5'), event('a', '4'), event('b', '3'), event('a', '2'), event('a', '1')]

t.test('events are counted by their types, those with the most events first', async t => {
  t.strictSame(countUnknownEvents(newestFirst, new Set(), 20), [
    { eventType: 'a', count: 3, lastAt: '2026-01-31T12:00:04.000Z', lastDeliveryId: '4' },
    { eventType: 'b', count: 2, lastAt: '2026-01-31T12:00:05.000Z', lastDeliveryId: '5' }
  ])
  t.match(countUnknownEvents(newestFirst, new Set(), 1), [{ eventType: 'a' }])
})

t.test('events that were replayed are left out', async t => {
  t.match(countUnknownEvents(newestFirst, new Set(['4', '3', '5', '9']), 20), [
    { eventType: 'a', count: 2, lastDeliveryId: '2' }
  ])
  t.strictSame(countUnknownEvents(newestFirst, new Set(['1', '2', '3', '4', '5']), 20), [])
})
