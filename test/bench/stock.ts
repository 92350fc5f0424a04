import { generateCatalog } from '@linker/simulators'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { eventually } from '../support/api.ts'
import type { HubProcess } from '../support/hub-process.ts'
import type { Mode } from '../support/modes.ts'
import { openStockLine, waitUntilIdle, type StockLine } from '../support/stock-line.ts'
import { describeMachine } from './figures.ts'
import { sendLoad } from './load.ts'
import { cpuMicroseconds } from './measured-process.ts'
import { prepareRequests } from './requests.ts'

export interface StockOptions {
  modes: readonly Mode[]
  environment: NodeJS.ProcessEnv
  runs: number
}

/** A product of one connection of the shop, on sale at two connections of the marketplace. */
interface Sale {
  shopId: string
  productId: number
  offers: readonly string[]
}

interface Figures {
  writesPerSecond: number
  burstMs: number
  cpuMilliseconds?: number
}

const shops = 10
const markets = 40
const products = 20
const offersEach = 2
const latencyMs = 20
const atOnce = 50
const lookEveryMs = 5
const longestMs = 120_000
/** The hub stores the last writes meanwhile. */
const settleMs = 300

/**
 * Measures the whole way of a change: webhook, reading in the shop, a write to each of two offers.
 * All products of all shops change at once. Both platforms take 20 ms for every request.
 */
export async function benchStock ({ modes, environment, runs }: StockOptions): Promise<void> {
  console.log(`stock: bursts of ${shops * products} changes, each read in the shop and written to ${offersEach} ` +
    `offers; ${shops + markets} connections; both platforms take ${latencyMs} ms; medians of ${runs} bursts`)
  console.log(describeMachine())
  showRow('', ['writes/s', 'of limit', 'burst ms', 'CPU ms/write'])
  for (const mode of modes) {
    const line = await openStockLine({
      mode,
      environment,
      products: generateCatalog({ products, combinationsEach: 0 }),
      seed: 1
    })
    const hub = await line.startHub()
    try {
      const sales = await openSales(line)
      await waitUntilIdle(line.call)
      for (const platform of [line.shop, line.market]) platform.setLatency({ minMs: latencyMs, maxMs: latencyMs })
      const limit = medianOf(await repeat(runs, () => askDirectly(line, sales)))
      show(`limit: asked one by one, ${atOnce} changes at a time`, limit)
      show(`hub ${mode}`, medianOf(await repeat(runs, () => changeAll(line, hub, sales))), limit)
    } finally {
      await hub.stop()
      await line.close()
    }
  }
}

/** Runs a measurement once to warm up, and then as often as its figures are wanted. */
async function repeat (runs: number, measure: () => Promise<Figures>): Promise<Figures[]> {
  await measure()
  const figures: Figures[] = []
  while (figures.length < runs) figures.push(await measure())
  return figures
}

function medianOf (figures: readonly Figures[]): Figures {
  const median = (pick: (figure: Figures) => number | undefined): number => {
    const sorted = figures.map(figure => pick(figure) ?? Number.NaN).toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  }
  return {
    writesPerSecond: median(({ writesPerSecond }) => writesPerSecond),
    burstMs: median(({ burstMs }) => burstMs),
    cpuMilliseconds: median(({ cpuMilliseconds }) => cpuMilliseconds)
  }
}

function show (what: string, figures: Figures, limit?: Figures): void {
  const { writesPerSecond, burstMs, cpuMilliseconds = Number.NaN } = figures
  showRow(what, [
    writesPerSecond.toFixed(0),
    limit === undefined ? '' : `${(100 * writesPerSecond / limit.writesPerSecond).toFixed(0)} %`,
    burstMs.toFixed(0),
    Number.isNaN(cpuMilliseconds) ? '' : cpuMilliseconds.toFixed(2)
  ])
}

function showRow (what: string, cells: readonly string[]): void {
  console.log(what.padEnd(52) + cells.map(cell => cell.padStart(14)).join(''))
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
async function changeAll (line: StockLine, hub: HubProcess, sales: readonly Sale[]): Promise<Figures> {
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
  const [before, startedAt] = [cpuMicroseconds(hub.pid), performance.now()]
  const { accepted } = await sendLoad({ url, requests, sockets: atOnce, pipelining: 1, seconds: 60 })
  if (accepted !== requests.length) throw new Error(`only ${accepted} of ${requests.length} events were accepted`)
  while (!sales.every(isShown)) {
    if (performance.now() - startedAt > longestMs) throw new Error('the offers did not get their stock')
    await wait(lookEveryMs)
  }
  const burstMs = performance.now() - startedAt
  // Without requests to its API: they would count.
  await wait(settleMs)
  const cpuMs = (cpuMicroseconds(hub.pid) - before) / 1_000
  await waitUntilIdle(line.call)
  return figuresOf(sales, burstMs, cpuMs)
}

function figuresOf (sales: readonly Sale[], burstMs: number, cpuMs?: number): Figures {
  const writes = sales.length * offersEach
  return {
    writesPerSecond: 1_000 * writes / burstMs,
    burstMs,
    ...(cpuMs === undefined ? {} : { cpuMilliseconds: cpuMs / writes })
  }
}

/**
 * Makes the requests of each change by itself: two at once to the shop, then a write to each offer.
 * It keeps its connections, as the hub does. The hub combines requests of a connection where the
 * platform allows it, so it may need fewer.
 */
async function askDirectly ({ shop, market, keys }: StockLine, sales: readonly Sale[]): Promise<Figures> {
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
  await Promise.all(Array.from({ length: atOnce }, work))
  const burstMs = performance.now() - startedAt
  await agent.close()
  return figuresOf(sales, burstMs)
}
