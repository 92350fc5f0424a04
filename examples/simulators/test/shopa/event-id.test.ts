import t from 'tap'
import { createClock, openHub, openSender, openShop } from '../support.ts'

const stock = { eventType: 'stock.changed', objectType: 'stock', externalId: '27' }

t.test('the four reference ids', async t => {
  const { clock, shop } = await openSender(t)
  const idAt = (time: string, eventType: string, objectType: string, externalId: string) => {
    clock.set(time)
    return shop.sender.enqueue({ eventType, objectType, externalId })
  }

  t.equal(idAt('2025-01-01T12:00:31+01:00', 'product.saved', 'product', '27'), 'e3a637dd-70f4-11f4-1322-17ce5f42b233')
  t.equal(idAt('2025-01-01T12:00:31+01:00', 'stock.changed', 'stock', '27'), 'ba59aefd-9091-dacb-5c1a-55f664a67429')
  t.equal(idAt('2025-01-01T12:01:59+01:00', 'order.created', 'order', '5'), '1bd3280f-3534-c360-c55c-3f74d9805c4a')
  t.equal(
    idAt('2025-01-01T12:00:00+01:00', 'order.status_changed', 'order', '5'),
    'e1560a17-ac93-df24-6026-251452786be9'
  )
})

t.test('an event is a repetition within its window and a new one after it', async t => {
  const { clock, shop, configuration } = await openSender(t)
  shop.sender.configure({ ...configuration, windowMinutes: 5 })
  clock.set('2025-01-01T12:05:00+01:00')
  t.type(shop.sender.enqueue(stock), 'string')

  clock.set('2025-01-01T12:09:59+01:00')
  t.equal(shop.sender.enqueue(stock), undefined)
  clock.set('2025-01-01T12:10:00+01:00')
  t.type(shop.sender.enqueue(stock), 'string')
})

t.test('a window is at least one minute', async t => {
  const { shop, configuration } = await openSender(t)
  shop.sender.configure({ ...configuration, windowMinutes: 0 })

  t.equal(shop.sender.enqueue(stock), 'ba59aefd-9091-dacb-5c1a-55f664a67429')
})

t.test('events of the hour that the autumn clock change repeats are lost as repetitions', async t => {
  const { clock, shop } = await openSender(t)
  clock.set('2025-10-26T02:30:00+02:00')
  t.type(shop.sender.enqueue(stock), 'string')

  clock.set('2025-10-26T02:30:00+01:00')
  t.equal(shop.sender.enqueue(stock), undefined)
})

t.test('the id of a test event is test- and thirteen hex digits of the clock', async t => {
  const { clock, shop } = await openSender(t)
  clock.set('2025-01-01T11:00:31.250Z')

  t.equal(
    shop.sender.enqueue({ eventType: 'test.ping', objectType: 'test', externalId: 'test', payload: { test: true } }),
    'test-6775204f3d090'
  )
})

t.test('occurredAt carries the offset of the zone at that time, also in UTC', async t => {
  const clock = createClock('2025-07-01T22:00:05.900Z')
  const hub = await openHub(t)
  const occurredAt = async (timeZone: string) => {
    const { shop } = await openShop(t, { now: clock.now, timeZone })
    shop.sender.configure({ baseUrl: hub.url, connectionId: 'c', secret: 's' })
    shop.sender.enqueue(stock)
    return shop.sender.outbox.rows()[0]?.occurredAt
  }

  t.equal(await occurredAt('Europe/Warsaw'), '2025-07-02T00:00:05+02:00')
  t.equal(await occurredAt('America/New_York'), '2025-07-01T18:00:05-04:00')
  t.equal(await occurredAt('UTC'), '2025-07-01T22:00:05+00:00')
  await t.rejects(occurredAt('Nowhere/City'), RangeError)
})
