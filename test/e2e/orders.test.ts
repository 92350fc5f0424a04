import t from 'tap'
import { eventually } from '../support/api.ts'
import { runLinker } from '../support/hub-process.ts'
import { cheapestMode } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { reconcile } from '../support/reconcile.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

const mode = cheapestMode(process.env)

t.test('a country that the shop does not deliver to', async t => {
  const { hub, offer, stock, poll, orderWhen, settle } = await openShopAndMarket(t, { mode, isPolandActive: false })
  const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
  const jobs = await poll()
  t.match(jobs.find(({ jobType }) => jobType === 'master.order.create'), {
    status: 'dead',
    problem: { message: /^Country PL not found \/ not active/ }
  })
  const failed = await orderWhen(placed, 'failed')
  const kept = /^the order still reserves pieces \(1\): `linker orders release .*` \(POST \/orders\/.*\/release\)/
  t.match(failed.problems, [/^Country PL not found \/ not active/, kept])
  t.strictSame(hub.shop.orders(), [])

  t.strictSame(stock(), { shop: 20, market: 19 })
  const release = ['orders', 'release', failed.id, '--url', hub.url, '--token', hub.keys.admin]
  const released = await runLinker(release, hub.directory)
  t.match(released, { code: 0, stderr: '' })
  await settle()
  t.strictSame(stock(), { shop: 20, market: 20 })
  t.match((await orderWhen(placed, 'failed')).problems, [/^Country PL/])
  t.equal((await orderWhen(placed, 'failed')).problems.length, 1)

  hub.shop.setCountryActive('PL', true)
  t.equal((await hub.call('POST', `/orders/${failed.id}/retry`)).status, 202)
  await orderWhen(placed, 'created')
  await settle()
  t.equal(hub.shop.orders().length, 1)
  t.strictSame(stock(), { shop: 19, market: 19 })
  t.equal((await hub.call('POST', `/orders/${failed.id}/retry`)).status, 409)
})

t.test('an order whose answer was lost is found in the shop and not made again', async t => {
  const { hub, offer, poll, orderWhen, settle } = await openShopAndMarket(t, { mode })
  // The hub calls the module for the shipping first, then for the order.
  hub.shop.faults.add({ method: 'POST', path: '/index.php', delayMs: 1 })
  hub.shop.faults.add({ method: 'POST', path: '/index.php', reset: true, when: 'after' })
  const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 2 }] })
  await poll()
  const order = await orderWhen(placed, 'created')
  await settle()
  t.equal(hub.shop.faults.pending(), 0)
  t.strictSame(hub.shop.orders().map(({ id }) => String(id)), [order.destination?.externalId])
})

t.test('an order to which the shop gives the id of another order fails at once and says so', async t => {
  const { hub, offer, poll, orderWhen, settle } = await openShopAndMarket(t, { mode })
  const first = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
  await poll()
  const made = await orderWhen(first, 'created')
  await settle()
  const taken = made.destination?.externalId
  // The module is called for the shipping first, then for the order.
  hub.shop.faults.add({ method: 'POST', path: '/index.php', delayMs: 1 })
  const answer = { status: 200, body: { id_order: Number(taken) } }
  hub.shop.faults.add({ method: 'POST', path: '/index.php', answer })
  const second = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
  const jobs = await poll()

  const message = `The shop gave the order the id '${taken}', which belongs to order '${made.id}' of the hub already`
  t.match(jobs.find(({ jobType }) => jobType === 'master.order.create'), {
    status: 'dead',
    problem: { code: 'LNK_SHOP_ORDER_TAKEN', message }
  })
  t.ok((await orderWhen(second, 'failed')).problems.includes(message))
  t.match(await orderWhen(first, 'created'), { destination: { externalId: taken } })
})

t.test('a cancelled order', async t => {
  const { hub, shopId, marketId, offer, stock, poll, order, orderWhen, settle } = await openShopAndMarket(t, { mode })

  t.test('never reaches the shop when it was not paid, and its pieces are on sale again', async t => {
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 2 }], status: 'pending' })
    await poll()
    await settle()
    t.match(await order(placed), { status: 'pending' })
    t.strictSame(stock(), { shop: 20, market: 18 })

    hub.market.cancelOrder(placed)
    await poll()
    await settle()
    t.match(await order(placed), { status: 'cancelled', destination: null })
    t.strictSame([stock(), hub.shop.orders().length], [{ shop: 20, market: 20 }, 0])
  })

  t.test('is not made in the shop later when it was on its way there', async t => {
    await hub.call('PATCH', `/connections/${shopId}/disable`)
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 2 }] })
    await hub.call('POST', '/jobs', { body: { jobType: 'marketplace.orders.poll', connectionId: marketId } })
    const { id } = await orderWhen(placed, 'ready')
    t.equal((await hub.call('POST', `/orders/${id.toUpperCase()}/cancel`)).status, 202)
    const [entry] = (await hub.call('GET', `/audit?connectionId=${marketId}&limit=1`)).json as object[]
    t.match(entry, { action: 'POST /orders/:id/cancel', objectName: placed })
    await hub.call('PATCH', `/connections/${shopId}`, { body: { status: 'active' } })
    await settle()
    t.match(await order(placed), { status: 'cancelled' })
    t.strictSame([stock(), hub.shop.orders().length], [{ shop: 20, market: 20 }, 0])
  })

  t.test('is found and cancelled when the shop made it without the hub knowing', async t => {
    const known = hub.shop.orders().length
    hub.shop.faults.add({
      method: 'GET',
      path: /\/api\/orders/,
      answer: { status: 400 },
      times: Number.POSITIVE_INFINITY
    })
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 2 }] })
    await poll()
    t.match(await order(placed), { status: 'failed', destination: { externalId: null } })
    t.equal(hub.shop.orders().length, known + 1)

    hub.shop.faults.clear()
    hub.market.cancelOrder(placed)
    await poll()
    await settle()
    t.match(await order(placed), { status: 'cancelled', destination: { status: 'cancelled' } })
    t.strictSame(stock(), { shop: 20, market: 20 })
  })

  t.test('is cancelled in the shop that has it, and its pieces come back once', async t => {
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 4 }] })
    await poll()
    const created = await orderWhen(placed, 'created')
    await settle()
    t.strictSame(stock(), { shop: 16, market: 16 })
    hub.market.cancelOrder(placed)
    await poll()
    await settle()
    t.match(await order(placed), { status: 'cancelled', problems: { length: 0 }, destination: { status: 'cancelled' } })
    t.match(hub.shop.order(Number(created.destination?.externalId)), { stateId: 6 })
    t.strictSame(stock(), { shop: 20, market: 20 })
    await hub.call('POST', `/orders/${created.id}/cancel`)
    await settle()
    t.strictSame(stock(), { shop: 20, market: 20 })
  })

  t.test('stays in the shop when the shop has shipped it, and says so', async t => {
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
    await poll()
    const created = await orderWhen(placed, 'created')
    hub.shop.changeOrderState(Number(created.destination?.externalId), 4)
    hub.market.cancelOrder(placed)
    await poll()
    await settle()
    t.match(await order(placed), { status: 'cancelled', problems: [/the shop refuses to cancel the order/] })
  })
})

t.test('a shop that announces nothing is asked: shipped, a number typed in later, delivered, cancelled', async t => {
  const { hub, offer, poll, pollShop, orderWhen, settle } = await openShopAndMarket(t, {
    mode,
    market: { orderWriteBack: true, cancelOrdersWithShop: true }
  })
  const place = async () => {
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
    await poll()
    const { destination } = await orderWhen(placed, 'created')
    return { placed, shopOrder: Number(destination?.externalId) }
  }
  const [first, second] = [await place(), await place()]
  await pollShop()

  hub.shop.changeOrderState(first.shopOrder, 4)
  await pollShop()
  await orderWhen(first.placed, 'shipped')
  t.strictSame(hub.market.parcels(), [])
  hub.shop.setTracking(first.shopOrder, '0000123456789')
  hub.shop.changeOrderState(second.shopOrder, 6)
  await pollShop()
  await orderWhen(second.placed, 'cancelled')
  await settle()
  t.match(hub.market.parcels(), [{ orderId: first.placed, trackingNumber: '0000123456789' }])
  t.match(hub.market.order(second.placed), { status: 'cancelled' })
  hub.shop.changeOrderState(first.shopOrder, 5)
  await pollShop()
  await orderWhen(first.placed, 'delivered')
  t.notOk(hub.shop.sender.outbox.rows().some(({ eventType }) => eventType === 'order.status_changed'))
})

for (const isWanted of [true, false]) {
  t.test(`an order that the shop cancels is ${isWanted ? '' : 'not '}cancelled at the marketplace`, async t => {
    const place = await openShopAndMarket(t, { mode, market: { orderWriteBack: true, cancelOrdersWithShop: isWanted } })
    const { hub, shopId, offer, stock, poll, order, orderWhen, settle } = place
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 2 }] })
    await poll()
    const created = await orderWhen(placed, 'created')
    await settle()
    t.strictSame(stock(), { shop: 18, market: 18 })

    const externalId = String(created.destination?.externalId)
    hub.shop.changeOrderState(Number(externalId), 6)
    for (const turn of [1, 2]) {
      const eventId = `cancelled-${turn}`
      await hub.deliver(shopId, { eventType: 'order.status_changed', objectType: 'order', externalId, eventId })
      await eventually('what the shop says', async () => {
        const { destination } = await order(placed)
        return destination?.status === 'cancelled' ? true : undefined
      }, 60_000)
      await settle()
    }
    await hub.call('POST', '/stock/reconcile', { body: { connectionId: shopId } })
    await settle()
    const { status, problems } = await order(placed)
    t.equal(status, isWanted ? 'cancelled' : 'created')
    t.strictSame(problems, isWanted ? [] : ['it was cancelled in the shop, not at the marketplace'])
    t.equal(hub.market.order(placed)?.status, isWanted ? 'cancelled' : 'purchased')
    t.strictSame(stock(), { shop: 20, market: 20 })
  })
}

t.test('an older connection that tells nothing of shipments asks for a decision, and then tells them', async t => {
  const place = await openShopAndMarket(t, { mode })
  const { hub, shopId, marketId, offer, poll, orderWhen, settle } = place
  const { query } = hub.database()
  const configOf = async () => ((await hub.call('GET', `/connections/${marketId}`)).json as { config: object }).config
  t.match(await configOf(), { orderWriteBack: true }, 'a new connection tells them')
  await hub.call('PATCH', `/connections/${marketId}`, { body: { config: { orderWriteBack: null } } })
  t.notOk('orderWriteBack' in await configOf())

  const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
  await poll()
  const created = await orderWhen(placed, 'created')
  const externalId = String(created.destination?.externalId)
  hub.shop.changeOrderState(Number(externalId), 4)
  await hub.deliver(shopId, { eventType: 'order.status_changed', objectType: 'order', externalId, eventId: 'shipped' })
  await orderWhen(placed, 'shipped')
  await settle()

  const untold = async () => {
    const { json } = await hub.call('GET', '/attention')
    return (json as { kind: string, count: number, title: string }[]).filter(({ kind }) => kind === 'untold-shipments')
  }
  t.equal(hub.market.order(placed)?.sellerStatus, 'created')
  // One look at what needs attention serves several readers.
  const items = await eventually('the item', async () => {
    const found = await untold()
    return found.length > 0 ? found : undefined
  })
  t.match(items, [{ count: 1, title: /^1 shipped order was not told to / }])
  t.match(await hub.call('POST', `/connections/${marketId}/test`), {
    json: { success: true, checks: [{}, { name: 'warning', hint: /orderWriteBack is off/ }] }
  })

  await hub.call('PATCH', `/connections/${marketId}`, { body: { config: { orderWriteBack: true } } })
  await poll()
  await eventually(
    'the marketplace to be told',
    async () => hub.market.order(placed)?.sellerStatus === 'sent' ? true : undefined,
    60_000
  )
  await settle()
  await eventually('the item to go', async () => (await untold()).length === 0 ? true : undefined)
  t.match(await query('select untold_setting from orders where external_id = $1', [placed]), [{ untold_setting: null }])
})

t.test('every form of a time that its schema takes is one of the orders, or refused', async t => {
  const { hub, marketId } = await openShopAndMarket(t, { mode })
  const at = (time: string) =>
    Promise.all([
      hub.call('GET', `/orders?since=${encodeURIComponent(time)}`),
      hub.call('POST', `/connections/${marketId}/orders/sweep?updatedSince=${encodeURIComponent(time)}`),
      hub.call('GET', `/jobs?since=${encodeURIComponent(time)}`)
    ])
  for (
    const time of [
      '2026-01-01T00:00:00+20:00',
      '0000-01-01T00:00:00Z',
      '2016-12-31T23:59:60Z',
      '2026-01-01t00:00:00.5z',
      '9999-12-31T23:59:59-23:59'
    ]
  ) {
    t.strictSame((await at(time)).map(({ status }) => status), [200, 202, 200], time)
  }
  for (const answer of await at('2026-01-01T00:00:00+20')) {
    t.match(problemOf(answer), { status: 400, code: 'LNK_REQUEST_INVALID' })
  }
})

t.test('an order of an offer that nobody linked waits for it', async t => {
  const { hub, marketId, offer, poll, orderWhen } = await openShopAndMarket(t, { mode })
  hub.market.addProduct('older-than-the-hub', { stock: 5 })
  const placed = hub.market.placeOrder({
    lines: [{ externalId: 'older-than-the-hub', quantity: 1 }, { externalId: offer, quantity: 1 }]
  })
  await poll()
  t.match(await orderWhen(placed, 'awaiting_mapping'), { problems: [/older-than-the-hub/] })

  const variants = await hub.database().query<
    { id: string }
  >("select variants.id from variants where external_id = '102'")
  await hub.call('POST', '/offers/link', {
    body: { connectionId: marketId, variantId: variants[0]?.id, externalId: 'older-than-the-hub' }
  })
  t.strictSame((await orderWhen(placed, 'created')).problems, [])
  t.equal(hub.shop.orders()[0]?.lines.length, 2)
})

t.test('an order of an unlinked offer goes on when a comparison links the offer by its reference', async t => {
  const { hub, marketId, poll, orderWhen } = await openShopAndMarket(t, { mode })
  const [variant] = await hub.database().query<
    { id: string }
  >("select variants.id from variants where external_id = '102'")
  const reference = variant?.id ?? ''
  hub.market.addProduct(reference, { stock: 5 })
  const placed = hub.market.placeOrder({ lines: [{ externalId: reference, quantity: 1 }] })
  await poll()
  await orderWhen(placed, 'awaiting_mapping')

  t.match(await reconcile(hub, marketId), { result: { linked: 1 } })
  t.strictSame((await orderWhen(placed, 'created')).problems, [])
})
