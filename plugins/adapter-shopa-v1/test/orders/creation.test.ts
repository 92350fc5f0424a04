import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import type { Config } from '../../src/config.ts'
import { orderReferenceOf } from '../../src/orders/creation/order-reference.ts'
import { line, newOrder, openFakeShop, rows, type Reply } from './fake-shop.ts'

const reference = 'order-1'
const { orderRow, carrierRow, cartRow } = rows

t.test('an order needs a guest, an address, and a cart with a carrier and its own prices', async t => {
  const { orders, requests, bodies, sent } = openFakeShop(t)

  t.same(await orders.createOrder(newOrder(), { reference }), { externalId: '5' })

  const made = requests()
  const [firstWrite, ordered] = [made.indexOf('POST customers'), made.indexOf('POST orders')]
  t.same(made.slice(0, firstWrite).toSorted(), [
    'GET carriers',
    'GET configurations',
    'GET countries',
    'GET currencies',
    'GET customers',
    'GET products',
    'GET tax_rule_groups',
    'GET tax_rules',
    'GET taxes'
  ], 'everything that may lead to a refusal is read before the first write')
  t.same(made.slice(firstWrite, ordered), [
    'POST customers',
    'POST addresses',
    'POST carts',
    'POST messages',
    'POST specific_prices'
  ])
  t.same(made.slice(ordered + 1).toSorted(), [
    'DELETE specific_prices/31',
    'GET order_carriers',
    'GET order_states',
    'GET orders',
    'GET specific_prices',
    'POST order_histories'
  ])
  t.match(bodies('POST customers'), [{
    id_default_group: '2',
    id: '2',
    firstname: 'Anna',
    lastname: 'Nowak',
    email: 'buyer@example.com',
    is_guest: '1',
    passwd: /^.{24}$/
  }])
  t.match(
    sent.find(({ method, path }) => method === 'POST' && path === 'customers')?.body,
    '<associations><groups><group><id><![CDATA[2]]></id></group></groups></associations>'
  )
  t.match(bodies('POST addresses'), [{
    id_customer: '12',
    id_country: '14',
    alias: /^ship-[0-9a-f]{6}$/,
    postcode: '00-001'
  }])
  t.match(bodies('POST carts'), [{
    id_currency: '1',
    id_customer: '12',
    id_carrier: '2',
    delivery_option: '{"5":"2,"}',
    id_address_delivery: '5',
    id_address_invoice: '5',
    id_product: '27',
    id_product_attribute: '101',
    quantity: '1'
  }])
  t.match(bodies('POST specific_prices'), [{
    id_cart: '9',
    id_product: '27',
    id_product_attribute: '101',
    price: '81.300813',
    to: '2025-01-03 13:00:00'
  }])
  t.match(bodies('POST orders'), [{
    id_cart: '9',
    id_carrier: '2',
    module: 'wirepayment',
    total_paid: '119.99',
    total_paid_real: '119.99',
    total_products: '81.30',
    total_products_wt: '100.00',
    total_shipping_tax_incl: '19.99'
  }])
  t.same(bodies('POST order_histories'), [{ id_order: '5', id_order_state: '2' }])
})

t.test('the same reference again answers the same order without a request', async t => {
  const { orders, sent } = openFakeShop(t)
  await orders.createOrder(newOrder(), { reference })
  sent.length = 0

  t.same(await orders.createOrder(newOrder(), { reference }), { externalId: '5' })
  t.same(await orders.findOrder(reference), { externalId: '5' })
  t.same(sent, [])
})

t.test('after a lost answer the order is found by its cart and finished, not made again', async t => {
  const { orders, table, requests, sent } = openFakeShop(t)
  const post = table['POST orders']
  table['POST orders'] = request => {
    if (typeof post === 'function') post(request)
    return 'lost'
  }
  await t.rejects(orders.createOrder(newOrder(), { reference }), { code: AdapterErrorCode.outcomeUnknown })
  sent.length = 0

  t.same(await orders.findOrder(reference), { externalId: '5' })

  t.equal(sent[0]?.query.get('filter[id_cart]'), '[9]')
  t.notOk(requests().includes('POST orders'))
  t.ok(requests().includes('POST order_histories'))
})

t.test('no order is made when the search for an earlier one fails', async t => {
  const { orders, table, requests, sent } = openFakeShop(t, { answers: { 'POST orders': () => 'lost' } })
  await t.rejects(orders.createOrder(newOrder(), { reference }))
  sent.length = 0
  table['GET orders'] = [500, 'down']

  await t.rejects(orders.findOrder(reference), { code: AdapterErrorCode.transient })
  await t.rejects(orders.createOrder(newOrder(), { reference }), { code: AdapterErrorCode.transient })

  t.ok(requests().every(request => request === 'GET orders'))
})

t.test('a repeat after an attempt without an order reuses its cart', async t => {
  const { orders, table, requests, bodies, sent } = openFakeShop(t, {
    answers: { 'POST orders': [400, { errors: [{ code: 41, message: 'no' }] }] }
  })
  await t.rejects(orders.createOrder(newOrder(), { reference }), { code: AdapterErrorCode.rejected })
  sent.length = 0
  table['GET specific_prices'] = [200, { specific_prices: [{ id: 30, id_cart: '9' }, { id: 29, id_cart: '8' }] }]
  await t.rejects(orders.createOrder(newOrder(), { reference }))

  t.match(bodies('PUT carts/9'), [{ id: '9', id_carrier: '2' }])
  t.same(requests().filter(request => request.startsWith('DELETE')), ['DELETE specific_prices/30'])
  t.notOk(requests().includes('POST carts'))
})

t.test('a reused cart keeps members that the hub does not write, and chooses the carrier anew', async t => {
  const { orders, table, bodies } = openFakeShop(t, {
    answers: { 'POST orders': [400, { errors: [{ code: 41, message: 'no' }] }] }
  })
  await t.rejects(orders.createOrder(newOrder(), { reference }))
  await t.rejects(orders.createOrder(newOrder(), { reference }))
  table['GET carts'] = [200, { carts: [{ ...cartRow, id_carrier: '3', delivery_option: '{"5":"3,"}' }] }]
  await t.rejects(orders.createOrder(newOrder(), { reference }))

  const [same, other] = bodies('PUT carts/9')
  t.match(same, {
    id: '9',
    id_shop_group: '1',
    gift: '1',
    gift_message: 'for Jan',
    allow_seperated_package: '0',
    delivery_option: '{"5":"2,"}',
    id_carrier: '2',
    id_product: '27',
    quantity: '1'
  })
  t.match(other, { gift_message: 'for Jan', id_carrier: '2', delivery_option: '{"5":"2,"}' })
})

t.test('a cart that is gone from the shop is replaced by a new one', async t => {
  const { orders, table, requests, sent } = openFakeShop(t, {
    answers: { 'POST orders': [400, { errors: [{ code: 41, message: 'no' }] }] }
  })
  await t.rejects(orders.createOrder(newOrder(), { reference }))
  sent.length = 0
  table['GET carts'] = [200, []]
  await t.rejects(orders.createOrder(newOrder(), { reference }))

  t.ok(requests().includes('POST carts'))
})

t.test('without the name of a payment module the webservice writes nothing', async t => {
  const { orders, sent } = openFakeShop(t, { config: { paymentModule: undefined } as Partial<Config> })

  await t.rejects(orders.createOrder(newOrder(), { reference }), {
    code: AdapterErrorCode.configuration,
    message: /need config\.paymentModule, the name of a payment module that is active in the shop/
  })
  t.same(sent.filter(({ method }) => method !== 'GET'), [])
})

t.test('a missing payment module is a configuration error, and a repeat does not wait', async t => {
  const said = 'Call to a member function validateOrder() on bool'
  const answers = [
    { errors: [{ code: 2, message: `[PHP Unknown error] ${said}` }] },
    `<b>Fatal error</b>: Uncaught Error: ${said} in orders.php`
  ]
  for (const body of answers) {
    const { orders, requests } = openFakeShop(t, { answers: { 'POST orders': [500, body] } })

    await t.rejects(orders.createOrder(newOrder(), { reference }), {
      code: AdapterErrorCode.configuration,
      message: /config\.paymentModule/
    })
    await t.rejects(orders.createOrder(newOrder(), { reference }), { code: AdapterErrorCode.configuration })
    t.equal(requests().filter(request => request === 'POST orders').length, 2)
  }
})

t.test("an unknown outcome quotes the shop's message", async t => {
  const { orders } = openFakeShop(t, {
    answers: { 'POST orders': [500, { errors: [{ code: 2, message: 'Undefined index: tax' }] }] }
  })

  await t.rejects(orders.createOrder(newOrder(), { reference }), {
    code: AdapterErrorCode.outcomeUnknown,
    message: /Undefined index: tax/
  })
})

t.test('an empty 500 for an order names its likely cause, and the order is looked for', async t => {
  const { orders, requests } = openFakeShop(t, { answers: { 'POST orders': [500, ''] } })
  const unknown = { code: AdapterErrorCode.outcomeUnknown, message: /most likely .*config\.paymentModule/ }

  await t.rejects(orders.createOrder(newOrder(), { reference }), unknown)
  await t.rejects(orders.createOrder(newOrder(), { reference }), unknown)
  t.equal(requests().filter(request => request === 'GET orders').length, 1)
})

t.test('an unknown reference has no order', async t => {
  const { orders, requests } = openFakeShop(t)

  t.equal(await orders.findOrder('unknown'), null)
  t.same(requests(), ['GET orders'])
})

t.test('a hub that lost its state finds the order of the module by its reference', async t => {
  const { orders, table, sent } = openFakeShop(t)
  const inShop = orderReferenceOf(reference)
  table['GET orders'] = [200, { orders: [{ ...orderRow, id: 6 }, { ...orderRow, reference: inShop }] }]

  t.same(await orders.findOrder(reference), { externalId: '5' })
  t.same(sent.map(({ query }) => query.get('filter[reference]')), [`[${inShop}]`])
})

t.test('an order with another total or a payment error is answered with problems, and keeps that state', async t => {
  const { orders, table, bodies } = openFakeShop(t)
  table['GET orders'] = [200, {
    orders: [{ ...orderRow, current_state: '8', id_carrier: '0', total_paid_tax_incl: '124.990000' }]
  }]

  const made = await orders.createOrder(newOrder(), { reference })

  t.match(made, {
    externalId: '5',
    problems: [/payment error.*124\.99.*119\.99/, /124\.990000.*119\.99/, /no carrier/]
  })
  t.same(bodies('POST order_histories'), [])
})

t.test('a carrier that the shop takes instead of the wanted one is corrected, and is a problem', async t => {
  const { orders, table, bodies } = openFakeShop(t)
  table['GET orders'] = [200, { orders: [{ ...orderRow, id_carrier: '1' }] }]
  const row = { ...carrierRow, id_carrier: '1' }
  let reads = 0
  table['GET order_carriers'] = () => [200, { order_carriers: [reads++ === 0 ? row : carrierRow] }]

  const made = await orders.createOrder(newOrder(), { reference })

  t.match(made.problems, [/took carrier 1 instead of '2'/])
  t.match(bodies('PUT order_carriers/7'), [{ id_carrier: '2', shipping_cost_tax_incl: '19.990000' }])
})

t.test('a total that differs by the shipping alone is corrected, by PUT where the shop has no PATCH', async t => {
  for (const isKnown of [true, false]) {
    const { orders, table, bodies } = openFakeShop(t)
    const priced = { ...orderRow, current_state: '8', total_paid_tax_incl: '125.00', note: 'kept', gift: false }
    table['GET orders'] = [200, { orders: [priced] }]
    if (!isKnown) table['PATCH orders'] = [405, { errors: [{ code: 23, message: 'no' }] }]

    await orders.createOrder(newOrder(), { reference })

    const [changed] = bodies(isKnown ? 'PATCH orders/5' : 'PUT orders/5')
    t.match(changed, { id: '5', total_paid_tax_incl: '119.99', total_paid_tax_excl: '97.552033' })
    t.equal(changed?.note, isKnown ? undefined : 'kept')
    t.equal(changed?.gift, isKnown ? undefined : '0')
  }
})

t.test('a total that differs by the products is left as it is', async t => {
  const { orders, table, requests } = openFakeShop(t)
  table['GET orders'] = [200, {
    orders: [{ ...orderRow, total_paid_tax_incl: '125.00', total_products_wt: '105.01' }]
  }]

  t.match((await orders.createOrder(newOrder(), { reference })).problems, [/125\.00.*119\.99/])
  t.notOk(requests().includes('PATCH orders/5'))
})

t.test('shipping costs that the shop computed differently are corrected on the newest carrier row', async t => {
  const { orders, table, bodies } = openFakeShop(t)
  table['GET order_carriers'] = [200, {
    order_carriers: [{ ...carrierRow, id: 6 }, { ...carrierRow, shipping_cost_tax_incl: '25.000000' }]
  }]

  await orders.createOrder(newOrder(), { reference })

  t.match(bodies('PUT order_carriers/7'), [{
    ...carrierRow,
    id: '7',
    shipping_cost_tax_incl: '19.99',
    shipping_cost_tax_excl: '16.252033'
  }])
})

t.test('a later step that can never succeed is a problem, and one that may succeed is retried', async t => {
  const { orders, table, requests } = openFakeShop(t, { answers: { 'GET order_carriers': [503, ''] } })
  await t.rejects(orders.createOrder(newOrder(), { reference }), { code: AdapterErrorCode.transient })

  table['GET order_carriers'] = [401, { errors: [{ code: 26, message: 'not allowed' }] }]
  t.match(await orders.createOrder(newOrder(), { reference }), { externalId: '5', problems: [/GET order_carriers/] })
  t.equal(requests().filter(request => request === 'POST orders').length, 1)
})

t.test('a message that the shop fails to write is a problem of the order, unless it is there', async t => {
  const failing: Record<string, Reply | 'lost'>[] = [
    { 'POST messages': [500, ''] },
    { 'POST messages': 'lost', 'GET messages': [500, ''] },
    { 'POST messages': [503, ''] },
    { 'POST messages': [401, { errors: [{ code: 26, message: 'no' }] }] }
  ]
  for (const replies of failing) {
    const answers = Object.fromEntries(Object.entries(replies).map(([name, reply]) => [name, () => reply]))
    const { orders, requests } = openFakeShop(t, { answers })

    t.match(await orders.createOrder(newOrder(), { reference }), {
      externalId: '5',
      problems: [/^the shop has no message for its staff about .*POST .*messages/]
    })
    t.equal(requests().filter(request => request === 'POST orders').length, 1)
  }

  const { orders, table, bodies } = openFakeShop(t, { answers: { 'POST messages': () => 'lost' } })
  table['GET messages'] = () => [200, { messages: [{ id: 50, id_cart: '9', ...bodies('POST messages')[0] }] }]
  t.same(await orders.createOrder(newOrder(), { reference }), { externalId: '5' })
})

t.test('a message waits with its order while the shop asks for time', async t => {
  const { orders, requests } = openFakeShop(t, { answers: { 'POST messages': [429, '', { 'retry-after': '3600' }] } })

  await t.rejects(orders.createOrder(newOrder(), { reference }), { code: AdapterErrorCode.rateLimited })
  t.notOk(requests().includes('POST orders'))
})

t.test('cart prices that cannot be deleted give a warning', async t => {
  const { orders, logs } = openFakeShop(t, {
    answers: { 'DELETE specific_prices': [401, { errors: [{ code: 26, message: 'no' }] }] }
  })

  t.same(await orders.createOrder(newOrder(), { reference }), { externalId: '5' })
  t.match(logs, [{ level: 'warn', message: /until they expire/ }])
})

t.test("the lines add up to the buyer's total minus shipping, taxed and untaxed", async t => {
  const { orders, table, bodies } = openFakeShop(t)
  table['GET products'] = [200, {
    products: [{ id: 27, id_tax_rules_group: '1' }, { id: 28, id_tax_rules_group: '0' }]
  }]
  const lines = [
    line('30.00', { quantity: 2 }),
    line('40.00', { productExternalId: '28', variantExternalId: 'product:28' })
  ]

  await orders.createOrder(newOrder({ lines, total: { amount: '109.99', currency: 'PLN' } }), { reference })

  t.match(bodies('POST specific_prices'), [
    { id_product_attribute: '101', price: '21.951220' },
    { id_product_attribute: '0', price: '36.000000' }
  ])
})

const { configuration, rejected } = AdapterErrorCode
interface Refusal {
  answers?: Record<string, [status: number, body: object]>
  change?: Parameters<typeof newOrder>[0]
  error: { code: string, message: RegExp }
}
const refusals: Record<string, Refusal> = {
  'a currency that is switched off': {
    answers: { 'GET currencies': [200, { currencies: [{ id: 1, iso_code: 'PLN', active: '0' }] }] },
    error: { code: configuration, message: /in PLN, and the shop has none/ }
  },
  'a country that is switched off': {
    answers: { 'GET countries': [200, { countries: [{ id: 14, iso_code: 'PL', active: '0' }] }] },
    error: { code: rejected, message: /^Country PL not found \/ not active$/ }
  },
  'an unknown country': {
    answers: { 'GET countries': [200, []] },
    error: { code: rejected, message: /^Country PL not found \/ not active$/ }
  },
  'a tax rate that the shop does not say': {
    answers: { 'GET taxes': [200, []] },
    error: { code: rejected, message: /tax rate/ }
  },
  'a product that is gone': {
    answers: { 'GET products': [200, []] },
    error: { code: rejected, message: /product 27/ }
  },
  'an e-mail that would widen the search': {
    change: { buyer: { email: 'a|b@example.com' } },
    error: { code: rejected, message: /e-mail/ }
  },
  'a line in another currency': {
    change: { lines: [line('1.00', { unitPrice: { amount: '1.00', currency: 'EUR' } })] },
    error: { code: rejected, message: /EUR/ }
  },
  'an order that was cancelled meanwhile': {
    change: { status: 'cancelled' },
    error: { code: rejected, message: /cancelled/ }
  },
  'a variant of another product': {
    change: { lines: [line('100.00', { variantExternalId: 'product:28' })] },
    error: { code: rejected, message: /not a variant of product 27/ }
  }
}
for (const [what, { answers = {}, change, error }] of Object.entries(refusals)) {
  t.test(`refused before a cart is made: ${what}`, async t => {
    const { orders, requests } = openFakeShop(t, { answers })

    await t.rejects(orders.createOrder(newOrder(change), { reference }), error)
    t.notOk(requests().includes('POST carts'))
  })
}

t.test('an active country is remembered for a day, and an inactive one is asked for each time', async t => {
  const { orders, table, requests } = openFakeShop(t, { answers: { 'GET countries': [200, []] } })
  await t.rejects(orders.createOrder(newOrder(), { reference }))
  table['GET countries'] = [200, { countries: [{ id: 14, iso_code: 'PL', active: true }] }]
  await orders.createOrder(newOrder(), { reference })
  await orders.createOrder(newOrder(), { reference: 'order-2' })

  t.equal(requests().filter(request => request === 'GET countries').length, 2)
})

const inGroup = { id_default_group: '2', associations: { groups: [{ id: '2' }] } }

t.test("the order goes to a customer in a group with the buyer's e-mail, or else to a new guest", async t => {
  const { orders, table, bodies, sent } = openFakeShop(t)
  const customer = { email: 'buyer@example.com', active: '1' }
  const outside = [
    { ...customer, id: 10, id_default_group: '0' },
    { ...customer, id: 11, id_default_group: '3', associations: { groups: [] } }
  ]
  table['GET customers'] = [200, { customers: [...outside, { ...customer, id: 13, ...inGroup }] }]
  await orders.createOrder(newOrder(), { reference })
  table['GET customers'] = [200, { customers: outside }]
  await orders.createOrder(newOrder(), { reference: 'order-2' })

  t.match(bodies('POST carts'), [{ id_customer: '13' }, { id_customer: '12' }])
  t.equal(bodies('POST customers').length, 1)
  // Without `sort` the shop answers in no order, and the first customer would be any.
  const asked = sent.filter(({ method, path }) => method === 'GET' && path === 'customers')
  t.strictSame(asked.map(({ query }) => query.get('sort')), ['[id_ASC]', '[id_ASC]'])
})

t.test('a buyer and an address that the shop already has are reused', async t => {
  const { orders, table, requests, bodies } = openFakeShop(t)
  const customers = [
    { id: 10, email: 'buyer@example.com', active: '0', ...inGroup },
    { id: 11, email: 'Buyer@Example.com', active: '1', ...inGroup },
    { id: 13, email: 'buyer@example.com', active: '1', ...inGroup }
  ]
  const address = {
    id: 71,
    id_customer: '11',
    id_country: '14',
    firstname: 'ANNA',
    lastname: 'Nowak',
    address1: 'ul. Prosta  1/2',
    postcode: '00-001',
    city: 'warszawa',
    phone: '500600700'
  }
  table['GET customers'] = [200, { customers }]
  table['GET addresses'] = [200, { addresses: [address, { ...address, id: 72, deleted: '1' }] }]

  await orders.createOrder(newOrder({ buyer: { email: ' Buyer@example.com ' } }), { reference })

  t.match(bodies('POST carts'), [{ id_customer: '11', id_address_delivery: '71' }])
  t.notOk(requests().some(request => ['POST customers', 'POST addresses'].includes(request)))
})
