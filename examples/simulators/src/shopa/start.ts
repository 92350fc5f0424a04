import type { Faults } from '../faults.ts'
import type { Latency } from '../latency.ts'
import type { RequestLog } from '../request-log.ts'
import { createServer } from '../server.ts'
import type { Key } from './authentication.ts'
import { createBackOffice, type BackOffice } from './back-office.ts'
import { createLocalTime } from './local-time.ts'
import { registerModule } from './module-routes.ts'
import { createOrderOffice, type OrderOffice } from './order-office.ts'
import { orderResourceNames } from './order-resources.ts'
import { createCreators } from './order-writes.ts'
import { createOrders, type OrderHooks } from './orders.ts'
import { addPackSetting } from './packs.ts'
import type { ProductInput } from './product-rows.ts'
import { resourceNames } from './resources.ts'
import { registerWebservice, type Switches } from './routes.ts'
import { sampleOrderSettings } from './sample-order-settings.ts'
import { sampleSupporting, type Supporting } from './sample-supporting.ts'
import { createSenderSettings } from './sender-settings.ts'
import { createSender, type Sender } from './sender.ts'
import { createState } from './state.ts'
import { supportingNames } from './supporting-resources.ts'

export interface ShopAOptions {
  /** 32 characters. */
  apiKey: string
  /** Default 0: any free port. */
  port?: number
  /**
   * The time zone of every time that the shop writes. Default `Europe/Warsaw`: with UTC, a test
   * would not notice a wrong zone.
   */
  timeZone?: string
  now?: () => Date
  /** The time in webhook signatures, which the hub compares with its own. Default `now`. */
  signedAt?: () => Date
  /** Decides every random choice. `createRandom(seed)` makes a run repeatable. */
  random?: () => number
  products?: Iterable<ProductInput>
  /** The records that products refer to. Default `sampleSupporting`, for the sample products. */
  supporting?: Supporting
  /** Ids of the active languages. Default `[1]`. With one, JSON has localised texts as strings. */
  languages?: number[]
  /** Opens the cron address of the shop-side module. */
  cronToken?: string
}

export interface ShopA extends BackOffice, OrderOffice {
  url: string
  apiUrl: string
  requests: RequestLog
  faults: Faults
  /** How long every request takes, before faults. Default 0. */
  setLatency: (latency: Latency) => void
  key: Key
  switches: Switches
  sender: Sender
  /** Closes the shop and aborts the deliveries of its sender. */
  close: () => Promise<void>
}

/** Starts a shop. */
export async function startShopA (options: ShopAOptions): Promise<ShopA> {
  const { apiKey, port = 0, timeZone = 'Europe/Warsaw', now = () => new Date(), random = Math.random } = options
  const { signedAt = now, products = [], supporting = sampleSupporting, languages = [1], cronToken } = options
  if (apiKey.length !== 32) throw new TypeError(`a key of the shop has 32 characters, not ${apiKey.length}`)
  const localTime = createLocalTime(timeZone)
  const timestamp = () => localTime.timestamp(now())
  const state = createState(timestamp)
  const settings = createSenderSettings(state, timestamp)
  const key: Key = { apiKey, isActive: true, permissions: defaultPermissions() }
  const switches: Switches = {
    webserviceOff: false,
    maintenance: false,
    patch: true,
    dropFalsyMembers: true,
    textScalars: false,
    paymentModule: true,
    hooksOnWebserviceWrites: true,
    backorders: false,
    php8: true
  }
  const sender = createSender({ now, signedAt, random, timeZone, localTime, isReachable: () => !switches.maintenance })
  const { app, requests, faults, setLatency, listen, close } = createServer({ now, random })
  const backOffice = createBackOffice(state, sender)

  const orders = createOrders(state, timestamp, switches)
  const hooks: OrderHooks = {
    created: backOffice.orderCreated,
    stateChanged: backOffice.orderStateChanged,
    stockChanged: backOffice.stockChanged
  }
  const webserviceHooks = silencedUnless(() => switches.hooksOnWebserviceWrites, hooks)
  const paymentModules = {
    has: (name: string) => switches.paymentModule && ['wirepayment', 'checkpayment'].includes(name)
  }

  for (const name of orderResourceNames) sampleOrderSettings[name]?.forEach(record => state.addSupporting(name, record))
  for (const name of supportingNames) supporting[name]?.forEach(record => state.addSupporting(name, record))
  for (const product of products) state.addProduct(product)
  addPackSetting(state)
  registerWebservice(app, {
    state,
    key,
    switches,
    languages,
    timestamp,
    creators: createCreators(state, orders, { paymentModules, hooks: webserviceHooks, timestamp }),
    onWritten (resource, row) {
      if (resource === 'configurations') sender.configure({ ...sender.configuration(), ...settings.read() })
      if (!switches.hooksOnWebserviceWrites) return
      const isOfCombination = Number(row.fields.id_product_attribute) > 0
      if (resource === 'stock_availables' && isOfCombination) backOffice.stockChanged(row)
      if (resource === 'products') backOffice.productSaved(row.id)
    }
  })
  registerModule(app, {
    state,
    orders,
    hooks: webserviceHooks,
    switches,
    sender,
    secret: () => sender.configuration().secret,
    cronToken,
    now: signedAt
  })
  const url = await listen(port)

  return {
    url,
    apiUrl: `${url}/api`,
    requests,
    faults,
    setLatency,
    key,
    switches,
    sender: {
      ...sender,
      configure (values) {
        sender.configure(values)
        settings.store(values)
      }
    },
    ...backOffice.actions,
    ...createOrderOffice(state, orders, hooks),
    async close () {
      await close()
      await sender.close()
    }
  }
}

function defaultPermissions (): Key['permissions'] {
  const readable = Object.fromEntries(resourceNames.map(name => [name, ['GET', 'HEAD'] as const]))
  const everything = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
  const written = [
    'stock_availables',
    'customers',
    'addresses',
    'carts',
    'specific_prices',
    'orders',
    'order_histories',
    'order_carriers',
    'order_payments',
    'messages',
    'configurations'
  ] as const
  return { ...readable, ...Object.fromEntries(written.map(name => [name, everything])) }
}

function silencedUnless (isOn: () => boolean, { created, stateChanged, stockChanged }: OrderHooks): OrderHooks {
  return {
    created: id => {
      if (isOn()) created(id)
    },
    stateChanged: (id, state) => {
      if (isOn()) stateChanged(id, state)
    },
    stockChanged: row => {
      if (isOn()) stockChanged(row)
    }
  }
}
