import { sellAll, sweepStock, waitUntilSettled, type SoldVariant, type StockLine } from './stock-line.ts'

export const stockOfEach = 50_000

/**
 * Connects both ends for orders: Polish buyers are welcome, webhooks are installed, orders are
 * polled for every second, and there is plenty of everything.
 */
export async function openOrderLine (line: StockLine): Promise<SoldVariant[]> {
  line.shop.setCountryActive('PL', true)
  await line.connect(1, {
    shop: { prices: { country: 'PL', currency: 'PLN' }, defaultCarrierId: '2', callbackBaseUrl: line.url },
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
  // What goes on by itself from here on is the poll.
  await waitUntilSettled(line)
  const polls = [
    [market, 'mktb-orders-poll'],
    ...(line.marketA === undefined ? [] : [[line.marketA.connectionId, 'marketplace-orders-poll']])
  ]
  for (const [id, schedule] of polls) {
    const often = await line.call('PATCH', `/connections/${id}/schedules/${schedule}`, { body: { every: '1s' } })
    if (often.status !== 200) throw new Error(`the schedule was not changed: ${often.text}`)
  }
  return sold
}
