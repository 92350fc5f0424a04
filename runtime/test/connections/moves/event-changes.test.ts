import t from 'tap'
import { listEventChanges } from '../../../src/connections/moves/event-changes.ts'

t.test('an event type is listed when it is new, when it is lost, and when it starts another job', async t => {
  const before = new Map([['stock.changed', 'read'], ['order.created', 'order'], ['price.changed', 'price']])
  const after = new Map([['stock.changed', 'write'], ['order.created', 'order'], ['offer.ended', 'offer']])

  t.strictSame(listEventChanges(before, after), [
    { eventType: 'offer.ended', to: 'offer' },
    { eventType: 'price.changed', from: 'price' },
    { eventType: 'stock.changed', from: 'read', to: 'write' }
  ])
  t.strictSame(listEventChanges(before, before), [])
})
