import t from 'tap'
import { eventually } from '../support/api.ts'
import { availableModes } from '../support/modes.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

interface OfferView {
  variantId: string
}

const otherOffer = 'sold-by-the-other-name'

for (const mode of availableModes(process.env)) {
  t.test(`an order travels from the marketplace to the shop and its parcel back, ${mode}`, async t => {
    const { hub, shopId, marketId, offer, stock, poll, pollShop, orderWhen, settle } = await openShopAndMarket(t, {
      mode,
      market: { orderWriteBack: true }
    })
    t.match(await hub.call('POST', `/connections/${marketId}/webhooks/install`), {
      status: 200,
      json: { webhooksConfigured: true, testPingTriggered: true }
    })
    t.strictSame(hub.market.hooks().map(({ hookName }) => hookName).toSorted(), ['orderCreated', 'orderStatusChanged'])

    const [{ variantId = '' } = {}] = (await hub.call('GET', `/offers?connectionId=${marketId}`)).json as OfferView[]
    hub.market.addProduct(otherOffer, { stock: 20 })
    await hub.call('POST', '/offers/link', { body: { connectionId: marketId, variantId, externalId: otherOffer } })

    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 3, unitPrice: 4_999 }] })
    const order = await orderWhen(placed, 'created')
    await settle()
    t.match(order, { total: { amount: '164.96' }, destination: { externalId: /^\d+$/ } })
    t.strictSame(order.problems, [])
    t.strictSame(order.history.map(({ event }) => event), ['ingested', 'created', 'routed'])
    const [made, ...more] = hub.shop.orders()
    t.strictSame(more, [])
    t.match(made, { lines: [{ quantity: 3 }], email: /@example.com$/ })
    t.equal(Number(made?.total).toFixed(2), '164.96')
    t.strictSame(stock(), { shop: 17, market: 17 })

    await poll()
    t.equal(hub.shop.orders().length, 1, 'the inbox says the same again')
    t.strictSame(hub.market.inbox().filter(({ read }) => !read), [])

    hub.shop.setTracking(made?.id ?? 0, '0000123456789')
    hub.shop.changeOrderState(made?.id ?? 0, 4)
    await pollShop()
    await orderWhen(placed, 'shipped')
    await settle()
    t.match(hub.market.parcels(), [{ orderId: placed, trackingNumber: '0000123456789' }])
    t.match(hub.market.order(placed), { sellerStatus: 'sent' })

    t.equal((await hub.call('POST', `/connections/${shopId}/pause`)).status, 200)
    hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 4, unitPrice: 4_999 }] })
    // The order waits for the shop, and no offer goes on selling its pieces.
    await eventually(
      'the other offer to lose the sold pieces',
      async () => hub.market.product(otherOffer)?.stock === 13 || undefined
    )
    t.equal(hub.shop.orders().length, 1)
  })
}
