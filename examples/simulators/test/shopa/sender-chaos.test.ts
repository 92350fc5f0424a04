import { createClock as createRunningClock, createRandom } from '@linker/simulators'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import {
  connectionId,
  createClock,
  eventOf,
  openHub,
  openSender,
  openShop,
  secret,
  type ReceivedWebhook
} from '../support.ts'

const orderEvent = (externalId: string) => ({ eventType: 'order.created', objectType: 'order', externalId })
const orders = (count: number) => Array.from({ length: count }, (_, index) => orderEvent(String(index)))
const idsOf = (received: ReceivedWebhook[]) => received.map(webhook => eventOf(webhook).object.externalId)

/** Returns the events that a hub receives out of a hundred under every accident. */
async function sendWithSeed (t: Parameters<typeof openSender>[0], seed: number) {
  const clock = createClock('2025-01-01T11:00:31.000Z')
  const hub = await openHub(t)
  const { shop } = await openShop(t, { now: clock.now, random: createRandom(seed) })
  shop.sender.configure({ baseUrl: hub.url, connectionId, secret })
  Object.assign(shop.sender.switches, { drop: 0.2, duplicate: 0.2, crash: 0.02, shuffle: true, delaySeconds: 300 })
  const enqueued = orders(100).filter(event => shop.sender.enqueue(event) !== undefined).length
  while (shop.sender.outbox.rows().some(({ status }) => status !== 'delivered')) {
    await shop.sender.deliver()
    clock.advance(60_000)
  }
  return { enqueued, ids: idsOf(hub.received) }
}

t.test('drops, duplicates, delays, crashes and their order are the same for the same seed', async t => {
  const first = await sendWithSeed(t, 7)
  const again = await sendWithSeed(t, 7)
  const other = await sendWithSeed(t, 8)

  t.strictSame(again, first)
  t.strictNotSame(other.ids, first.ids)
  t.ok(first.enqueued > 60 && first.enqueued < 95, `${first.enqueued} of 100 events were not lost`)
  t.equal(new Set(first.ids).size, first.enqueued)
  t.ok(first.ids.length > first.enqueued)
  t.strictNotSame(first.ids, first.ids.toSorted((a, b) => Number(a) - Number(b)))
})

t.test('a delayed event becomes due later, and newer ones overtake it', async t => {
  const numbers = [0.9]
  const clock = createClock('2025-01-01T11:00:31.000Z')
  const hub = await openHub(t)
  const { shop } = await openShop(t, { now: clock.now, random: () => numbers.shift() ?? 0 })
  shop.sender.configure({ baseUrl: hub.url, connectionId, secret })
  shop.sender.switches.delaySeconds = 100
  orders(2).forEach(event => shop.sender.enqueue(event))

  await shop.sender.deliver()
  clock.advance(89_999)
  t.strictSame(await shop.sender.deliver(), [])
  clock.advance(1)
  await shop.sender.deliver()

  t.strictSame(idsOf(hub.received), ['1', '0'])
})

t.test('a run that crashes after sending sends the row again after 15 minutes, with the same id', async t => {
  const { clock, hub, shop } = await openSender(t)
  orders(3).forEach(event => shop.sender.enqueue(event))
  shop.sender.switches.crash = true

  t.match(await shop.sender.deliver(), [{ externalId: '0', statusCode: 202, status: 'processing' }])
  t.strictSame(shop.sender.outbox.rows().map(({ status }) => status), ['processing', 'processing', 'processing'])
  shop.sender.switches.crash = false
  clock.advance(15 * 60_000)
  t.strictSame(await shop.sender.deliver(), [])
  clock.advance(1)
  t.equal((await shop.sender.deliver()).length, 3)
  t.strictSame(idsOf(hub.received), ['0', '0', '1', '2'])
  t.equal(eventOf(hub.received[0]).eventId, eventOf(hub.received[1]).eventId)
})

t.test('a run can have its own time, while its signatures carry the time of sending', async t => {
  const { clock, hub, shop } = await openSender(t, count => count === 1 ? 500 : 202)
  shop.setQuantity(28, 0, 1)
  const at = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000)
  await shop.sender.deliver()

  t.strictSame(await shop.sender.deliver(at(59)), [])
  t.match(await shop.sender.deliver(at(60)), [{ status: 'delivered', timestamp: '1735729231000' }])
  t.equal(hub.received.length, 2)
})

t.test('the signatures can have another time than the shop', async t => {
  const hub = await openHub(t)
  const { shop } = await openShop(t, {
    now: createClock('2025-01-01T11:00:31Z').now,
    signedAt: createClock('2026-01-01T00:00:00Z').now
  })
  shop.sender.configure({ baseUrl: hub.url, connectionId, secret })
  shop.setQuantity(28, 0, 1)
  await shop.sender.deliver()

  t.equal(hub.received[0]?.headers['x-linker-timestamp'], '1767225600000')
  t.equal(eventOf(hub.received[0]).occurredAt, '2025-01-01T12:00:31+01:00')
})

t.test('a wrong database clock makes retries early or late, but not first attempts', async t => {
  const { clock, shop } = await openSender(t, count => count % 2 === 1 ? 500 : 202)
  shop.sender.switches.databaseAheadSeconds = 3600
  shop.setQuantity(28, 0, 1)
  await shop.sender.deliver()
  t.match(await shop.sender.deliver(), [{ status: 'delivered' }])

  shop.sender.switches.databaseAheadSeconds = -3600
  clock.advance(60_000)
  shop.setQuantity(28, 0, 2)
  t.match(await shop.sender.deliver(), [{ status: 'pending' }])
  clock.advance(3_659_999)
  t.strictSame(await shop.sender.deliver(), [])
  clock.advance(1)
  t.match(await shop.sender.deliver(), [{ status: 'delivered' }])
})

t.test('automatic delivery sends new events and goes on as long as any are left', { timeout: 60_000 }, async t => {
  const clock = createRunningClock({ speed: 10_000 })
  const hub = await openHub(t, count => count === 1 ? 500 : 202)
  const { shop } = await openShop(t, { now: clock.now })
  shop.sender.configure({ baseUrl: hub.url, connectionId, secret })
  shop.sender.deliverAutomatically(5)
  const arrived = hub.arrival()
  const eventId = shop.setQuantity(28, 0, 1)
  await arrived
  await hub.arrival()

  t.strictSame(hub.received.map(webhook => eventOf(webhook).eventId), [eventId, eventId])
  shop.sender.stopDelivering()
  clock.advance(60_000)
  shop.setQuantity(28, 0, 2)
  await delay(30)
  t.equal(hub.received.length, 2)
  shop.sender.deliverAutomatically(5)
  await hub.arrival()
  t.equal(hub.received.length, 3)
})

t.test('closing the shop ends automatic delivery', async t => {
  const { hub, shop } = await openSender(t)
  shop.sender.deliverAutomatically(20)
  shop.setQuantity(28, 0, 1)
  await shop.close()
  await once(AbortSignal.timeout(40), 'abort')

  t.equal(hub.received.length, 0)
  t.match(shop.sender.outbox.rows(), [{ status: 'pending', attempts: 0 }])
})
