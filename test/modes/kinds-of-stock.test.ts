import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import type { ForeignPackage } from '../support/project.ts'

const name = '@acme/adapter-feed-v1'

interface Level {
  productExternalId: string
  variantExternalId: string
  quantity: number
  isCounted?: boolean
  sharedStockId?: string
}

/** A shop that tells the stock which its job is given. */
const feed: ForeignPackage = {
  manifest: {
    name,
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'feed.api.v1',
      platformType: 'feed',
      displayName: 'Feed',
      capabilities: ['InventoryMaster', 'ProductMaster'],
      permissions: { jobs: ['feed.*'] }
    }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    const variantsOf = { mug: ['red', 'blue'], licence: ['one'] }
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'null' },
      connect: () => ({}),
      account: async () => undefined,
      capabilities: {
        InventoryMaster: () => ({
          getStock: async () => [],
          listStock: async () => ({ items: [] })
        }),
        ProductMaster: () => ({
          async getProduct (externalId) {
            const variants = variantsOf[externalId].map(id => ({ externalId: id, name: id }))
            return { externalId, name: externalId, isActive: true, variants }
          },
          listProducts: async () => ({ items: [] })
        })
      },
      jobs: {
        'feed.stock.tell': {
          payload: { type: 'object' },
          run: async (_client, { payload }) => ({ stock: payload.levels })
        }
      }
    })`
}

const shared = (variantExternalId: string, quantity: number): Level => ({
  productExternalId: 'mug',
  variantExternalId,
  quantity,
  sharedStockId: 'mugs'
})
const endless: Level = { productExternalId: 'licence', variantExternalId: 'one', quantity: 0, isCounted: false }

for (const mode of availableModes(process.env)) {
  t.test(`stock that variants share and stock that is not counted, ${mode}`, async t => {
    const hub = await buildTestHub(t, {
      mode,
      packages: [feed],
      config: { adapters: [name, '@linker/adapter-mktb-v1'] }
    })
    const { json } = await hub.call('POST', '/connections', { body: { name: 'Feed', platformType: 'feed' } })
    const { id: shopId } = json as { id: string }
    const marketId = await hub.connect('mktb')
    const start = async (jobType: string, connectionId: string, payload: object): Promise<void> => {
      const started = await hub.call('POST', '/jobs', { body: { jobType, connectionId, payload } })
      const job = await hub.endOf((started.json as { jobId: string }).jobId)
      if (job.status !== 'succeeded') throw new Error(JSON.stringify(job.problem))
    }
    const tell = async (...levels: Level[]): Promise<void> =>
      start('feed.stock.tell', shopId, { externalId: randomUUID(), levels })
    const shows = async (variantId: string, stock: number): Promise<unknown> =>
      eventually(
        `the marketplace to show ${stock}`,
        async () => hub.market.product(variantId)?.stock === stock || undefined
      )
    const list = async (variantId: string): Promise<string> => {
      hub.market.addProduct(variantId, { stock: 1 })
      const body = { connectionId: marketId, variantId, externalId: variantId }
      return ((await hub.call('POST', '/offers/link', { body })).json as { id: string }).id
    }
    const sell = async (externalId: string, quantity: number): Promise<void> => {
      hub.market.placeOrder({ lines: [{ externalId, quantity }] })
      await start('marketplace.orders.poll', marketId, {})
    }
    const sentenceOf = async (offerId: string): Promise<string> =>
      ((await hub.call('GET', `/offers/${offerId}/explanation`)).json as { sentence: string }).sentence

    await tell(shared('red', 5), shared('blue', 5), endless)
    const variantsOf = async (externalId: string): Promise<string[]> => {
      const path = `/products?connectionId=${shopId}&externalId=${externalId}`
      const [product] = (await hub.call('GET', path)).json as { variants: { id: string, externalId: string }[] }[]
      return (product?.variants ?? []).toSorted((a, b) => a.externalId < b.externalId ? 1 : -1).map(({ id }) => id)
    }
    const [red = '', blue = ''] = await variantsOf('mug')
    const [licence = ''] = await variantsOf('licence')
    const [redOffer, , licenceOffer] = [await list(red), await list(blue), await list(licence)]

    t.test('an offer of either kind shows what can be sold', async t => {
      await Promise.all([shows(red, 5), shows(blue, 5), shows(licence, 100)])
      const stock = (await hub.call('GET', `/stock?connectionId=${shopId}`)).json as Record<string, unknown>[]
      const of = (id: string) => stock.find(({ variantId }) => variantId === id)
      t.match(of(licence), { isCounted: false, sharedStockId: null })
      t.match(of(red), { isCounted: true, sharedStockId: of(blue)?.sharedStockId })
    })

    t.test('an order of one variant leaves fewer for the other', async t => {
      await sell(red, 2)

      await shows(blue, 3)
      t.match(await sentenceOf(redOffer), /1 other variant sells from the same stock/)
    })

    t.test('a new quantity of one variant is that of the other', async () => {
      await tell(shared('red', 9))

      await Promise.all([shows(red, 7), shows(blue, 7)])
    })

    t.test('an order of a stock that is not counted is made up for', async t => {
      await sell(licence, 4)

      await shows(licence, 100)
      t.match(await sentenceOf(licenceOffer), /does not count this stock, so the offer should always show 100/)
    })

    t.test('an offer of it may list more', async () => {
      await hub.call('PATCH', `/offers/${licenceOffer}`, { body: { maxListed: 250 } })

      await shows(licence, 250)
    })

    t.test('a stock that is counted again shows its pieces less those that are reserved', async () => {
      await tell({ ...endless, isCounted: true, quantity: 6 })

      await shows(licence, 2)
    })
  })
}
