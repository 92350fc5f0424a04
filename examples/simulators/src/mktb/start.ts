import type { Faults } from '../faults.ts'
import type { RequestLog } from '../request-log.ts'
import { createServer } from '../server.ts'
import { createProducts, type Product, type ProductMembers, type Products } from './products.ts'
import { registerErrors, registerShopApi, type Account } from './routes.ts'

export interface MktBOptions {
  apiKey: string
  /** Default 0: any free port. */
  port?: number
  /** How long reads keep showing the state before a write. Default 20 minutes, as at the marketplace. */
  lagMs?: number
  now?: () => Date
}

export interface MktB {
  url: string
  baseUrl: string
  requests: RequestLog
  faults: Faults
  account: Account
  /** For writes from now on; what was written earlier keeps its time. */
  setLag: (lagMs: number) => void
  /** Adds an offer that reads show at once. Members left out get a value. */
  addProduct: (externalId: string, members?: ProductMembers) => void
  /** What the seller does in the panel: writes the members and freezes them against integrations. */
  editInPanel: (externalId: string, members: ProductMembers) => void
  /** The stored state, ahead of the read cache. */
  product: (externalId: string) => Product | undefined
  /** Makes the next batch item with this key answer 408. */
  timeOutNextBatchItem: (externalId: string) => void
  close: () => Promise<void>
}

const twentyMinutesMs = 20 * 60_000
const basePath = '/svc/shop-api'

/** Starts a marketplace with one shop. */
export async function startMktB ({ apiKey, port = 0, lagMs = twentyMinutesMs, now = () => new Date() }: MktBOptions): Promise<MktB> {
  const account: Account = {
    id: 1234, name: 'my-shop', active: true, company: { nip: '1234567890', name: 'ACME' }, externalMatchingPolicy: 'enabled'
  }
  let currentLagMs = lagMs
  const products = createProducts({ now, lagMs: () => currentLagMs })
  const batchTimeouts = new Set<string>()
  const { app, requests, faults, listen, close } = createServer(now)

  registerErrors(app)
  app.register(async scope => registerShopApi(scope, { apiKey, account, products, batchTimeouts }), { prefix: basePath })
  const url = await listen(port)

  return {
    url,
    baseUrl: `${url}${basePath}`,
    requests,
    faults,
    account,
    setLag (value) { currentLagMs = value },
    ...createPanel(products),
    product: products.stored,
    timeOutNextBatchItem (externalId) { batchTimeouts.add(externalId) },
    close
  }
}

function createPanel (products: Products) {
  function addProduct (externalId: string, members: ProductMembers = {}): void {
    if (products.stored(externalId) !== undefined) throw new Error(`the marketplace already has product '${externalId}'`)
    products.create(externalId, { images: [{ url: 'https://cdn.mktb.example/1.jpg' }], ...members }, 0)
  }

  function editInPanel (externalId: string, members: ProductMembers): void {
    const stored = products.stored(externalId)
    if (stored === undefined) throw new Error(`the marketplace has no product '${externalId}'`)
    const frozen = Object.fromEntries(Object.keys(members).map(name => [name, true]))
    products.update(stored, { ...members, frozen, overrideFrozen: true })
  }

  return { addProduct, editInPanel }
}
