import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'

interface Product {
  variants: { id: string }[]
}

for (const mode of availableModes(process.env)) {
  t.test(`one sweep converges although every webhook was lost, ${mode}`, async t => {
    const hub = await buildTestHub(t, { mode })
    const [shop, market] = [await hub.connect('shopa'), await hub.connect('mktb')]
    const sweep = async (): Promise<Job> => {
      const { json } = await hub.call('POST', '/jobs', {
        body: { jobType: 'master.inventory.syncAll', connectionId: shop }
      })
      return hub.endOf((json as { jobId: string }).jobId)
    }
    hub.shop.addProduct({ id: 501, name: 'One', quantity: 8 })
    hub.shop.addProduct({ id: 502, name: 'Two', quantity: 3 })
    const first = await sweep()
    const variantOf = async (productId: number): Promise<string> =>
      ((await hub.call('GET', `/products?connectionId=${shop}&externalId=${productId}`)).json as Product[])[0]
        ?.variants[0]?.id ?? ''
    const [one, two] = [await variantOf(501), await variantOf(502)]
    for (const variantId of [one, two]) {
      hub.market.addProduct(variantId, { stock: 99 })
      await hub.call('POST', '/offers/link', { body: { connectionId: market, variantId, externalId: variantId } })
    }
    await eventually(
      'the first quantities',
      async () => hub.market.product(one)?.stock === 8 && hub.market.product(two)?.stock === 3 ? true : undefined
    )
    hub.shop.setStock(501, 0, 2)
    hub.shop.deleteProduct(502)
    const second = await sweep()
    await eventually(
      'the new quantities',
      async () => hub.market.product(one)?.stock === 2 && hub.market.product(two)?.stock === 0 ? true : undefined
    )
    const third = await sweep()

    t.match(first, { status: 'succeeded', result: { outcome: 'complete', missing: 0 } })
    t.match(second, { result: { outcome: 'complete', changed: 1, missing: 1 } })
    t.match(third, { result: { outcome: 'complete', changed: 0, missing: 0 } })
    t.match((await hub.call('GET', `/stock?variantId=${two}`)).json, [{
      quantity: 0,
      version: 2,
      missingSince: String,
      offers: [{ sentQuantity: 0, drift: 0 }]
    }])
    t.match((await hub.call('GET', `/variants/${two}`)).json, { missingSince: String })
  })
}
