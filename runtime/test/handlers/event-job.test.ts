import { isStorableText } from '@linker/sdk/host/text'
import t from 'tap'
import { eventJob } from '../../src/handlers/event-job.ts'

t.test('an event is one job, however often it comes, and each event is its own', async t => {
  const keyOf = (eventId: string): string => eventJob('c', 'order-1', eventId).idempotencyKey

  t.equal(keyOf('1'), keyOf('1'))
  t.not(keyOf('1'), keyOf('2'))
  t.match(eventJob('c', 'order-1', '1', 'r-1'), {
    jobType: 'marketplace.order.syncByExternalId',
    connectionId: 'c',
    payload: { externalId: 'order-1' },
    requestId: 'r-1'
  })
})

t.test('an id that PostgreSQL refuses makes a key that it takes', async t => {
  for (const id of ['a\0', '\ud800']) t.ok(isStorableText(eventJob('c', 'order-1', id).idempotencyKey))
  t.not(eventJob('c', 'o', '\ud800').idempotencyKey, eventJob('c', 'o', '\ud801').idempotencyKey)
})
