import { generateCatalog } from '@linker/simulators'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { eventually } from '../../support/api.ts'
import type { HubProcess } from '../../support/hub-process.ts'
import type { Mode } from '../../support/modes.ts'
import { openStockLine, waitUntilIdle, type StockLine } from '../../support/stock-line.ts'
import type { Figures } from '../report/figures.ts'
import { sendLoad } from './load.ts'
import { cpuMicroseconds } from './measured-process.ts'
import { prepareRequests } from './requests.ts'
import { withDatabase, type Query } from './with-database.ts'

/** A product of one connection of the shop, on sale at two connections of the marketplace. */
interface Sale {
  shopId: string
  productId: number
  offers: readonly string[]
}

/** Shops and marketplaces on one hub: every product is on sale, every request takes 20 ms. */
export interface Sales {
  /** Changes the stock of all products and waits until every offer shows it. */
  change(): Promise<Figures<'writes' | 'burst' | 'cpu'>>
  /** Makes the requests of all changes without the hub, of so many changes at a time. */
  askDirectly(changesAtOnce: number): Promise<Figures<'writes' | 'burst'>>
}

export const shops = 10
export const markets = 40
export const products = 60
export const offersEach = 2
export const latencyMs = 20
const sockets = 50
const lookEveryMs = 5
const longestMs = 120_000
/** The hub stores the last writes meanwhile. */
const settleMs = 300

/**
 * `slots` are the jobs at the same time in each process, `workers` the processes with the role
 * worker beside the hub. `fill` writes rows into the database before the hub starts.
 */
export async function withSales<Result> (
  { mode, environment, slots, workers = 0, fill }: {
    mode: Mode,
    environment: NodeJS.ProcessEnv,
    slots?: number,
    workers?: number,
    fill?: (query: Query) => Promise<void>
  },
  work: (sales: Sales) => Promise<Result>
): Promise<Result> {
  const line = await openStockLine({
    mode,
    environment,
    ...(slots === undefined ? {} : { slots }),
    products: generateCatalog({ products, combinationsEach: 0 }),
    seed: 1
  })
  try {
    if (fill !== undefined) await withDatabase(line, fill)
    const hubs = [await line.startHub()]
    try {
      while (hubs.length <= workers) hubs.push(await line.startHub('worker'))
      const sales = await openSales(line)
      await waitUntilIdle(line.call)
      for (const platform of [line.shop, line.market]) platform.setLatency({ minMs: latencyMs, maxMs: latencyMs })
      return await work({
        change: () => changeAll(line, hubs, sales),
        askDirectly: changesAtOnce => askDirectly(line, sales, changesAtOnce)
      })
    } finally {
      await Promise.all(hubs.map(hub => hub.stop()))
    }
  } finally {
    await line.close()
  }
}

/** Makes the connections, lets the hub read every product of every shop and links its offers. */
async function openSales (line: StockLine): Promise<Sale[]> {
  const { shop, market, call, keys } = line
  await line.connect(markets)
  const shopIds = [line.connections.shop]
  while (shopIds.length < shops) {
    const { id } = await post(line, '/connections', {
      name: `Shop ${shopIds.length}`,
      platformType: 'shopa',
      credentials: { apiUrl: shop.apiUrl, apiKey: keys.shop }
    })
    shopIds.push(id)
  }
  const sales: Sale[] = []
  for (const shopId of shopIds) {
    for (const { productId } of shop.quantities()) {
      const variantId = await readVariant(line, shopId, productId)
      const offers: string[] = []
      while (offers.length < offersEach) {
        const externalId = randomUUID()
        const connectionId = line.connections.markets[(sales.length * offersEach + offers.length) % markets]
        market.addProduct(externalId, { stock: shop.stockOf(productId, 0) })
        await post(line, '/offers/link', { connectionId, variantId, externalId })
        offers.push(externalId)
      }
      sales.push({ shopId, productId, offers })
    }
  }
  await waitUntilIdle(call)
  return sales
}

async function post ({ call }: StockLine, path: string, body: object): Promise<{ id: string }> {
  const { status, json, text } = await call('POST', path, { body })
  if (status !== 201 && status !== 202) throw new Error(`POST ${path} answered ${status}: ${text}`)
  return json as { id: string }
}

/** Lets the hub read a product and returns the id of its variant. */
async function readVariant (line: StockLine, shopId: string, productId: number): Promise<string> {
  await post(line, '/jobs', {
    jobType: 'master.inventory.syncByExternalId',
    connectionId: shopId,
    payload: { externalId: String(productId) }
  })
  return eventually(`the variant of product ${productId}`, async () => {
    const { json } = await line.call('GET', `/products?connectionId=${shopId}&externalId=${productId}`)
    const [product] = json as { variants: { id: string }[] }[]
    return product?.variants[0]?.id
  })
}

/** Changes the stock of all products, sends all webhooks, and waits until every offer shows it. */
async function changeAll (
  line: StockLine,
  hubs: readonly HubProcess[],
  sales: readonly Sale[]
): Promise<Figures<'writes' | 'burst' | 'cpu'>> {
  const { shop, market, url, keys } = line
  for (const { productId } of shop.quantities()) shop.setQuantity(productId, 0, shop.stockOf(productId, 0) + 1)
  const requests = sales.flatMap(({ shopId, productId }) =>
    prepareRequests({
      host: new URL(url).host,
      connectionIds: [shopId],
      secret: keys.webhook,
      count: 1,
      bodyBytes: 500,
      eventType: 'stock.changed',
      externalIdOf: () => String(productId)
    })
  )
  const isShown = ({ productId, offers }: Sale): boolean =>
    offers.every(offer => market.product(offer)?.stock === shop.stockOf(productId, 0))
  const [before, startedAt] = [cpuOf(hubs), performance.now()]
  const { accepted } = await sendLoad({ url, requests, sockets, pipelining: 1, seconds: 60 })
  if (accepted !== requests.length) throw new Error(`only ${accepted} of ${requests.length} events were accepted`)
  while (!sales.every(isShown)) {
    if (performance.now() - startedAt > longestMs) throw new Error('the offers did not get their stock')
    await wait(lookEveryMs)
  }
  const burstMs = performance.now() - startedAt
  // Without requests to its API: they would count.
  await wait(settleMs)
  const cpuMs = (cpuOf(hubs) - before) / 1_000
  await waitUntilIdle(line.call)
  return { ...figuresOf(sales, burstMs), cpu: cpuMs / (sales.length * offersEach) }
}

function cpuOf (hubs: readonly HubProcess[]): number {
  return hubs.reduce((sum, { pid }) => sum + cpuMicroseconds(pid), 0)
}

function figuresOf (sales: readonly Sale[], burstMs: number): Figures<'writes' | 'burst'> {
  return { writes: 1_000 * sales.length * offersEach / burstMs, burst: burstMs }
}

/**
 * Makes the requests of each change by itself: two at once to the shop, then a write to each offer.
 * It keeps its connections, as the hub does. The hub combines requests of a connection where the
 * platform allows it, so it may need fewer.
 */
async function askDirectly (
  { shop, market, keys }: StockLine,
  sales: readonly Sale[],
  changesAtOnce: number
): Promise<Figures<'writes' | 'burst'>> {
  const agent = new Agent()
  const authorization = `Basic ${Buffer.from(`${keys.shop}:`).toString('base64')}`
  const queue = sales.values()

  async function call (address: string, options: { method: 'GET' | 'PATCH', headers: object, body?: string }) {
    const { statusCode, body } = await request(address, {
      method: options.method,
      headers: { ...options.headers },
      body: options.body ?? null,
      dispatcher: agent
    })
    await body.dump()
    if (statusCode >= 300) throw new Error(`${options.method} ${address} was answered ${statusCode}`)
  }

  function read (resource: string, productId: number): Promise<void> {
    const query = `filter[id_product]=[${productId}]&display=full&output_format=JSON`
    return call(`${shop.apiUrl}/${resource}?${query}`, { method: 'GET', headers: { authorization } })
  }

  function write (offer: string, stock: number): Promise<void> {
    return call(`${market.baseUrl}/products/${offer}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${keys.market}`, 'content-type': 'application/json' },
      body: JSON.stringify({ stock })
    })
  }

  async function work (): Promise<void> {
    for (const { productId, offers } of queue) {
      await Promise.all([read('stock_availables', productId), read('combinations', productId)])
      await Promise.all(offers.map(offer => write(offer, shop.stockOf(productId, 0))))
    }
  }

  const startedAt = performance.now()
  await Promise.all(Array.from({ length: changesAtOnce }, work))
  const burstMs = performance.now() - startedAt
  await agent.close()
  return figuresOf(sales, burstMs)
}
