import type { Demo } from './demo.ts'
import { readTrace } from './trace.ts'

interface Connection {
  id: string
}
interface Order {
  externalId: string
  status: string
  total: { amount: string, currency: string }
  destination: { externalId: string } | null
}
interface Product {
  variants: { id: string, externalId: string }[]
}

const mug = { productId: 27, combinationId: 101 }

/**
 * Connects both platforms over the API and links an offer. Then it follows a stock change from the
 * shop to the marketplace, and an order the other way. Throws when one does not arrive.
 */
export async function tellStory (demo: Demo, say: (line: string) => void): Promise<void> {
  const { shop, market, api, keys, hubUrl } = demo
  const shopConnection = await api.post('/connections', {
    name: 'Demo shop',
    platformType: 'shopa',
    config: { prices: { country: 'PL', currency: 'PLN' }, defaultCarrierId: '2' },
    credentials: { apiUrl: shop.apiUrl, apiKey: keys.shop, moduleSecret: keys.webhook }
  }) as Connection
  const marketConnection = await api.post('/connections', {
    name: 'Demo marketplace',
    platformType: 'mktb',
    credentials: keys.market
  }) as Connection
  say(`\nconnected   shop ${shop.url} as ${shopConnection.id}`)
  say(`            marketplace ${market.url} as ${marketConnection.id}`)

  shop.sender.configure({ baseUrl: hubUrl, connectionId: shopConnection.id, secret: keys.webhook })
  shop.updateProduct(mug.productId, { active: '1' })
  await deliver(demo)
  const variantId = await api.until('the product of the shop', async () => {
    const path = `/products?connectionId=${shopConnection.id}&externalId=${mug.productId}`
    const [product] = await api.get(path) as Product[]
    return product?.variants.find(variant => variant.externalId === String(mug.combinationId))?.id
  })
  say(`catalog     product ${mug.productId} read from the shop, variant ${variantId}`)

  market.addProduct(variantId, { name: 'Mug', price: 10_000, stock: 8 })
  await api.post('/offers/link', { connectionId: marketConnection.id, variantId, externalId: variantId })
  const before = stockAt(demo, variantId)
  const wanted = before - 5
  say(`before      the marketplace sells ${before}`)

  const eventId = shop.setStock(mug.productId, mug.combinationId, wanted)
  if (eventId === undefined) throw new Error('the shop made no event for the stock change')
  const sentAt = await deliver(demo)
  const isArrived = async () => stockAt(demo, variantId) === wanted ? true : undefined
  await api.until('the new quantity at the marketplace', isArrived)
  say(`after       the marketplace sells ${stockAt(demo, variantId)}`)
  say('')
  for (const line of await readTrace(demo, { eventId, sentAt, connectionId: shopConnection.id, variantId })) say(line)
  say('')
  await followOrder(demo, marketConnection.id, variantId, say)
}

async function followOrder (
  { shop, market, api }: Demo,
  connectionId: string,
  offer: string,
  say: (line: string) => void
): Promise<void> {
  shop.setCountryActive('PL', true)
  const placed = market.placeOrder({ lines: [{ externalId: offer, quantity: 1, unitPrice: 10_000 }] })
  const placedAt = performance.now()
  await api.post('/jobs', { jobType: 'marketplace.orders.poll', connectionId })
  const order = await api.until('the order in the shop', async () => {
    const orders = await api.get(`/orders?connectionId=${connectionId}`) as Order[]
    return orders.find(({ externalId, status }) => externalId === placed && status === 'created')
  })
  const tookMs = Math.round(performance.now() - placedAt)
  const left = await api.until('one stock on both ends', async () => {
    const inShop = shop.stockOf(mug.productId, mug.combinationId)
    return inShop === market.product(offer)?.stock ? inShop : undefined
  })
  const [made] = shop.orders()
  const bought = `${placed} for ${order.total.amount} ${order.total.currency} at the marketplace`
  const arrived = `order ${order.destination?.externalId} for ${Number(made?.total).toFixed(2)} in the shop`
  say(`order       ${bought} is ${arrived}, after ${tookMs} ms`)
  say(`            the shop has ${left} left, the marketplace sells ${market.product(offer)?.stock}`)
}

function stockAt ({ market }: Demo, externalId: string): number {
  const stock = market.product(externalId)?.stock
  if (typeof stock !== 'number') throw new Error('the marketplace has no such offer')
  return stock
}

/** Runs the shop's sender once. Returns the time of its last webhook, in Unix milliseconds. */
async function deliver ({ shop }: Demo): Promise<number> {
  const deliveries = await shop.sender.deliver()
  const refused = deliveries.find(delivery => delivery.statusCode !== 202)
  if (refused !== undefined) {
    const answer = refused.statusCode ?? refused.error ?? 'nothing'
    throw new Error(`the hub answered ${answer} to the webhook ${refused.eventType}`)
  }
  return Number(deliveries.at(-1)?.timestamp)
}
