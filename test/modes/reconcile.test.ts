import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { reconcile } from '../support/reconcile.ts'

for (const mode of availableModes(process.env)) {
  t.test(`5, 6 and 5 within a second end at 5, ${mode}`, async t => {
    const hub = await buildTestHub(t, { mode })
    const [shop, market] = [await hub.connect('shopa'), await hub.connect('mktb')]
    hub.shop.addProduct({ id: 700, name: 'Mug', quantity: 9 })
    await reconcile(hub, shop)
    const variantId = ((await hub.call('GET', `/products?connectionId=${shop}&externalId=700`)).json as {
      variants: { id: string }[]
    }[])[0]?.variants[0]?.id ?? ''
    hub.market.addProduct(variantId, { stock: 9 })
    await hub.call('POST', '/offers/link', { body: { connectionId: market, variantId, externalId: variantId } })
    const requestIds = [5, 6, 5].map(quantity => ({ quantity, requestId: randomUUID() }))
    for (const { quantity, requestId } of requestIds) {
      hub.shop.setStock(700, 0, quantity)
      await hub.deliver(shop, { eventType: 'stock.changed', objectType: 'stock', externalId: '700', requestId })
    }
    for (const { requestId } of requestIds) await hub.jobsOf(requestId)
    await eventually('the last quantity', async () => hub.market.product(variantId)?.stock === 5 ? true : undefined)

    t.match((await hub.call('GET', `/stock?variantId=${variantId}`)).json, [{
      quantity: 5,
      offers: [{ wantedQuantity: 5 }]
    }])
    const again = (await hub.call('GET', `/jobs?connectionId=${shop}&jobType=inventory.readAgain`)).json as Job[]
    t.match(again, [{ status: 'waiting', payload: { externalId: '700' } }])
  })
}
