import { signWebhook } from '@linker/sdk'
import { sampleSupporting, type ShopAOptions } from '@linker/simulators'
import t from 'tap'
import { codes, connectionId, openShop, secret, send } from '../support.ts'

const nowMs = Date.parse('2025-01-01T11:00:31.000Z')
const xml = (name: string, members: Record<string, string | number>, more = '') =>
  `<shopa><${name}>${
    Object.entries(members).map(([member, value]) => `<${member}><![CDATA[${value}]]></${member}>`).join('')
  }${more}</${name}></shopa>`

type Single = Record<string, { id: number } & Record<string, string>>

/** Opens a shop that serves Poland, with the steps that make an order. */
async function openOrders (t: Parameters<typeof openShop>[0], options: Partial<ShopAOptions> = {}) {
  const opened = await openShop(t, { now: () => new Date(nowMs), ...options })
  const { shop, write } = opened
  shop.setCountryActive('PL', true)
  shop.sender.configure({ baseUrl: 'http://127.0.0.1:9', connectionId, secret })

  async function add (
    resource: string,
    name: string,
    members: Record<string, string | number>,
    more = ''
  ): Promise<number> {
    const answer = await write('POST', `/${resource}`, xml(name, members, more))
    if (answer.status !== 201) throw new Error(`${resource}: ${answer.status} ${answer.text}`)
    return Number((answer.json() as Single)[name]?.id)
  }

  /** Makes a cart and returns its id. */
  async function fillCart ({
    carrier = 2,
    groups = '<associations><groups><group><id>2</id></group></groups></associations>',
    quantity = 1,
    optionOf = (address: number) => `{"${address}":"${carrier},"}`,
    address: place = {}
  }: {
    carrier?: number,
    groups?: string,
    quantity?: number,
    optionOf?: (address: number) => string,
    address?: Record<string, string | number>
  } = {}): Promise<number> {
    const customer = await add('customers', 'customer', {
      id_default_group: 2,
      passwd: 'R4nd0m-16-chars!',
      lastname: 'Nowak',
      firstname: 'Anna',
      email: 'Buyer@example.com',
      active: 1,
      is_guest: 1
    }, groups)
    const address = await add('addresses', 'address', {
      id_customer: customer,
      id_country: 14,
      alias: 'ship',
      lastname: 'Nowak',
      firstname: 'Anna',
      address1: 'Prosta 1',
      postcode: '00-001',
      city: 'Warszawa',
      ...place
    })
    const row = '<cart_row><id_product>27</id_product><id_product_attribute>101</id_product_attribute>' +
      `<id_address_delivery>${address}</id_address_delivery><quantity>${quantity}</quantity></cart_row>`
    return add('carts', 'cart', {
      id_currency: 1,
      id_lang: 1,
      id_customer: customer,
      id_carrier: carrier,
      delivery_option: optionOf(address),
      id_address_delivery: address,
      id_address_invoice: address
    }, `<associations><cart_rows>${row}</cart_rows></associations>`)
  }

  const pin = (cart: number, price: string, to = '2025-01-03 10:00:00') =>
    add('specific_prices', 'specific_price', {
      id_shop: 0,
      id_cart: cart,
      id_product: 27,
      id_product_attribute: 101,
      id_currency: 1,
      id_country: 0,
      id_group: 0,
      id_customer: 0,
      price,
      from_quantity: 1,
      reduction: 0,
      reduction_type: 'amount',
      from: '0000-00-00 00:00:00',
      to
    })

  const order = (cart: number, total: string) =>
    write(
      'POST',
      '/orders',
      xml('order', {
        id_address_delivery: 1,
        id_address_invoice: 1,
        id_cart: cart,
        id_currency: 1,
        id_lang: 1,
        id_customer: 1,
        id_carrier: 1,
        current_state: 2,
        module: 'wirepayment',
        payment: 'Marketplace',
        total_paid: total,
        total_paid_real: total,
        total_products: '1',
        total_products_wt: '1',
        conversion_rate: '1.000000'
      })
    )

  function callModule (controller: string, content: object) {
    const body = JSON.stringify(content)
    return send(`${shop.url}/index.php?fc=module&module=linker&controller=${controller}`, {
      method: 'POST',
      headers: { 'x-linker-timestamp': String(nowMs), 'x-linker-signature': signWebhook(secret, String(nowMs), body) },
      body
    })
  }

  const setState = (id: number, state: number) =>
    write('POST', '/order_histories', xml('order_history', { id_order: id, id_order_state: state }))

  return { ...opened, add, fillCart, pin, order, callModule, setState }
}

t.test('an order takes rows and carrier from its cart and prices from the catalogue', async t => {
  const { shop, fillCart, order, get } = await openOrders(t)

  // (81.300813 + 4.065041) × 1.23 is 105.00, twice, and shipping 19.99.
  const answer = await order(await fillCart({ quantity: 2 }), '229.99')

  t.equal(answer.status, 201)
  t.match(shop.orders(), [{
    id: 1,
    cartId: 1,
    stateId: 11,
    carrierId: 2,
    email: 'Buyer@example.com',
    total: '229.990000',
    shipping: '19.990000',
    lines: [{ combinationId: 101, quantity: 2, unitPrice: '105.000000' }]
  }])
  t.equal(shop.stockOf(27, 101), 6)
  t.match((await get('/order_details?filter[id_order]=[1]&display=full')).json(), {
    order_details: [{ product_id: '27', unit_price_tax_incl: '105.000000', total_price_tax_incl: '210.000000' }]
  })
  t.strictSame(shop.sender.outbox.rows().map(({ eventType }) => eventType), ['stock.changed', 'order.created'])
})

t.test('a specific price of a cart counts until it expires, and paying its total pays the order', async t => {
  const { shop, fillCart, pin, order } = await openOrders(t)
  const [pinned, expired] = [await fillCart(), await fillCart()]
  await pin(pinned, '81.300813')
  await pin(expired, '81.300813', '2025-01-01 12:00:00')

  await order(pinned, '119.99')
  await order(expired, '119.99')

  t.match(shop.orders(), [{ stateId: 11, total: '119.990000' }, { stateId: 8, total: '124.990000' }])
})

t.test("an amount other than the cart's total is a payment error and returns the pieces", async t => {
  const { shop, fillCart, order } = await openOrders(t)

  await order(await fillCart(), '100.00')

  t.match(shop.orders(), [{ stateId: 8, total: '124.990000' }])
  t.equal(shop.stockOf(27, 101), 8)
})

t.test('the shop refuses a second order of a cart', async t => {
  const { shop, fillCart, order } = await openOrders(t)
  const cart = await fillCart()
  await order(cart, '124.99')

  const again = await order(cart, '124.99')
  t.strictSame([again.status, again.text], [
    500,
    'Cart cannot be loaded or an order has already been placed using this cart'
  ])
  t.equal(shop.orders().length, 1)
})

t.test('a customer without a group or in an inactive country has no carrier', async t => {
  const { shop, fillCart, order } = await openOrders(t)

  await order(await fillCart({ groups: '' }), '105.00')
  shop.setCountryActive('PL', false)
  await order(await fillCart(), '105.00')

  t.match(shop.orders(), [{ carrierId: 0, stateId: 11, shipping: '0.000000' }, { carrierId: 0, stateId: 11 }])
})

t.test('a cancelled order returns its pieces and takes them again when it is reopened', async t => {
  const { shop, fillCart, order, write, get } = await openOrders(t)
  await order(await fillCart(), '124.99')

  const answer = await write(
    'POST',
    '/order_histories?sendemail=1',
    xml('order_history', { id_order: 1, id_order_state: 6 })
  )
  t.equal(answer.status, 201)
  t.equal(shop.stockOf(27, 101), 8)
  t.match((await get('/orders?filter[id]=[1]&display=full')).json(), { orders: [{ current_state: '6' }] })
  t.notOk(shop.sender.outbox.rows().some(({ eventType }) => eventType === 'order.status_changed'))

  shop.sender.switches.announcesStates = true
  shop.changeOrderState(1, 2)
  t.equal(shop.stockOf(27, 101), 7)
  t.match(shop.sender.outbox.rows().find(({ eventType }) => eventType === 'order.status_changed'), {
    payloadJson: '{"newStatusId":2}'
  })
})

t.test('a carrier that is edited gets a new id and keeps its reference', async t => {
  const { shop, get } = await openOrders(t)

  t.equal(shop.editCarrier(2, { name: 'Faster' }), 4)
  t.match((await get('/carriers?filter[id_reference]=[2]&display=full&sort=id_ASC')).json(), {
    carriers: [{ id: 2, deleted: '1' }, { id: 4, deleted: '0', name: 'Faster' }]
  })
})

t.test('the module prices shipping and imports the order of a cart once', async t => {
  const { shop, fillCart, callModule } = await openOrders(t)
  const cart = await fillCart({ carrier: 3 })

  const price = { id_cart: cart, amount_tax_excl: 10, amount_tax_incl: 10, source: 'mkta' }
  t.strictSame((await callModule('cartshipping', price)).json(), { ok: true, id_cart: cart })
  const content = { id_cart: cart, id_order_state: 2, amount_paid: 115, payment_method: 'Marketplace' }
  t.match((await callModule('importorder', content)).json(), { ok: true, id_order: 1, already_existed: false })
  t.match((await callModule('importorder', content)).json(), { ok: true, id_order: 1, already_existed: true })

  t.match(shop.orders(), [{ stateId: 2, carrierId: 3, total: '115.000000', shipping: '10.000000' }])
})

t.test('the module refuses a cart that cannot be ordered, with an error token', async t => {
  const { shop, fillCart, callModule } = await openOrders(t)
  const content = { id_cart: await fillCart(), id_order_state: 2, amount_paid: 115, payment_method: 'Marketplace' }
  const token = async (controller: string, change: object) =>
    (await callModule(controller, { ...content, ...change })).json()

  t.strictSame(await token('importorder', { id_cart: 99 }), { error: 'cart-not-found' })
  t.strictSame(await token('importorder', { id_order_state: 99 }), { error: 'invalid-order-state' })
  t.strictSame(await token('importorder', { amount_paid: 'much' }), { error: 'invalid-fields' })
  t.strictSame(await token('cartshipping', { amount_tax_excl: -1 }), { error: 'invalid-fields' })
  shop.switches.paymentModule = false
  t.strictSame(await token('importorder', {}), { error: 'payment-module-unavailable' })
})

t.test('invalid members of an address are code 84, and its postcode may be one of another country', async t => {
  const { write } = await openOrders(t)
  const address = {
    id_country: 14,
    alias: 'ship',
    lastname: 'Nowak',
    firstname: 'Anna',
    address1: 'Prosta 1',
    postcode: '00-001',
    city: 'Warszawa'
  }

  const cases: Array<Record<string, string>> = [
    { lastname: 'Nowak 2' },
    { alias: 'a'.repeat(33) },
    { postcode: '00_001' },
    { phone: 'x1' },
    { city: '' },
    { address1: 'Prosta 1 <b>' }
  ]
  for (const bad of cases) {
    const answer = await write('POST', '/addresses', xml('address', { ...address, ...bad }))
    t.strictSame(codes(answer), [84], JSON.stringify(bad))
  }
  const other = { ...address, postcode: '12345', lastname: 'P.H.U. Anna/Jan [x]' }
  t.equal((await write('POST', '/addresses', xml('address', other))).status, 201)
})

t.test('the sender uses the address in the configuration rows', async t => {
  const { shop, get, write } = await openOrders(t)
  const [row] = ((await get('/configurations?filter[name]=[LINKER_BASE_URL]&display=full')).json() as {
    configurations: Array<{ id: number }>
  }).configurations

  const answer = await write(
    'PUT',
    `/configurations/${row?.id}`,
    xml('configuration', { id: row?.id ?? 0, name: 'LINKER_BASE_URL', value: 'http://127.0.0.1:10' })
  )

  t.equal(answer.status, 200)
  t.equal(shop.sender.configuration().baseUrl, 'http://127.0.0.1:10')
  t.equal(shop.configuration('LINKER_CONNECTION_ID'), connectionId)
})

t.test('the tracking number of an order is the one in its carrier row', async t => {
  const { shop, fillCart, order, get } = await openOrders(t)
  await order(await fillCart(), '124.99')

  shop.setTracking(1, '620000000000')

  t.match((await get('/order_carriers?filter[id_order]=[1]&display=full')).json(), {
    order_carriers: [{ tracking_number: '620000000000', shipping_cost_tax_incl: '19.990000' }]
  })
})

t.test('the names of a customer follow a stricter rule than those of an address, with code 85', async t => {
  const { write } = await openOrders(t)
  const customer = { passwd: 'R4nd0m-16-chars!', email: 'a@example.com', firstname: 'Anna', lastname: 'Nowak' }

  for (const lastname of ['P.H.U.', 'Dr.med.', 'Anna/Jan', 'A  B.  C', 'a`b', 'a[b]', 'a^b', ' ', 'Nowak 2']) {
    t.strictSame(codes(await write('POST', '/customers', xml('customer', { ...customer, lastname }))), [85], lastname)
  }
  for (const lastname of ['P. H. U.', 'Dr. med.', "O'Neil-Żak"]) {
    t.equal((await write('POST', '/customers', xml('customer', { ...customer, lastname }))).status, 201, lastname)
  }
})

t.test('a delivery option that does not fit gives the cheapest carrier, without a word', async t => {
  const { shop, fillCart, order } = await openOrders(t)

  const unfit = [() => '', (id: number) => `{"${id}":"2"}`, () => '{"99":"2,"}', (id: number) => `{"${id}":"9,"}`]
  for (const optionOf of unfit) {
    await order(await fillCart({ optionOf }), '105.00')
  }
  t.strictSame(shop.orders().map(({ carrierId, shipping }) => [carrierId, shipping]), Array(4).fill([1, '0.000000']))
})

t.test("the module's price counts for its own carrier only, and the tax of that carrier comes on top", async t => {
  const { shop, fillCart, callModule, write } = await openOrders(t)
  const importOf = async (carrier: number) => {
    const cart = await fillCart({ carrier, optionOf: () => '' })
    await callModule('cartshipping', { id_cart: cart, amount_tax_excl: 10, amount_tax_incl: 10, source: 'mkta' })
    await callModule('importorder', { id_cart: cart, id_order_state: 2, amount_paid: 115, payment_method: 'M' })
  }

  await importOf(3)
  await importOf(2)
  shop.key.permissions.carriers = ['GET', 'PATCH']
  await write('PATCH', '/carriers/3', xml('carrier', { id: 3, id_tax_rules_group: 1 }))
  await importOf(3)

  t.match(shop.orders(), [
    { carrierId: 3, stateId: 2, shipping: '10.000000' },
    { carrierId: 2, stateId: 8, shipping: '19.990000' },
    { carrierId: 3, stateId: 8, shipping: '12.300000' }
  ])
})

t.test('a paid state after a payment error books the total again, and new totals recalculate nothing', async t => {
  const { shop, fillCart, order, setState, write } = await openOrders(t)
  await order(await fillCart(), '119.99')
  t.match(shop.order(1), { stateId: 8, payments: ['119.990000'], paid: '119.990000' })

  await write('PATCH', '/orders/1', xml('order', { id: 1, total_paid: '119.99', total_paid_tax_incl: '119.99' }))
  t.match(shop.order(1), { stateId: 8, total: '119.99', shipping: '19.990000', payments: ['119.990000'] })
  await setState(1, 2)
  t.match(shop.order(1), { stateId: 2, payments: ['119.990000', '119.990000'], paid: '239.980000' })
})

t.test('a state that is not logable books nothing and compares nothing, until the first paid state', async t => {
  const { shop, fillCart, callModule, setState } = await openOrders(t)
  const cart = await fillCart()
  await callModule('importorder', { id_cart: cart, id_order_state: 13, amount_paid: 0, payment_method: 'Cash' })
  t.match(shop.order(1), { stateId: 13, payments: [], paid: '0.000000', total: '124.990000' })

  await setState(1, 4)
  await setState(1, 5)

  t.match(shop.order(1), { stateId: 5, payments: ['124.990000'], paid: '124.990000' })
})

t.test('an order that is short of stock is moved to 9 or 12 by the shop, with the switch', async t => {
  const { shop, fillCart, order, callModule } = await openOrders(t)
  shop.switches.backorders = true

  await order(await fillCart({ quantity: 9 }), '964.99')
  const cart = await fillCart()
  await callModule('importorder', { id_cart: cart, id_order_state: 13, amount_paid: 0, payment_method: 'Cash' })

  t.match(shop.orders(), [{ stateId: 9, payments: ['964.990000'] }, { stateId: 12, payments: [] }])
})

t.test('an order in another currency has converted prices', async t => {
  const { shop, fillCart, order, write } = await openOrders(t)
  const cart = await fillCart()
  await write('PATCH', `/carts/${cart}`, xml('cart', { id: cart, id_currency: 2 }))

  await order(cart, '28.75')

  // (81.300813 + 4.065041) × 0.23 × 1.23 is 24.15, and 16.25 × 0.23 × 1.23 is 4.60.
  t.match(shop.orders(), [{ currency: 'EUR', total: '28.750000', stateId: 11 }])
})

t.test('the first message of a cart goes to its order, unless it is private', async t => {
  const { shop, fillCart, order, add, write } = await openOrders(t)
  const [open, closed] = [await fillCart(), await fillCart()]
  await add('messages', 'message', { id_cart: open, message: 'Ring twice', private: 0 })
  await add('messages', 'message', { id_cart: open, message: 'second', private: 0 })
  await add('messages', 'message', { id_cart: closed, message: 'hidden', private: 1 })

  await order(open, '124.99')
  await order(closed, '124.99')

  t.strictSame(shop.orders().map(({ messages }) => messages), [['Ring twice'], []])
  const script = xml('message', { id_cart: open, message: '<script>' })
  t.strictSame(codes(await write('POST', '/messages', script)), [84])
})

t.test('the narrowest tax rule of the address counts, and an address without a rule has no tax', async t => {
  const { shop, fillCart, order } = await openOrders(t, {
    supporting: {
      ...sampleSupporting,
      taxes: ['23.000', '10.000', '5.000'].map((rate, index) => ({ id: index + 1, fields: { rate } })),
      tax_rules: [
        rule(1, 1),
        rule(2, 2, { zipcode_from: '10-000', zipcode_to: '19-999', behavior: '1' }),
        rule(3, 3, { zipcode_from: '20-000', zipcode_to: '0' }),
        rule(4, 3, { zipcode_from: '30-000', zipcode_to: '39-999', behavior: '2' })
      ]
    }
  })
  for (const postcode of ['00-001', '15-000', '20-000', '35-000']) {
    await order(await fillCart({ carrier: 1, address: { postcode } }), '0')
  }
  await order(await fillCart({ carrier: 1, address: { id_country: 1 } }), '0')

  // The net price is 85.365854.
  t.strictSame(shop.orders().map(({ total }) => total), [
    '105.000000',
    '113.540000',
    '89.630000',
    '110.250000',
    '85.370000'
  ])
})

function rule (id: number, tax: number, fields: Record<string, string> = {}) {
  const plain = { id_tax_rules_group: '1', id_country: '14', zipcode_from: '0', zipcode_to: '0', behavior: '0' }
  return { id, fields: { ...plain, id_tax: String(tax), ...fields } }
}
