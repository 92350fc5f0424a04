import { createClock, createRandom, generateCatalog, startMktB, startShopA, type Clock, type MktB, type ProductInput, type ShopA } from '@linker/simulators'
import { randomBytes } from 'node:crypto'
import { createApi, eventually, type ApiClient } from './api.ts'
import { freePort } from './free-port.ts'
import { startHubProcess, type HubProcess } from './hub-process.ts'
import { openMode, type Mode, type ModeEnvironment } from './modes.ts'
import { makeProject } from './project.ts'

export interface StockLineOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
  products: readonly ProductInput[]
  /** Of everything that the simulators leave to chance. */
  seed: number
  /** How fast the shop's clock runs: at 60, the windows and retries of its sender take a second. Signatures carry the real time. */
  speed?: number
}

/** A variant of the shop and its offer, which goes by the variant's id. */
export interface SoldVariant { productId: number, combinationId: number, offer: string }

/** A shop and a marketplace, and the state and settings for the hub between them, whose processes come and go. */
export interface StockLine {
  mode: Mode
  shop: ShopA
  market: MktB
  clock: Clock
  state: ModeEnvironment
  directory: string
  keys: { shop: string, market: string }
  call: ApiClient
  connections: { shop: string, markets: string[] }
  startHub (role?: 'all' | 'worker'): Promise<HubProcess>
  /** Makes the connections and lets the shop's sender know the hub. More marketplaces than one are one simulator under several connections. To be called once, while a hub runs. */
  connect (markets?: number): Promise<void>
  /** Stops the simulators and drops the state. Hubs are their starter's to end. */
  close (): Promise<void>
}

export async function openStockLine ({ mode, environment, products, seed, speed = 1 }: StockLineOptions): Promise<StockLine> {
  const state = await openMode(mode, environment)
  const keys = { shop: randomBytes(16).toString('hex'), market: randomBytes(16).toString('hex'), webhook: randomBytes(32).toString('hex'), admin: randomBytes(32).toString('hex') }
  const clock = createClock({ speed })
  const shop = await startShopA({ apiKey: keys.shop, products, now: clock.now, signedAt: () => new Date(), random: createRandom(seed) })
  const market = await startMktB({ apiKey: keys.market, lagMs: 0, random: createRandom(seed + 1) })
  const project = await makeProject({
    outbound: { allow: ['127.0.0.1/32'] },
    platforms: { mktb: { production: { baseUrl: market.baseUrl }, ownedHosts: ['127.0.0.1'] } },
    // Sweeps are part of what is tried and measured: none comes by itself.
    schedules: { 'master-inventory-sweep': { enabled: false } }
  })
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const variables = { ...state.variables, ADMIN_TOKEN: keys.admin, LINKER_WEBHOOK_SECRET__SHOPA: keys.webhook, LOG_LEVEL: 'warn' }
  const connections: StockLine['connections'] = { shop: '', markets: [] }
  const call = createApi(url, keys.admin)

  return {
    mode, shop, market, clock, state, directory: project.directory, keys, call, connections,
    startHub: (role = 'all') => startHubProcess(project.directory, { ...variables, LINKER_ROLE: role, ...(role === 'all' ? { PORT: port } : {}) }),
    async connect (markets = 1) {
      connections.shop = await create(call, '/connections', { name: 'Shop', platformType: 'shopa', credentials: { apiUrl: shop.apiUrl, apiKey: keys.shop } })
      while (connections.markets.length < markets) connections.markets.push(await create(call, '/connections', { name: 'Market', platformType: 'mktb', credentials: keys.market }))
      shop.sender.configure({ baseUrl: url, connectionId: connections.shop, secret: keys.webhook, multiplier: 1.1, maxAttempts: 100 })
    },
    async close () {
      await Promise.all([shop.close(), market.close()])
      await project.remove()
      await state.close()
    }
  }
}

/** So many variants: four fifths are combinations, four to a product, the others products of their own. */
export function catalogOf (variants: number): ProductInput[] {
  const withCombinations = Math.floor(variants / 5)
  return [
    ...generateCatalog({ products: withCombinations, combinationsEach: 4 }),
    ...generateCatalog({ products: variants - withCombinations * 4, combinationsEach: 0, firstId: 50_001 })
  ]
}

/** Lets the hub read the stock of every product, puts each variant on sale with the quantity that it has, and links the offers. */
export async function sellAll (line: StockLine): Promise<SoldVariant[]> {
  const { shop, market, call, connections } = line
  const quantities = Map.groupBy(shop.quantities(), ({ productId }) => productId)
  const sold: SoldVariant[] = []
  for (const [productId, ofProduct] of quantities) {
    await call('POST', '/jobs', { body: { jobType: 'master.inventory.syncByExternalId', connectionId: connections.shop, payload: { externalId: String(productId) } } })
    const variants = await eventually(`the variants of product ${productId}`, async () => {
      const [product] = (await call('GET', `/products?connectionId=${connections.shop}&externalId=${productId}`)).json as { variants: { id: string, externalId: string }[] }[]
      return product?.variants.length === ofProduct.length ? new Map(product.variants.map(({ id, externalId }) => [externalId, id])) : undefined
    })
    for (const { combinationId, quantity } of ofProduct) {
      const offer = variants.get(combinationId === 0 ? `product:${productId}` : String(combinationId))
      if (offer === undefined) throw new Error(`the hub does not know combination ${combinationId} of product ${productId}`)
      market.addProduct(offer, { stock: quantity })
      await create(call, '/offers/link', { connectionId: connections.markets[0], variantId: offer, externalId: offer })
      sold.push({ productId, combinationId, offer })
    }
  }
  return sold
}

/** Answers the id of what was made. */
async function create (call: ApiClient, path: string, body: object): Promise<string> {
  const { status, json, text } = await call('POST', path, { body })
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${text}`)
  return (json as { id: string }).id
}

/** Waits until no job is under way, due, or waiting for another try. Jobs for a later time stay. */
export async function waitUntilIdle (call: ApiClient): Promise<void> {
  let idleLooks = 0
  await eventually('the end of every job', async () => {
    idleLooks = await isIdle(call) ? idleLooks + 1 : 0
    return idleLooks === 3 ? true : undefined
  })
}

/** Statuses are asked one after the other: a job may end in between and leave others. Hence the look at the newest one before and after. */
async function isIdle (call: ApiClient): Promise<boolean> {
  const list = async (filter: string) => (await call('GET', `/jobs?${filter}`)).json as { id: string, attempts: unknown[] }[]
  const [before] = await list('limit=1')
  for (const status of ['queued', 'running']) if ((await list(`status=${status}&limit=1`)).length > 0) return false
  if ((await list('status=waiting&limit=200')).some(({ attempts }) => attempts.length > 0)) return false
  const [after] = await list('limit=1')
  return before?.id === after?.id
}

export interface Sweep { status: string, problem: string | null, pages: number, seen: number, changed: number, startedAt: string }

/** Has all stock of the shop compared, and answers what came of it. */
export async function sweepStock ({ call, connections }: StockLine): Promise<Sweep> {
  const started = await call('POST', '/stock/reconcile', { body: { connectionId: connections.shop } })
  if (started.status !== 202) throw new Error(`POST /stock/reconcile answered ${started.status}: ${started.text}`)
  const [jobId] = (started.json as { jobIds: string[] }).jobIds
  return eventually('the end of the sweep', async () => {
    const { json } = await call('GET', `/stock/sweeps?connectionId=${connections.shop}&limit=200`)
    const sweep = (json as (Sweep & { id: string })[]).find(({ id }) => id === jobId)
    return sweep === undefined || sweep.status === 'running' ? undefined : sweep
  })
}
