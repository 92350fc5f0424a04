import type { NewOrder } from '@linker/sdk'
import { createTestContext, createTestHost } from '@linker/sdk/testing'
import nock from 'nock'
import packageJson from '../../package.json' with { type: 'json' }
import { createClient } from '../../src/client.ts'
import { Config, Credentials } from '../../src/config.ts'
import { createOrderProcessorManager } from '../../src/orders/order-processor-manager.ts'

export interface Sent {
  method: string
  path: string
  query: URLSearchParams
  body: string
  headers: Headers
}
export type Reply = [status: number, body?: object | string, headers?: Record<string, string>]
type Answers = Record<string, Reply | ((sent: Sent) => Reply | 'lost')>

interface Test {
  teardown: (end: () => unknown) => void
}

const states = [
  [2, '11'],
  [4, '11', '1'],
  [5, '11', '1'],
  [6, '00'],
  [7, '00'],
  [8, '00'],
  [11, '11'],
  [13, '00'],
  [20, '11', '1']
] as const
const orderRow = {
  id: 5,
  id_cart: '9',
  id_currency: '1',
  id_customer: '12',
  id_carrier: '2',
  current_state: '11',
  total_paid: '119.990000',
  total_paid_tax_incl: '119.990000',
  total_paid_real: '119.990000',
  total_products: '81.300000',
  total_products_wt: '100.000000',
  reference: 'XKBKNABJK'
}
const cartRow = {
  id: 9,
  id_shop_group: '1',
  id_shop: '1',
  id_guest: '0',
  id_customer: '12',
  id_carrier: '2',
  id_address_delivery: '5',
  id_address_invoice: '5',
  id_currency: '1',
  id_lang: '1',
  recyclable: '0',
  gift: '1',
  gift_message: 'for Jan',
  delivery_option: '{"5":"2,"}',
  allow_seperated_package: false,
  secure_key: '',
  associations: { cart_rows: [{ id_product: '99' }] }
}
const carrier = {
  id: 2,
  id_reference: '2',
  active: '1',
  deleted: '0',
  id_tax_rules_group: '1',
  external_module_name: ''
}
const carrierRow = {
  id: 7,
  id_order: '5',
  id_carrier: '2',
  id_order_invoice: '0',
  weight: '0.400000',
  shipping_cost_tax_excl: '16.252033',
  shipping_cost_tax_incl: '19.990000',
  tracking_number: '',
  date_add: '2025-01-02 13:00:00'
}
export const rows = { orderRow, carrierRow, cartRow }

/** The answers of a shop that accepts the order. Before `POST orders` it has no order. */
function answersOf (): Answers {
  let isMade = false
  return {
    'GET configurations': [200, []],
    'GET currencies': [200, { currencies: [{ id: 1, iso_code: 'PLN', active: '1', deleted: '0' }] }],
    'GET customers': [200, []],
    'POST customers': [201, { customer: { id: 12 } }],
    'GET countries': [200, {
      countries: [{ id: 14, iso_code: 'PL', active: '1', need_zip_code: '1', zip_code_format: 'NN-NNN' }]
    }],
    'GET addresses': [200, []],
    'POST addresses': [201, { address: { id: 5 } }],
    'GET carriers': [200, { carriers: [carrier] }],
    'GET products': [200, { products: [{ id: 27, id_tax_rules_group: '1' }] }],
    'GET tax_rules': [200, {
      tax_rules: [{ id: 1, id_tax_rules_group: '1', id_country: '14', id_state: '0', id_tax: '1' }]
    }],
    'GET taxes': [200, { taxes: [{ id: 1, rate: '23.000' }] }],
    'GET tax_rule_groups': [200, { tax_rule_groups: [{ id: 1, active: '1' }] }],
    'GET messages': [200, []],
    'POST messages': [201, { message: { id: 50 } }],
    'PUT messages': [200, { message: { id: 50 } }],
    'GET order_payments': [200, { order_payments: [{ id: 60, order_reference: 'XKBKNABJK' }] }],
    'DELETE order_payments': [200],
    'PATCH orders': [200, { order: { id: 5 } }],
    'PUT orders': [200, { order: { id: 5 } }],
    'POST carts': [201, { cart: { id: 9 } }],
    'GET carts': [200, { carts: [cartRow] }],
    'PUT carts': [200, { cart: { id: 9 } }],
    'GET specific_prices': () => [200, isMade ? { specific_prices: [{ id: 31, id_cart: '9' }] } : []],
    'POST specific_prices': [201, { specific_price: { id: 31 } }],
    'DELETE specific_prices': [200],
    'POST orders': () => {
      isMade = true
      return [201, { order: orderRow }]
    },
    'GET orders': () => [200, isMade ? { orders: [orderRow] } : []],
    'GET order_states': [200, {
      order_states: states.map(([id, [logable, paid], shipped = '0']) => ({
        id,
        name: `State ${id}`,
        logable,
        paid,
        shipped
      }))
    }],
    'GET order_carriers': [200, { order_carriers: [{ ...carrierRow, id: 6, tracking_number: 'OLD' }, carrierRow] }],
    'PUT order_carriers': [200, { order_carrier: { id: 7 } }],
    'POST order_histories': [201, { order_history: { id: 40 } }]
  }
}

/** A shop that consists of answers by method and resource. `sent` lists the requests to it. */
export function openFakeShop (
  t: Test,
  { config = {}, answers = {}, moduleSecret }: { config?: Partial<Config>, answers?: Answers, moduleSecret?: string } =
    {}
) {
  const host = createTestHost({ now: new Date('2025-01-02T12:00:00Z') })
  const sent: Sent[] = []
  const table = { ...answersOf(), ...answers }
  nock.cleanAll()
  nock.disableNetConnect()
  t.teardown(async () => {
    nock.cleanAll()
    nock.enableNetConnect()
    await host.close()
  })

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    nock('https://shop.test').persist().intercept(/^\//, method).reply(async (incoming: Request): Promise<Reply> => {
      const { pathname, searchParams } = new URL(incoming.url)
      const path = pathname === '/index.php' ? searchParams.get('controller') ?? '' : pathname.replace('/api/', '')
      const request: Sent = {
        method,
        path,
        query: searchParams,
        body: await incoming.text(),
        headers: incoming.headers
      }
      sent.push(request)
      const answer = table[`${method} ${path.split('/')[0]}`]
      const reply = typeof answer === 'function' ? answer(request) : answer
      if (reply === undefined) throw new Error(`the fake shop has no answer to ${method} ${path}`)
      return reply === 'lost' ? [502, ''] : reply
    })
  }

  const credentials = {
    apiUrl: 'https://shop.test/api',
    apiKey: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ123456',
    ...moduleSecret === undefined ? {} : { moduleSecret }
  }
  const { context } = createTestContext({
    host,
    manifest: packageJson.linker,
    definition: { config: Config, credentials: Credentials },
    config: { timeZone: 'Europe/Warsaw', defaultCarrierId: '2', paymentModule: 'wirepayment', ...config },
    credentials
  })
  const client = createClient(context)
  const requests = () => sent.map(({ method, path }) => `${method} ${path}`)
  /** Returns the bodies of some writes, without the XML around their members. */
  const bodies = (request: string) =>
    sent.filter(({ method, path }) => `${method} ${path}`.startsWith(request)).map(({ body }) => members(body))
  /** Returns the areas that the requests to some addresses named. */
  const areas = (address: string) =>
    host.requests.filter(({ path }) => path.startsWith(address)).map(({ area }) => area)
  return {
    orders: createOrderProcessorManager(client, context),
    client,
    context,
    sent,
    requests,
    bodies,
    areas,
    table,
    logs: host.logs
  }
}

function members (xml: string): Record<string, string> {
  const found = [...xml.matchAll(/<(\w+)><!\[CDATA\[([^\]]*)\]\]>/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
}

const address = {
  firstName: 'Anna',
  lastName: 'Nowak',
  street: 'ul. Prosta 1/2',
  postcode: '00-001',
  city: 'Warszawa',
  country: 'PL',
  phone: '500600700'
}

export function newOrder (change: Partial<NewOrder> = {}): NewOrder {
  return {
    externalId: 'form-1',
    status: 'processing',
    revision: '1',
    placedAt: '2025-01-02T11:00:00Z',
    buyer: { email: 'buyer@example.com' },
    lines: [line('100.00')],
    total: { amount: '119.99', currency: 'PLN' },
    payment: { method: 'prepaid', paid: { amount: '119.99', currency: 'PLN' } },
    shipping: { methodId: 'courier', price: { amount: '19.99', currency: 'PLN' }, address },
    source: { connectionId: 'market-1', platformType: 'mkta' },
    ...change
  }
}

export function line (amount: string, change: Partial<NewOrder['lines'][number]> = {}): NewOrder['lines'][number] {
  return {
    externalId: 'line-1',
    name: 'Mug',
    quantity: 1,
    unitPrice: { amount, currency: 'PLN' },
    productExternalId: '27',
    variantExternalId: '101',
    ...change
  }
}
