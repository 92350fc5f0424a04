import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'

const productId = 501

for (const mode of availableModes(process.env)) {
  t.test(`what the shop switches off is not sold, ${mode}`, async t => {
    const hub = await buildTestHub(t, { mode })
    const [shop, market] = [await hub.connect('shopa'), await hub.connect('mktb')]
    const run = async (jobType: string, payload: object = {}): Promise<void> => {
      const { json } = await hub.call('POST', '/jobs', { body: { jobType, connectionId: shop, payload } })
      t.equal((await hub.endOf((json as { jobId: string }).jobId)).status, 'succeeded')
    }
    const sweep = () => run('master.inventory.syncAll')
    const readProduct = () => run('master.product.syncByExternalId', { externalId: String(productId) })
    const announce = () =>
      hub.deliver(shop, { eventType: 'product.saved', objectType: 'product', externalId: String(productId) })

    hub.shop.addProduct({ id: productId, name: 'Mug', quantity: 8 })
    await sweep()
    const [product] = (await hub.call('GET', `/products?connectionId=${shop}&externalId=${productId}`)).json as {
      variants: { id: string }[]
    }[]
    const variantId = product?.variants[0]?.id ?? ''
    hub.market.addProduct(variantId, { stock: 99 })
    const body = { connectionId: market, variantId, externalId: variantId }
    const { id: offerId } = (await hub.call('POST', '/offers/link', { body })).json as { id: string }
    const shows = (quantity: number) =>
      eventually(
        `the marketplace to show ${quantity}`,
        async () => hub.market.product(variantId)?.stock === quantity || undefined
      )
    await shows(8)

    const ways = [
      ['an event of the product', 'active', announce],
      ['a reading of the product', 'available_for_order', readProduct],
      ['a sweep of the stock', 'active', sweep],
      ['a sweep of the stock, not for order', 'available_for_order', sweep]
    ] as const
    for (const [name, column, notice] of ways) {
      t.test(`${name} notices that it is switched off, and on`, async t => {
        hub.shop.updateProduct(productId, { [column]: '0' })
        await notice()
        await shows(0)

        t.match((await hub.call('GET', `/stock?variantId=${variantId}`)).json, [{
          quantity: 8,
          isSellable: false,
          offers: [{ wantedQuantity: 0 }]
        }])
        await eventually('the explanation', async () => {
          const { json } = await hub.call('GET', `/offers/${offerId}/explanation`)
          return (json as { verdict: string }).verdict === 'switched-off' || undefined
        })

        hub.shop.updateProduct(productId, { [column]: '1' })
        await notice()
        await shows(8)
        t.match((await hub.call('GET', `/variants/${variantId}`)).json, { isSellable: true })
      })
    }

    t.test('a marketplace that sells what is switched off keeps the quantity', async t => {
      const setting = async (sellsInactive: boolean | null): Promise<void> => {
        const { status } = await hub.call('PATCH', `/connections/${market}`, { body: { settings: { sellsInactive } } })
        t.equal(status, 200)
      }
      hub.shop.updateProduct(productId, { active: '0' })
      await sweep()
      await shows(0)

      await setting(true)
      await shows(8)
      t.match((await hub.call('GET', `/stock?variantId=${variantId}`)).json, [{
        isSellable: false,
        offers: [{ wantedQuantity: 8 }]
      }])
      await eventually(
        'no offer to drift',
        async () => (await hub.call('GET', '/stock?drift=true')).text === '[]' || undefined
      )
      const { json } = await hub.call('GET', `/offers/${offerId}/explanation`)
      t.not((json as { verdict: string }).verdict, 'switched-off')

      await setting(null)
      await shows(0)
    })
  })
}
