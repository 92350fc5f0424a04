import type { Test } from 'tap'
import { eventually } from './api.ts'
import type { ShopAndMarket } from './shop-and-market.ts'

/**
 * Does the main job: a stock change of the shop reaches the marketplace, an order of the
 * marketplace reaches the shop, and its parcel the marketplace.
 */
export async function doMainJob (
  t: Test,
  { hub, shopId, marketId, offer, stock, pollShop, orderWhen }: ShopAndMarket
): Promise<void> {
  t.equal((await hub.call('POST', `/connections/${marketId}/webhooks/install`)).status, 200)
  hub.shop.setStock(27, 101, 12)
  await hub.deliver(shopId, { eventType: 'stock.changed', objectType: 'stock', externalId: '27' })
  await eventually('the new stock at the marketplace', async () => stock().market === 12 || undefined)

  const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 3, unitPrice: 4_999 }] })
  const order = await orderWhen(placed, 'created')
  const [made, ...more] = hub.shop.orders()
  t.strictSame(more, [])
  t.match(made, { lines: [{ quantity: 3 }] })
  t.strictSame(order.problems, [])
  await eventually('the stock after the order', async () => stock().market === 9 || undefined)

  hub.shop.setTracking(made?.id ?? 0, '0000123456789')
  hub.shop.changeOrderState(made?.id ?? 0, 4)
  await pollShop()
  await orderWhen(placed, 'shipped')
  await eventually('the parcel at the marketplace', async () => hub.market.parcels().length === 1 || undefined)
}
