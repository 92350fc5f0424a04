import { sellAll, sweepStock, waitUntilSettled, type SoldVariant, type StockLine } from './stock-line.ts'

export const stockOfEach = 50_000

/**
 * Connects both ends for orders: the shop accepts Polish buyers and has plenty of stock, webhooks
 * are installed, and the hub polls for orders as often as `pollEvery` says. `shop`: more of the
 * config of the shop.
 */
export async function openOrderLine (
  line: StockLine,
  { pollEvery = '1s', shop = {} }: { pollEvery?: string, shop?: object } = {}
): Promise<SoldVariant[]> {
  line.shop.setCountryActive('PL', true)
  await line.connect(1, {
    shop: { prices: { country: 'PL', currency: 'PLN' }, defaultCarrierId: '2', callbackBaseUrl: line.url, ...shop },
    market: { callbackBaseUrl: line.url }
  })
  const sold = await sellAll(line)
  for (const { productId, combinationId } of sold) line.shop.setQuantity(productId, combinationId, stockOfEach)
  await sweepStock(line)
  const [market = ''] = line.connections.markets
  for (const id of [line.connections.shop, market]) {
    const installed = await line.call('POST', `/connections/${id}/webhooks/install`)
    if (installed.status !== 200) throw new Error(`webhooks were not installed: ${installed.text}`)
  }
  // From here on, only the polls run by themselves.
  await waitUntilSettled(line)
  const polls = [
    [market, 'mktb-orders-poll'],
    ...(line.marketA === undefined ? [] : [[line.marketA.connectionId, 'marketplace-orders-poll']])
  ]
  for (const [id, schedule] of polls) {
    const often = await line.call('PATCH', `/connections/${id}/schedules/${schedule}`, { body: { every: pollEvery } })
    if (often.status !== 200) throw new Error(`the schedule was not changed: ${often.text}`)
  }
  return sold
}
