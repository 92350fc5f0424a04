import { randomUUID } from 'node:crypto'
import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

t.test('orders whose events never came', async t => {
  const { hub, shopId, marketId, offer, orderWhen, settle } = await openShopAndMarket(t, {
    mode: cheapestMode(process.env)
  })
  const linker = (...args: string[]) =>
    runLinker(['orders', 'sweep', ...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const sweep = (connectionId: string, query = '', headers: Record<string, string> = {}) =>
    hub.call('POST', `/connections/${connectionId}/orders/sweep${query}`, { headers })

  t.test('are found by a sweep on request, once', async t => {
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
    const headers = { 'idempotency-key': randomUUID() }
    const first = await sweep(marketId, '', headers)
    const again = await sweep(marketId, '', headers)

    t.equal(first.status, 202)
    t.strictSame(again.json, first.json)
    t.match(await hub.endOf((first.json as { jobId: string }).jobId), {
      status: 'succeeded',
      result: { seen: 1, ingested: 1 }
    })
    await orderWhen(placed, 'created')
    await settle()

    const printed = await linker(marketId, '--since', '2025-01-01T00:00:00Z')
    t.match(printed, { code: 0, stderr: '' })
    t.match(await hub.endOf(printed.stdout.trim()), {
      status: 'succeeded',
      result: { updatedSince: '2025-01-01T00:00:00.000Z', ingested: 0 }
    })
    t.equal(hub.shop.orders().length, 1)
  })

  t.test('are not looked for on a connection without orders, nor since an invalid time', async t => {
    const ofShop = await sweep(shopId)
    t.match(problemOf(ofShop), { status: 400, code: 'LNK_REQUEST_INVALID', detail: /cannot list the orders/ })
    t.match(pointersOf(await sweep(marketId, '?updatedSince=yesterday')), ['/updatedSince'])
    t.match(await sweep(marketId, '?since=2025-01-01T00:00:00Z'), { status: 400 })
    t.match(problemOf(await sweep(randomUUID())), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' })
    refused(t, await linker(shopId), /cannot list the orders/)
  })
})
