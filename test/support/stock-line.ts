import {
  createClock,
  createRandom,
  generateCatalog,
  startMktB,
  startShopA,
  type Clock,
  type MktB,
  type ProductInput,
  type ShopA
} from '@linker/simulators'
import { randomBytes } from 'node:crypto'
import { createApi, eventually, type ApiClient } from './api.ts'
import { freePort } from './free-port.ts'
import { startHubProcess, type HubProcess } from './hub-process.ts'
import { openMarketALine, waitForCommands, type MarketALine } from './market-a-line.ts'
import { openMode, type Mode, type ModeEnvironment } from './modes.ts'
import { makeProject } from './project.ts'

/** The marketplaces at which the variants are on sale. */
export type Markets = 'b' | 'a,b'

export interface StockLineOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
  products: readonly ProductInput[]
  /** Decides every random choice of the simulators. */
  seed: number
  /**
   * How fast the shop's clock runs: at 60, the windows and retries of its sender take a second.
   * Signatures carry the real time.
   */
  speed?: number
  /** Default: marketplace B alone. */
  markets?: Markets
  /** Jobs at the same time in a process of the hub. Default: the hub's own. */
  slots?: number
  /** In linker.config.json. Default: runs start their sweeps themselves. */
  schedules?: Readonly<Record<string, { every?: string, enabled?: boolean }>>
}

/**
 * A variant of the shop and its offer, whose external id is the id of the variant. `offerA` is the
 * offer at marketplace A.
 */
export interface SoldVariant {
  productId: number
  combinationId: number
  offer: string
  offerA?: string
}

/** A shop, a marketplace, and the state and settings of the hub whose processes a run starts. */
export interface StockLine {
  mode: Mode
  shop: ShopA
  market: MktB
  marketA: MarketALine | undefined
  clock: Clock
  state: ModeEnvironment
  directory: string
  /** The address of the hub process that serves HTTP. */
  url: string
  keys: { shop: string, market: string, webhook: string, admin: string }
  call: ApiClient
  connections: { shop: string, markets: string[] }
  startHub(role?: 'all' | 'worker'): Promise<HubProcess>
  /** Hubs that start from now on have their state where these variables say. */
  moveTo(state: Record<string, string>): void
  /**
   * Makes the connections and points the shop's sender at the hub. Several `markets` are several
   * connections to marketplace B. Call it once, while a hub runs.
   */
  connect(markets?: number, configs?: { shop?: object, market?: object }): Promise<void>
  /** Stops the simulators and drops the state. The caller stops the hubs that it started. */
  close(): Promise<void>
}

/** Runs start their sweeps themselves, at the moment that they test or measure. */
const withoutSweeps = {
  'master-inventory-sweep': { enabled: false },
  'marketplace-offers-sync': { enabled: false },
  'marketplace-orders-sweep': { enabled: false }
}

export async function openStockLine (options: StockLineOptions): Promise<StockLine> {
  const { mode, environment, products, seed, speed = 1, markets: where = 'b', slots } = options
  const { schedules = withoutSweeps } = options
  const state = await openMode(mode, environment)
  const keys = {
    shop: randomBytes(16).toString('hex'),
    market: randomBytes(16).toString('hex'),
    webhook: randomBytes(32).toString('hex'),
    admin: randomBytes(32).toString('hex')
  }
  const clock = createClock({ speed })
  const shop = await startShopA({
    apiKey: keys.shop,
    products,
    now: clock.now,
    signedAt: () => new Date(),
    random: createRandom(seed)
  })
  const market = await startMktB({ apiKey: keys.market, lagMs: 0, random: createRandom(seed + 1) })
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const call = createApi(url, keys.admin)
  const marketA = where === 'b' ? undefined : await openMarketALine({ call, url }, seed + 3)
  const project = await makeProject({
    outbound: { allow: ['127.0.0.1/32'] },
    ...(slots === undefined ? {} : { workers: { concurrency: slots } }),
    platforms: {
      mktb: { production: { baseUrl: market.baseUrl }, ownedHosts: ['127.0.0.1'] },
      ...(marketA === undefined ? {} : { mkta: marketA.platform })
    },
    schedules
  })
  let place = state.variables
  const variables = {
    ADMIN_TOKEN: keys.admin,
    LINKER_WEBHOOK_SECRET__SHOPA: keys.webhook,
    LOG_LEVEL: 'warn'
  }
  const connections: StockLine['connections'] = { shop: '', markets: [] }

  return {
    mode,
    shop,
    market,
    marketA,
    clock,
    state,
    directory: project.directory,
    url,
    keys,
    call,
    connections,
    startHub: (role = 'all') =>
      startHubProcess(project.directory, {
        ...place,
        ...variables,
        LINKER_ROLE: role,
        ...(role === 'all' ? { PORT: port } : {})
      }),
    moveTo (next) {
      place = next
    },
    async connect (markets = 1, configs = {}) {
      connections.shop = await create(call, '/connections', {
        name: 'Shop',
        platformType: 'shopa',
        config: configs.shop ?? {},
        credentials: { apiUrl: shop.apiUrl, apiKey: keys.shop }
      })
      while (connections.markets.length < markets) {
        const id = await create(call, '/connections', {
          name: 'Market',
          platformType: 'mktb',
          config: configs.market ?? {},
          credentials: keys.market
        })
        connections.markets.push(id)
      }
      await marketA?.connect()
      shop.sender.configure({
        baseUrl: url,
        connectionId: connections.shop,
        secret: keys.webhook,
        multiplier: 1.1,
        maxAttempts: 100
      })
    },
    async close () {
      await Promise.all([shop.close(), market.close(), marketA?.market.close()])
      await project.remove()
      await state.close()
    }
  }
}

/** Generates this many variants. Four fifths are combinations, four to a product. */
export function catalogOf (variants: number): ProductInput[] {
  const withCombinations = Math.floor(variants / 5)
  return [
    ...generateCatalog({ products: withCombinations, combinationsEach: 4 }),
    ...generateCatalog({ products: variants - withCombinations * 4, combinationsEach: 0, firstId: 50_001 })
  ]
}

const firstOfferA = 7_680_000_001

/** Lets the hub read all stock, offers each variant with its quantity and links the offers. */
export async function sellAll (line: StockLine): Promise<SoldVariant[]> {
  const { shop, market, marketA, call, connections } = line
  const quantities = Map.groupBy(shop.quantities(), ({ productId }) => productId)
  const sold: SoldVariant[] = []
  for (const [productId, ofProduct] of quantities) {
    await call('POST', '/jobs', {
      body: {
        jobType: 'master.inventory.syncByExternalId',
        connectionId: connections.shop,
        payload: { externalId: String(productId) }
      }
    })
    const variants = await eventually(`the variants of product ${productId}`, async () => {
      const { json } = await call('GET', `/products?connectionId=${connections.shop}&externalId=${productId}`)
      const [product] = json as { variants: { id: string, externalId: string }[] }[]
      return product?.variants.length === ofProduct.length
        ? new Map(product.variants.map(({ id, externalId }) => [externalId, id]))
        : undefined
    })
    for (const { combinationId, quantity } of ofProduct) {
      const offer = variants.get(combinationId === 0 ? `product:${productId}` : String(combinationId))
      if (offer === undefined) {
        throw new Error(`the hub does not know combination ${combinationId} of product ${productId}`)
      }
      market.addProduct(offer, { stock: quantity })
      await create(call, '/offers/link', { connectionId: connections.markets[0], variantId: offer, externalId: offer })
      const offerA = marketA === undefined ? undefined : String(firstOfferA + sold.length)
      if (marketA !== undefined && offerA !== undefined) {
        marketA.market.addOffer({ id: offerA })
        await create(call, '/offers/link', { connectionId: marketA.connectionId, variantId: offer, externalId: offerA })
      }
      sold.push({ productId, combinationId, offer, ...(offerA === undefined ? {} : { offerA }) })
    }
  }
  return sold
}

/** Creates a resource and returns its id. The answer is 200 if a comparison made it first. */
async function create (call: ApiClient, path: string, body: object): Promise<string> {
  const { status, json, text } = await call('POST', path, { body })
  if (status !== 201 && status !== 200) throw new Error(`POST ${path} answered ${status}: ${text}`)
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

/** Waits like `waitUntilIdle`, and until marketplace A has applied all its commands. */
export async function waitUntilSettled ({ call, marketA }: StockLine): Promise<void> {
  if (marketA === undefined) return waitUntilIdle(call)
  await waitForCommands(call, () => waitUntilIdle(call))
}

/**
 * Whether no job is open. It reads the newest job before and after: between the requests for two
 * statuses, a job may end and leave new ones.
 */
async function isIdle (call: ApiClient): Promise<boolean> {
  const list = async (filter: string) =>
    (await call('GET', `/jobs?${filter}`)).json as { id: string, attempts: unknown[] }[]
  const [before] = await list('limit=1')
  for (const status of ['queued', 'running']) if ((await list(`status=${status}&limit=1`)).length > 0) return false
  if ((await list('status=waiting&limit=200')).some(({ attempts }) => attempts.length > 0)) return false
  const [after] = await list('limit=1')
  return before?.id === after?.id
}

export interface Sweep {
  status: string
  problem: string | null
  pages: number
  seen: number
  changed: number
  startedAt: string
}

/** Sweeps all stock of the shop and returns the finished sweep. */
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
