import t from 'tap'
import { connectionId, eventOf, openHub, openSender, openShop, secret, send } from '../support.ts'

t.test('first reference delivery: an event without payload', async t => {
  const { hub, shop } = await openSender(t)
  shop.updateProduct(27, { active: '1' })

  const [delivery] = await shop.sender.deliver()

  t.match(delivery, { statusCode: 202, status: 'delivered', timestamp: '1735729231000' })
  const [webhook] = hub.received
  t.equal(webhook?.url, `/webhooks/shopa/${connectionId}`)
  t.equal(webhook?.headers['content-type'], 'application/json')
  t.equal(webhook?.headers.connection, 'close')
  t.equal(webhook?.headers['x-linker-timestamp'], '1735729231000')
  t.equal(
    webhook?.headers['x-linker-signature'],
    'sha256=905fa527df46e1b0f59e223e1a86efcf0a1b2eba35300d98071bc0ab777b9b99'
  )
  t.equal(
    webhook?.body.toString(),
    '{"schemaVersion":1,"eventId":"e3a637dd-70f4-11f4-1322-17ce5f42b233","eventType":"product.saved",' +
      '"occurredAt":"2025-01-01T12:00:31+01:00","object":{"type":"product","externalId":"27"}}'
  )
})

t.test('second reference delivery: an event with payload', async t => {
  const { hub, shop } = await openSender(t)
  shop.sender.enqueue({
    eventType: 'order.status_changed',
    objectType: 'order',
    externalId: '5',
    payload: { newStatusId: 4 }
  })

  await shop.sender.deliver()

  const [webhook] = hub.received
  t.equal(
    webhook?.headers['x-linker-signature'],
    'sha256=813677ebb18f79b6b1a88e690a84ff3793ebc61a2089f2a944b36fb0427308a5'
  )
  t.equal(
    webhook?.body.toString(),
    '{"schemaVersion":1,"eventId":"e1560a17-ac93-df24-6026-251452786be9","eventType":"order.status_changed",' +
      '"occurredAt":"2025-01-01T12:00:31+01:00","object":{"type":"order","externalId":"5"},"payload":{"newStatusId":4}}'
  )
})

t.test('a stock change names the product, and only by a switch its payload names the combination', async t => {
  const { clock, hub, shop } = await openSender(t)
  shop.setStock(27, 101, 2)
  clock.advance(60_000)
  shop.sender.switches.namesCombination = true
  shop.setStock(27, 101, 3)
  shop.setStock(28, 0, 4)

  await shop.sender.deliver()

  t.equal(shop.stock(27, 0), 8)
  const [product, combination, simple] = hub.received.map(eventOf)
  t.strictSame(product.object, { type: 'stock', externalId: '27' })
  t.notOk(Object.hasOwn(product, 'payload'))
  t.strictSame(combination.object, { type: 'stock', externalId: '27' })
  t.strictSame(combination.payload, { id_product_attribute: 101 })
  t.strictSame(simple.object, { type: 'stock', externalId: '28' })
  t.notOk(Object.hasOwn(simple, 'payload'))
})

t.test('an event repeated within its window is ignored, even after the first was delivered', async t => {
  const { clock, hub, shop } = await openSender(t)
  const eventId = shop.setStock(27, 101, 3)
  await shop.sender.deliver()

  t.equal(eventId, 'ba59aefd-9091-dacb-5c1a-55f664a67429')
  t.equal(shop.setStock(27, 102, 4), undefined)
  t.strictSame(await shop.sender.deliver(), [])
  clock.advance(29_000)
  t.type(shop.setStock(27, 102, 4), 'string')
  await shop.sender.deliver()
  t.equal(hub.received.length, 2)
})

t.test('a write through the webservice comes back as an event where the shop fires its hook', async t => {
  const { hub, shop, write } = await openSender(t)
  const stockOf = (id: number) =>
    `<shopa><stock_available><id>${id}</id><quantity>1</quantity></stock_available></shopa>`
  await write('PATCH', '/stock_availables/2', stockOf(2))
  await write('PATCH', '/stock_availables/4', stockOf(4))
  shop.switches.hooksOnWebserviceWrites = false
  await write('PATCH', '/stock_availables/3', stockOf(3))

  await shop.sender.deliver()

  t.strictSame(hub.received.map(webhook => eventOf(webhook).object.externalId), ['27'])
})

t.test('no event is enqueued without a connection, in a disabled category or when it is dropped', async t => {
  const { shop, configuration } = await openSender(t)

  shop.sender.configure({ ...configuration, connectionId: '' })
  t.equal(shop.setStock(28, 0, 1), undefined)
  shop.sender.configure({ ...configuration, disabled: ['stock'] })
  t.equal(shop.setStock(28, 0, 2), undefined)
  t.type(shop.updateProduct(28, { active: '0' }), 'string')
  shop.sender.configure(configuration)
  shop.sender.switches.drop = true
  t.equal(shop.setStock(28, 0, 3), undefined)
  shop.sender.switches.drop = false
  t.type(shop.setStock(28, 0, 4), 'string')
})

t.test('every answer but 2xx is retried after 60, 120 and 240 s, with the same id and a new timestamp', async t => {
  const { clock, hub, shop } = await openSender(t, count => [401, 301, 500, 202][count - 1])
  shop.setStock(28, 0, 1)

  for (const delaySeconds of [60, 120, 240]) {
    const [delivery] = await shop.sender.deliver()
    t.equal(delivery?.status, 'pending')
    clock.advance(delaySeconds * 1000 - 1)
    t.strictSame(await shop.sender.deliver(), [])
    clock.advance(1)
  }
  const [last] = await shop.sender.deliver()

  t.match(last, { statusCode: 202, status: 'delivered' })
  t.equal(new Set(hub.received.map(webhook => eventOf(webhook).eventId)).size, 1)
  t.equal(new Set(hub.received.map(({ headers }) => headers['x-linker-timestamp'])).size, 4)
  t.match(shop.sender.outbox.rows()[0], { attempts: 3, status: 'delivered' })
})

t.test('delays end at six hours, and a row is sent 26 times at most', async t => {
  const { clock, hub, shop } = await openSender(t, () => 503)
  shop.setStock(28, 0, 1)
  const delays: number[] = []

  while (shop.sender.outbox.rows()[0]?.status === 'pending') {
    await shop.sender.deliver()
    const [row] = shop.sender.outbox.rows()
    const delay = (row?.nextAttemptAt.getTime() ?? 0) - clock.now().getTime()
    delays.push(delay)
    clock.advance(delay)
  }

  t.equal(hub.received.length, 26)
  t.equal(Math.max(...delays), 21_600_000)
  t.match(shop.sender.outbox.rows()[0], { status: 'failed', lastError: 'HTTP 503' })
  t.strictSame(await shop.sender.deliver(), [])
})

t.test('an unreachable hub and a missing secret are retried like any failure', async t => {
  const { clock, shop, configuration } = await openSender(t)
  shop.setStock(28, 0, 1)

  shop.sender.configure({ ...configuration, secret: '' })
  const [unconfigured] = await shop.sender.deliver()
  clock.advance(60_000)
  shop.sender.configure({ ...configuration, baseUrl: 'http://127.0.0.1:1' })
  const [unreachable] = await shop.sender.deliver()

  t.match(unconfigured, { status: 'pending', error: 'the sender has no base address, connection id or secret' })
  t.match(unreachable, { status: 'pending', error: /ECONNREFUSED|bad port/ })
  t.notOk(Object.hasOwn(unreachable ?? {}, 'statusCode'))
})

t.test('a run takes no more than the batch size, oldest first', async t => {
  const { clock, hub, shop, configuration } = await openSender(t)
  shop.sender.configure({ ...configuration, batchSize: 2 })
  for (const externalId of ['1', '2', '3']) {
    shop.sender.enqueue({ eventType: 'order.created', objectType: 'order', externalId })
    clock.advance(1000)
  }

  await shop.sender.deliver()
  t.strictSame(hub.received.map(webhook => eventOf(webhook).object.externalId), ['1', '2'])
  await shop.sender.deliver()
  t.strictSame(hub.received.map(webhook => eventOf(webhook).object.externalId), ['1', '2', '3'])
})

t.test('a retried event arrives after newer ones', async t => {
  const { clock, hub, shop } = await openSender(t, count => count === 1 ? 500 : 202)
  shop.sender.enqueue({ eventType: 'order.created', objectType: 'order', externalId: '1' })
  await shop.sender.deliver()
  shop.sender.enqueue({ eventType: 'order.created', objectType: 'order', externalId: '2' })
  await shop.sender.deliver()
  clock.advance(60_000)
  await shop.sender.deliver()

  t.strictSame(hub.received.map(webhook => eventOf(webhook).object.externalId), ['1', '2', '1'])
})

t.test('a row that a run claimed and never finished is repeated after 15 minutes with the same id', async t => {
  const { clock, hub, shop } = await openSender(t, count => count === 1 ? undefined : 202)
  shop.setStock(28, 0, 1)
  const arrived = hub.arrival()
  const stuck = shop.sender.deliver()
  await arrived

  t.strictSame(await shop.sender.deliver(), [])
  clock.advance(15 * 60_000 + 1)
  const [again] = await shop.sender.deliver()

  t.match(again, { status: 'delivered' })
  t.equal(eventOf(hub.received[1]).eventId, eventOf(hub.received[0]).eventId)
  await shop.sender.close()
  t.match(await stuck, [{ status: 'delivered', error: String }])
})

t.test('duplicate sends every event twice', async t => {
  const { hub, shop } = await openSender(t)
  shop.sender.switches.duplicate = true
  shop.setStock(28, 0, 1)

  t.equal((await shop.sender.deliver()).length, 2)
  t.strictSame(hub.received[0]?.body, hub.received[1]?.body)
})

t.test('shuffle sends a run in the order of the random numbers', async t => {
  const hub = await openHub(t)
  const numbers = [0.9, 0.1, 0.5]
  const { shop } = await openShop(t, { random: () => numbers.shift() ?? 0 })
  shop.sender.configure({ baseUrl: `${hub.url}//`, connectionId, secret })
  shop.sender.switches.shuffle = true
  for (const externalId of ['1', '2', '3']) {
    shop.sender.enqueue({ eventType: 'order.created', objectType: 'order', externalId })
  }

  await shop.sender.deliver()

  t.strictSame(hub.received.map(webhook => eventOf(webhook).object.externalId), ['2', '3', '1'])
  t.equal(hub.received[0]?.url, `/webhooks/shopa/${connectionId}`)
})

t.test('the cron address of the module delivers and counts', async t => {
  const hub = await openHub(t, count => count === 1 ? 500 : 202)
  const { shop } = await openShop(t, { cronToken: 'c' })
  shop.sender.configure({ baseUrl: hub.url, connectionId, secret })
  shop.setStock(28, 0, 1)
  shop.setStock(27, 101, 1)
  const cron = `${shop.url}/index.php?fc=module&module=linker&controller=cron`

  t.equal((await send(`${cron}&token=wrong`)).status, 403)
  t.strictSame((await send(`${cron}&token=c`)).json(), { processed: 2, delivered: 1, failed: 0, requeued: 1 })
})
