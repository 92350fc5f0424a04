import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { eventually } from './api.ts'
import { buildTestHub, type Job, type TestHub, type TestHubOptions } from './hub.ts'

export interface OrderView {
  id: string
  externalId: string
  status: string
  problems: string[]
  total: { amount: string }
  destination: { externalId: string | null, status: string | null } | null
  tracking: { number: string } | null
  history: { event: string }[]
}

/**
 * A hub between the simulated shop, which accepts Polish buyers, and the simulated marketplace,
 * where one variant of product 27 is on sale.
 */
export interface ShopAndMarket {
  hub: TestHub
  shopId: string
  marketId: string
  /** The external id of the offer, which is the id of its variant. */
  offer: string
  /** Returns the stock of the variant in the shop and at the marketplace. */
  stock(): { shop: number, market: number | undefined }
  /** Polls the marketplace for events and waits for all jobs that follow. */
  poll(): Promise<Job[]>
  /** Reads in the shop what became of the orders there, and waits for all jobs that follow. */
  pollShop(): Promise<Job[]>
  order(externalId: string): Promise<OrderView>
  /** Waits until an order has this status and returns it. */
  orderWhen(externalId: string, status: string): Promise<OrderView>
  /** Waits for every job that exists by then and for its follow-ups. */
  settle(): Promise<void>
}

const productId = 27
const combinationId = 101

const selectOpenJob = `
  select id
  from jobs
  where state is not null and due_at < now() + interval '1 minute'
  limit 1`

export async function openShopAndMarket (
  t: Test,
  { market = {}, isPolandActive = true, ...options }: TestHubOptions & { market?: object, isPolandActive?: boolean }
): Promise<ShopAndMarket> {
  const hub = await buildTestHub(t, options)
  hub.shop.setCountryActive('PL', isPolandActive)
  hub.shop.setQuantity(productId, combinationId, 20)
  const shopId = await hub.connect('shopa', {
    config: { prices: { country: 'PL', currency: 'PLN' }, defaultCarrierId: '2', callbackBaseUrl: hub.url }
  })
  await hub.call('POST', `/connections/${shopId}/webhooks/install`)
  const marketId = await hub.connect('mktb', { config: { callbackBaseUrl: hub.url, ...market } })
  const follow = async (jobType: string, connectionId: string, payload: object): Promise<Job[]> => {
    const requestId = randomUUID()
    const { status, text } = await hub.call('POST', '/jobs', {
      body: { jobType, connectionId, payload },
      headers: { 'x-request-id': requestId }
    })
    if (status !== 202) throw new Error(text)
    return hub.jobsOf(requestId)
  }
  await follow('master.inventory.syncByExternalId', shopId, { externalId: String(productId) })
  const offer = await putOnSale(hub, shopId, marketId)

  const settle = async (): Promise<void> => {
    await eventually('the end of every job', async () => {
      const open = await hub.database().query(selectOpenJob)
      return open.length === 0 ? true : undefined
    })
  }
  const order = async (externalId: string): Promise<OrderView> => {
    const { json } = await hub.call('GET', `/orders?connectionId=${marketId}&limit=200`)
    const found = (json as OrderView[]).find(candidate => candidate.externalId === externalId)
    if (found === undefined) throw new Error(`the hub has no order ${externalId}`)
    return (await hub.call('GET', `/orders/${found.id}`)).json as OrderView
  }
  await settle()
  return {
    hub,
    shopId,
    marketId,
    offer,
    stock: () => ({ shop: hub.shop.stockOf(productId, combinationId), market: hub.market.product(offer)?.stock }),
    poll: () => follow('marketplace.orders.poll', marketId, {}),
    pollShop: () => follow('master.orders.poll', shopId, {}),
    order,
    orderWhen: (externalId, status) =>
      eventually(`order ${externalId} to be ${status}`, async () => {
        const found = await order(externalId).catch(() => undefined)
        return found?.status === status ? found : undefined
      }, 60_000),
    settle
  }
}

/** Offers the variant at the marketplace under its own id, links the offer and returns the id. */
async function putOnSale (hub: TestHub, shopId: string, marketId: string): Promise<string> {
  const { json } = await hub.call('GET', `/products?connectionId=${shopId}&externalId=${productId}`)
  const [product] = json as { variants: { id: string, externalId: string }[] }[]
  const variantId = product?.variants.find(({ externalId }) => externalId === String(combinationId))?.id ?? ''
  hub.market.addProduct(variantId, { stock: 20 })
  await hub.call('POST', '/offers/link', { body: { connectionId: marketId, variantId, externalId: variantId } })
  return variantId
}
