import type { Faults } from '../faults.ts'
import type { Latency } from '../latency.ts'
import type { RequestLog } from '../request-log.ts'
import { createServer } from '../server.ts'
import { createAnnouncements } from './announcements.ts'
import { createDelivery, hasPrices, type Delivery } from './delivery.ts'
import { createHooks, type Hook, type HookDelivery, type HookName } from './hooks.ts'
import { createInbox } from './inbox.ts'
import { createOrderDesk, type OrderDesk } from './order-desk.ts'
import { createOrders } from './orders.ts'
import { createOverlaps } from './overlaps.ts'
import { createParcels } from './parcels.ts'
import { createProducts, type Product, type ProductMembers, type Products } from './products.ts'
import { registerErrors, registerShopApi, type Account } from './routes.ts'

export interface MktBOptions {
  apiKey: string
  /** Default 0: any free port. */
  port?: number
  /** How long reads show the state before a write. Default 20 minutes, as at the marketplace. */
  lagMs?: number
  /** Leaves `currency` out of orders, as the marketplace's sandbox does. Default false. */
  isSandbox?: boolean
  now?: () => Date
  /** Decides latencies and faults with a chance. `createRandom(seed)` makes a run repeatable. */
  random?: () => number
  /**
   * Returns the local address of a registered hook address, for a hub whose public address is made
   * up. Default: the same address.
   */
  resolveCallback?: (url: string) => string
  /** How long a hook delivery waits for its answer. Default 5 s, as at the marketplace. */
  hookTimeoutMs?: number
}

export interface MktB extends Delivery, OrderDesk {
  url: string
  baseUrl: string
  requests: RequestLog
  faults: Faults
  /** How long every request takes, before faults. Default 0. */
  setLatency: (latency: Latency) => void
  account: Account
  /** Sets the lag of writes from now on; earlier writes keep theirs. */
  setLag: (lagMs: number) => void
  /** Adds an offer that reads show at once. An absent member gets a default value. */
  addProduct: (externalId: string, members?: ProductMembers) => void
  /** Edits as the seller does in the panel: writes members and freezes them for integrations. */
  editInPanel: (externalId: string, members: ProductMembers) => void
  /** Freezes members for integrations, for example `stock`, and keeps their values. */
  freeze: (externalId: string, fields: readonly string[]) => void
  unfreeze: (externalId: string, fields: readonly string[]) => void
  /** The stored state, ahead of the read cache. */
  product: (externalId: string) => Product | undefined
  /** The stored stock of every offer. */
  quantities: () => ReadonlyMap<string, number>
  /**
   * Counts for each offer the writes that arrived while another write of it was under way. An offer
   * without such a write is missing.
   */
  overlappingWrites: () => ReadonlyMap<string, number>
  /** Makes the next batch item with this key answer 408. */
  timeOutNextBatchItem: (externalId: string) => void
  /** Returns the registered hooks with their tokens. */
  hooks: () => Hook[]
  /** Posts any object to a hook once, in place of an order. Never rejects. */
  deliverHook: (name: HookName, order: object) => Promise<HookDelivery>
  close: () => Promise<void>
}

const fiveSecondsMs = 5_000
const twentyMinutesMs = 20 * 60_000
const basePath = '/svc/shop-api'

/** Starts a marketplace with one shop. */
export async function startMktB (options: MktBOptions): Promise<MktB> {
  const {
    apiKey,
    port = 0,
    lagMs = twentyMinutesMs,
    isSandbox = false,
    now = () => new Date(),
    random = Math.random,
    resolveCallback = url => url,
    hookTimeoutMs = fiveSecondsMs
  } = options
  const account: Account = {
    id: 1234,
    name: 'my-shop',
    active: true,
    company: { nip: '1234567890', name: 'ACME' },
    externalMatchingPolicy: 'enabled'
  }
  let currentLagMs = lagMs
  const delivery = createDelivery(now().toISOString())
  const isDeliverable = (priceList: string) => hasPrices(delivery, priceList)
  const products = createProducts({ now, lagMs: () => currentLagMs, isDeliverable })
  const batchTimeouts = new Set<string>()
  const hooks = createHooks({ timeoutMs: hookTimeoutMs, resolveCallback })
  const closing = new AbortController()
  const inbox = createInbox({ now, shopId: account.id })
  const announcements = createAnnouncements({ inbox, hooks, random, closing: closing.signal })
  const orders = createOrders({ now, isSandbox, products, delivery, announce: announcements.announce })
  const parcels = createParcels(orders)
  const { counted, ...overlaps } = createOverlaps()
  const { app, requests, faults, setLatency, listen, close } = createServer({ now, random, ...overlaps })

  registerErrors(app)
  const shopApi = { apiKey, account, products, batchTimeouts, delivery, hooks, orders, parcels, inbox }
  app.register(async scope => registerShopApi(scope, shopApi), { prefix: basePath })
  const url = await listen(port)

  return {
    url,
    baseUrl: `${url}${basePath}`,
    requests,
    faults,
    setLatency,
    account,
    setLag (value) {
      currentLagMs = value
    },
    ...createPanel(products),
    product: products.stored,
    quantities: () => new Map(products.allStored().map(({ externalId, stock }) => [externalId, stock])),
    overlappingWrites: counted,
    timeOutNextBatchItem (externalId) {
      batchTimeouts.add(externalId)
    },
    ...delivery,
    hooks: hooks.list,
    deliverHook: hooks.deliver,
    ...createOrderDesk({ orders, parcels, inbox, announcements }),
    async close () {
      closing.abort()
      await Promise.all([hooks.close(), close()])
    }
  }
}

function createPanel (products: Products) {
  function addProduct (externalId: string, members: ProductMembers = {}): void {
    if (products.stored(externalId) !== undefined) {
      throw new Error(`the marketplace already has product '${externalId}'`)
    }
    const buyable: ProductMembers = {
      images: [{ url: 'https://cdn.mktb.example/1.jpg' }],
      price: 10_000,
      taxRate: 'TAX_23'
    }
    products.create(externalId, { ...buyable, ...members }, 0)
  }

  function editInPanel (externalId: string, members: ProductMembers): void {
    const frozen = Object.fromEntries(Object.keys(members).map(name => [name, true]))
    products.update(existing(externalId), { ...members, frozen, overrideFrozen: true })
  }

  function setFrozen (externalId: string, fields: readonly string[], isFrozen: boolean): void {
    products.update(existing(externalId), { frozen: Object.fromEntries(fields.map(name => [name, isFrozen])) })
  }

  function existing (externalId: string): Product {
    const stored = products.stored(externalId)
    if (stored === undefined) throw new Error(`the marketplace has no product '${externalId}'`)
    return stored
  }

  return {
    addProduct,
    editInPanel,
    freeze (externalId: string, fields: readonly string[]): void {
      setFrozen(externalId, fields, true)
    },
    unfreeze (externalId: string, fields: readonly string[]): void {
      setFrozen(externalId, fields, false)
    }
  }
}
