import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import type { Job } from '../support/hub.ts'
import { authoriseAt, platformOf, startMarketplaceA } from '../support/marketplace-a.ts'
import { cheapestMode, fullestMode } from '../support/modes.ts'
import { openShopAndMarket, type OrderView } from '../support/shop-and-market.ts'

interface Command {
  id: string
  commandId: string
  offerId: string
  quantity: number
  status: string
  error: string | null
}
interface Offer {
  id: string
  quantity: number | null
  status: string
  problems: string[]
}

const offerA = '7680001234'
const [productId, combinationId] = [27, 101]

/** The shop and both marketplaces, with one variant of it on sale at each. */
async function openBoth (t: Test, mode: Parameters<typeof openShopAndMarket>[1]['mode']) {
  const { market: a, application, clock } = await startMarketplaceA(t)
  a.switches.processingMs = 0
  a.addOffer({ id: offerA, name: 'Mug', stock: { available: 20 }, publication: { status: 'ACTIVE' } })
  const place = await openShopAndMarket(t, { mode, platforms: platformOf(a, application) })
  const { hub, offer: variantId } = place
  const connectionId = await authoriseAt(hub, application).authorise({})
  const linked = await hub.call('POST', '/offers/link', { body: { connectionId, variantId, externalId: offerA } })
  const { id: offerId } = linked.json as Offer

  async function run (jobType: string, payload: object, of = connectionId): Promise<Job[]> {
    const requestId = randomUUID()
    const { status, text } = await hub.call('POST', '/jobs', {
      body: { jobType, connectionId: of, payload },
      headers: { 'x-request-id': requestId }
    })
    if (status !== 202) throw new Error(text)
    return hub.jobsOf(requestId)
  }

  /** Changes the quantity in the shop and waits for the jobs that follow. */
  async function sell (quantity: number): Promise<void> {
    hub.shop.setQuantity(productId, combinationId, quantity)
    await run('master.inventory.syncByExternalId', { externalId: String(productId) }, place.shopId)
  }

  const commands = async (query = ''): Promise<Command[]> =>
    (await hub.call('GET', `/integrations/mkta/connections/${connectionId}/commands${query}`)).json as Command[]
  /** Returns the commands when none of them is under way any more. */
  const endedCommands = (): Promise<Command[]> =>
    eventually('the end of all commands', async () => {
      const found = await commands()
      return found.every(({ status }) => status !== 'queued' && status !== 'accepted') ? found : undefined
    }, 60_000)
  const offer = async (): Promise<Offer> => (await hub.call('GET', `/offers/${offerId}`)).json as Offer
  const order = async (externalId: string): Promise<OrderView | undefined> => {
    const found = ((await hub.call('GET', `/orders?connectionId=${connectionId}&limit=200`)).json as OrderView[]).find(
      candidate => candidate.externalId === externalId
    )
    return found === undefined ? undefined : (await hub.call('GET', `/orders/${found.id}`)).json as OrderView
  }
  const orderWhen = (externalId: string, status: string): Promise<OrderView> =>
    eventually(`order ${externalId} to be ${status}`, async () => {
      const found = await order(externalId)
      return found?.status === status ? found : undefined
    }, 60_000)
  await place.settle()
  return {
    ...place,
    a,
    clock,
    connectionId,
    sell,
    run,
    commands,
    endedCommands,
    readOffer: offer,
    orderWhen,
    pollA: () => run('marketplace.orders.poll', {})
  }
}

const mode = fullestMode(process.env)

t.test('a stock change is a quantity command, and its end is shown', async t => {
  const { hub, a, sell, run, commands, endedCommands, readOffer, stock, connectionId } = await openBoth(t, mode)
  await endedCommands()
  const before = a.commands().length
  for (const quantity of [5, 6, 5]) await sell(quantity)
  const sent = await endedCommands()
  const made = a.commands().slice(before)

  t.match(made.map(({ body }) => body), [5, 6, 5].map(value => ({ modification: { changeType: 'FIXED', value } })))
  t.equal(new Set(made.map(({ id }) => id)).size, 3, 'each with an id of its own')
  t.match(sent.slice(0, 3), [{ quantity: 5, status: 'succeeded', error: null, offerId: offerA }, {
    quantity: 6,
    status: 'succeeded'
  }, { quantity: 5, status: 'succeeded' }], 'the newest first')
  t.equal(a.quantities().get(offerA), 5)
  t.strictSame(stock(), { shop: 5, market: 5 }, 'marketplace B follows, too')
  const first = await hub.call(
    'GET',
    `/integrations/mkta/connections/${connectionId}/commands?limit=2&status=succeeded`
  )
  t.strictSame(first.json, sent.slice(0, 2))
  const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  t.strictSame((await commands(next)).slice(0, 1), sent.slice(2, 3), 'the link leads to the next page')

  a.failNextTask(offerA, {
    code: 'ATTEMPT_TO_CHANGE_OFFER_QUANTITY_TO_INVALID_VALUE',
    message: 'Offer is frozen by the marketplace'
  })
  await sell(7)
  const [rejected] = await endedCommands()
  t.match(rejected, { quantity: 7, status: 'rejected', error: /Offer is frozen by the marketplace/ })
  t.match(
    await eventually('the problem of the offer', async () => {
      const offer = await readOffer()
      return offer.problems.length > 0 ? offer : undefined
    }, 20_000),
    { problems: [/Offer is frozen by the marketplace/] }
  )
  const kinds = async () => ((await hub.call('GET', '/attention')).json as { kind: string }[]).map(({ kind }) => kind)
  const deadWrites = async () =>
    (await hub.call('GET', `/jobs?connectionId=${connectionId}&status=dead&jobType=marketplace.offerQuantity.update`))
      .json as { problem: { code: string, message: string } }[]
  t.match(await deadWrites(), [{ problem: { code: 'LNK_ADAPTER_REJECTED', message: /Offer is frozen by/ } }])
  t.ok((await kinds()).includes('refused-quantities'))

  await sell(8)
  await endedCommands()
  t.equal(a.quantities().get(offerA), 8)
  await run('mkta.offerEvents.poll', {})
  await eventually(
    'the end of the problem',
    async () => (await readOffer()).problems.length === 0 ? true : undefined,
    20_000
  )
  t.strictSame(await deadWrites(), [])
  t.notOk((await kinds()).includes('refused-quantities'))

  await sell(0)
  await endedCommands()
  t.match(
    a.offer(offerA),
    { stock: { available: 0 }, publication: { status: 'ENDED' } },
    'nothing left: the offer ends'
  )
  await sell(4)
  await endedCommands()
  await eventually(
    'the offer to be sold again',
    async () => a.offer(offerA)?.publication.status === 'ACTIVE' ? true : undefined,
    60_000
  )
  t.equal(a.quantities().get(offerA), 4)
})

t.test('a later quantity wins although the command before it is open and would land last', async t => {
  const { hub, a, clock, sell, run, endedCommands, readOffer } = await openBoth(t, mode)
  await endedCommands()
  const { id } = await readOffer()
  const explain = async () => (await hub.call('GET', `/offers/${id}/explanation`)).json
  a.switches.processingMs = 3_600_000
  a.switches.overtaking = true
  const earlier = sell(8)
  await eventually(
    'the command for 8',
    async () => JSON.stringify(a.commands().at(-1)?.body).includes('"value":8') ? true : undefined
  )
  const later = sell(2)

  t.match(
    await eventually('the quantity that waits', async () => {
      const found = await explain() as { sentence: string }
      return found.sentence.includes('should show 2') && !found.sentence.includes('runs now') ? found : undefined
    }),
    { verdict: 'write-waiting', sentence: /has not ended the quantity before/ }
  )
  a.switches.processingMs = 0
  clock.advance(3_600_000)
  await Promise.all([earlier, later])
  await endedCommands()
  t.equal(a.quantities().get(offerA), 2)
  await run('marketplace.offers.sync', { offerId: id })
  t.match(await explain(), { verdict: 'in-step' })
})

t.test('orders of both marketplaces take from one stock', async t => {
  const { hub, a, pollA, orderWhen, stock, sell, settle, endedCommands, connectionId } = await openBoth(t, mode)
  await sell(10)
  await pollA()
  const id = a.placeOrder({ lines: [{ offerId: offerA, quantity: 2 }] })
  await pollA()
  const created = await orderWhen(id, 'created')
  await settle()
  await endedCommands()
  t.equal(stock().shop, 8, 'the shop has the order')
  t.equal(stock().market, 8, 'marketplace B offers what is left')

  a.hideOrder(id, 3_600_000)
  a.addOrderEvent({ orderId: id, type: 'READY_FOR_PROCESSING' })
  // `pollA` would wait for the jobs that ask again later.
  await hub.call('POST', '/jobs', { body: { jobType: 'marketplace.orders.poll', connectionId, payload: {} } })
  const missed = await eventually('the answer that the order is unknown', async () => {
    const order = await orderWhen(id, 'created')
    return JSON.stringify(order).includes('unknown at the marketplace') ? order : undefined
  }, 20_000)
  t.match(missed, { problems: { length: 0 } }, 'one 404 of a live order changes nothing')
  a.hideOrder(id, 0)

  a.cancelOrder(id)
  await pollA()
  await orderWhen(id, 'cancelled')
  await settle()
  await endedCommands()
  t.equal(stock().market, 10)
  t.equal(a.quantities().get(offerA), 10)

  const repeated = await pollA()
  await settle()
  t.equal(
    ((await hub.call('GET', `/orders?connectionId=${connectionId}`)).json as unknown[]).length,
    1,
    `an overlap makes no second order: ${repeated.length} jobs`
  )
  t.ok(created.destination?.externalId)
  t.match(
    (await hub.call('GET', `/integrations/mkta/connections/${connectionId}/cursors`)).json,
    { cursors: [{ cursorKey: 'orders', value: /^\d+$/, updatedAt: String }] }
  )
})

t.test('two orders that are paid together are one: their pieces are reserved once, then in the shop', async t => {
  const { hub, a, pollA, run, orderWhen, stock, sell, settle, endedCommands, connectionId } = await openBoth(t, mode)
  await sell(30)
  await pollA()
  const shownAtA = async () => {
    await settle()
    await endedCommands()
    return a.quantities().get(offerA)
  }
  const placeUnpaid = (quantity: number) => {
    return a.placeOrder({ status: 'FILLED_IN', lines: [{ offerId: offerA, quantity }] })
  }
  const [first, second] = [placeUnpaid(1), placeUnpaid(2)]
  await pollA()
  for (const id of [first, second]) await orderWhen(id, 'pending')
  t.equal(await shownAtA(), 27)
  t.equal(stock().market, 27, 'marketplace B, too')

  const both = a.joinOrders([first, second])
  await pollA()
  await orderWhen(both, 'created')
  for (const id of [first, second]) t.match(await orderWhen(id, 'cancelled'), { problems: { length: 0 } })
  t.equal(await shownAtA(), 27)
  t.strictSame(stock(), { shop: 27, market: 27 })
  t.equal(hub.shop.orders().length, 1)
  const { json } = await hub.call('GET', `/stock?connectionId=${connectionId}`)
  t.match(json, [{ quantity: 27, reserved: 0 }])

  const more = [placeUnpaid(3), placeUnpaid(4)]
  await pollA()
  for (const id of more) await orderWhen(id, 'pending')
  a.journalAccidents({ late: true, lateMs: 3_600_000 })
  const unannounced = a.joinOrders(more)
  await run('marketplace.orders.sweep', { days: 1 })
  await orderWhen(unannounced, 'created')
  for (const id of more) await orderWhen(id, 'cancelled')
  t.equal(await shownAtA(), 20)
  t.strictSame(stock(), { shop: 20, market: 20 }, 'likewise when only a sweep finds the new order')
})

t.test('marketplace A is told what the shop sends', async t => {
  const { hub, a, pollShop, pollA, orderWhen, settle, sell } = await openBoth(t, cheapestMode(process.env))
  await sell(10)
  await pollA()
  const id = a.placeOrder({ lines: [{ offerId: offerA, quantity: 1 }] })
  await pollA()
  await orderWhen(id, 'created')
  const [made] = hub.shop.orders()
  hub.shop.setTracking(made?.id ?? 0, '0000123456789')
  hub.shop.changeOrderState(made?.id ?? 0, 4)
  await pollShop()
  await orderWhen(id, 'shipped')
  await settle()
  await eventually('the parcel at the marketplace', async () => a.shipments(id).length > 0 ? true : undefined, 60_000)
  t.match(a.shipments(id), [{ waybill: '0000123456789' }])
  t.match(a.order(id), { fulfillment: { status: 'SENT' } })
})

t.test('an order that the marketplace ships is shown and left alone, and what a total holds is named', async t => {
  const { hub, a, pollA, run, orderWhen, stock, settle } = await openBoth(t, cheapestMode(process.env))
  await pollA()
  const id = a.placeOrder({
    fulfillment: { provider: { id: 'MARKETPLACE' } },
    lines: [{ offerId: offerA, quantity: 2 }]
  })
  await pollA()
  const order = await orderWhen(id, 'elsewhere')
  t.match(order, {
    problems: { length: 0 },
    destination: null,
    reserved: 0,
    handledElsewhere: 'a warehouse of the marketplace ships it'
  })
  t.match(await hub.call('POST', `/orders/${order.id}/retry`), { status: 409, text: /a warehouse of the marketplace/ })
  await run('marketplace.orders.sweep', {})
  await settle()
  t.match(await orderWhen(id, 'elsewhere'), { destination: null })
  t.strictSame(hub.shop.orders(), [])
  t.strictSame(stock(), { shop: 20, market: 20 })
  const items = (await hub.call('GET', '/attention')).json as { kind: string }[]
  t.strictSame(items.filter(({ kind }) => kind.includes('order')), [])

  const line = { offerId: offerA, quantity: 3, deposit: '0.50', services: [{ name: 'Gift wrapping', price: '4.00' }] }
  const unpaid = a.placeOrder({ status: 'FILLED_IN', lines: [line], delivery: { cost: null } })
  await pollA()
  t.match(await orderWhen(unpaid, 'pending'), {
    snapshot: {
      payment: { method: 'prepaid', paid: { amount: '0.00' } },
      shipping: { price: { amount: '19.99' } },
      extras: [
        { kind: 'deposit', price: { amount: '1.50' } },
        { kind: 'service', name: '1 × Gift wrapping', price: { amount: '4.00' } }
      ]
    }
  })
})
