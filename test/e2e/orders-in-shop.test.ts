import shopa from '@linker/adapter-shopa-v1'
import packageJson from '@linker/adapter-shopa-v1/package.json' with { type: 'json' }
import type { CreatedOrder, NewOrder, Order } from '@linker/sdk'
import { createTestHost } from '@linker/sdk/testing'
import { sampleProducts, sampleSupporting, startShopA, type ShopAOptions } from '@linker/simulators'
import t from 'tap'

const apiKey = 'ORDERS-IN-SHOP-KEY-0000000000000'
const secret = 'module-secret-0123456789-0123456789'

type Path = 'module' | 'webservice'
const paths = ['module', 'webservice'] as const

interface Options extends Partial<ShopAOptions> {
  path: Path
  config?: object
}

/** Opens a shop and the adapter that makes orders in it, without a hub. */
async function openShop (t: Tap.Test, { path, config = {}, ...options }: Options) {
  const host = createTestHost({ now: new Date('2025-01-02T12:00:00Z') })
  const shop = await startShopA({ apiKey, products: sampleProducts, now: host.clock.now, ...options })
  t.teardown(async () => {
    await host.close()
    await shop.close()
  })
  shop.setCountryActive('PL', true)
  shop.sender.configure({ baseUrl: 'http://127.0.0.1:9', connectionId: 'shop-1', secret })
  const connection = await host.open({
    manifest: packageJson.linker,
    definition: shopa,
    config: {
      timeZone: 'Europe/Warsaw',
      orderPath: path,
      paymentModule: 'wirepayment',
      carriers: [{ methodId: 'courier', carrierReference: '2' }],
      ...config
    },
    credentials: { apiUrl: shop.apiUrl, apiKey, moduleSecret: secret }
  })
  const call = <Answer>(method: string, ...args: unknown[]) =>
    connection.call({ kind: 'capability', capability: 'OrderProcessorManager', method }, args) as Promise<Answer>
  let made = 0

  return {
    shop,
    host,
    createOrder: (order: NewOrder, reference = `order-${++made}`) =>
      call<CreatedOrder>('createOrder', order, { reference }),
    getOrder: (id: string) => call<Order>('getOrder', id)
  }
}
declare namespace Tap {
  interface Test {
    teardown: (end: () => unknown) => void
  }
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
const pln = (amount: string) => ({ amount, currency: 'PLN' })

function line (amount: string, change: Partial<NewOrder['lines'][number]> = {}): NewOrder['lines'][number] {
  return {
    externalId: `line-${amount}`,
    name: 'Mug',
    quantity: 1,
    unitPrice: pln(amount),
    productExternalId: '27',
    variantExternalId: '101',
    ...change
  }
}

function newOrder (change: Partial<NewOrder> = {}): NewOrder {
  return {
    externalId: 'form-1',
    status: 'processing',
    revision: '1',
    placedAt: '2025-01-02T11:00:00Z',
    buyer: { email: 'buyer@example.com' },
    lines: [line('100.00')],
    total: pln('115.00'),
    payment: { method: 'prepaid', paid: pln('115.00') },
    shipping: { methodId: 'courier', methodName: 'Courier 24h', price: pln('15.00'), address },
    source: { connectionId: 'market-1', platformType: 'mkta' },
    ...change
  }
}

const asPriced: Partial<NewOrder> = {
  total: pln('119.99'),
  payment: { method: 'prepaid', paid: pln('119.99') },
  shipping: { ...newOrder().shipping, price: pln('19.99') }
}

t.test('the module makes an order with the mapped carrier and the total that the buyer paid', async t => {
  const { shop, createOrder, getOrder } = await openShop(t, { path: 'module' })

  t.strictSame(await createOrder(newOrder()), { externalId: '1' })

  t.match(shop.order(1), {
    stateId: 2,
    carrierId: 2,
    total: '115.000000',
    shipping: '15.00',
    payments: ['115.000000']
  })
  shop.setTracking(1, 'TRACK1')
  t.match(await getOrder('1'), { tracking: { carrier: 'My carrier' }, total: pln('115.00') })
})

t.test("the module's own carrier is no name that buyers know", async t => {
  const { shop, createOrder, getOrder } = await openShop(t, { path: 'module', config: { carriers: [] } })

  t.strictSame(await createOrder(newOrder()), { externalId: '1' })

  t.match(shop.order(1), { stateId: 2, carrierId: 3, total: '115.000000' })
  shop.setTracking(1, 'TRACK1')
  t.match(await getOrder('1'), { tracking: { carrier: 'other' } })
})

t.test('the webservice makes an order with the mapped carrier, whose price the buyer paid', async t => {
  const { shop, createOrder } = await openShop(t, { path: 'webservice' })

  t.strictSame(await createOrder(newOrder(asPriced)), { externalId: '1' })

  t.match(shop.order(1), { stateId: 2, carrierId: 2, total: '119.990000', payments: ['119.990000'] })
})

t.test('an order that the shop priced differently gets its totals, and stays in the payment error', async t => {
  for (const patch of [true, false]) {
    const { shop, createOrder } = await openShop(t, { path: 'webservice' })
    shop.switches.patch = patch

    const made = await createOrder(newOrder())

    t.match(made.problems, [/payment error.*119\.99.*115\.00/])
    t.match(shop.order(1), { stateId: 8, carrierId: 2, shipping: '15.00', payments: ['115.000000'] })
    t.equal(Number(shop.order(1).total), 115)
  }
})

t.test('the current id of an edited carrier is taken', async t => {
  const { shop, createOrder } = await openShop(t, { path: 'webservice' })
  shop.editCarrier(2, {})
  t.strictSame(await createOrder(newOrder(asPriced)), { externalId: '1' })
  t.match(shop.order(1), { carrierId: 4 })
})

t.test('a state that the shop sets itself stays, and is reported', async t => {
  for (const path of paths) {
    const { shop, createOrder } = await openShop(t, { path })
    shop.switches.backorders = true

    const made = await createOrder(newOrder({ ...asPriced, lines: [line('10.00', { quantity: 10 })] }))

    t.match(made, { externalId: '1', problems: [/short of stock/] }, path)
    t.match(shop.order(1), { stateId: 9, payments: ['119.990000'] }, path)
  }
})

t.test('two prices of one variant make one order, for every total', async t => {
  const cases = [[line('60.00'), line('40.00')], [line('33.33', { quantity: 2 }), line('33.34')], [
    line('6.67', { quantity: 2 }),
    line('6.66')
  ], [line('10.00', { quantity: 3 }), line('5.01', { quantity: 4 })]]
  for (const lines of cases) {
    const cents = lines.reduce(
      (sum, { quantity, unitPrice }) => sum + quantity * Math.round(Number(unitPrice.amount) * 100),
      0
    )
    const total = ((cents + 1_500) / 100).toFixed(2)
    const { shop, createOrder } = await openShop(t, { path: 'module' })

    t.strictSame(await createOrder(newOrder({ lines, total: pln(total) })), { externalId: '1' }, total)
    t.match(shop.order(1), { stateId: 2, total: `${total}0000`, payments: [`${total}0000`] })
  }
})

t.test('an order in the currency of the marketplace has the amounts of that currency', async t => {
  const eur = (amount: string) => ({ amount, currency: 'EUR' })
  const order = newOrder({
    lines: [line('25.00', { unitPrice: eur('25.00') })],
    total: eur('29.50'),
    shipping: { ...newOrder().shipping, price: eur('4.50') }
  })
  const { shop, createOrder } = await openShop(t, { path: 'module' })
  await t.rejects(createOrder(order), { message: /EUR.*PLN/ })

  shop.setCurrencyActive('EUR', true)
  t.strictSame(await createOrder(order), { externalId: '1' })
  t.match(shop.order(1), { currency: 'EUR', total: '29.500000', stateId: 2 })
})

t.test('the price is net of the tax at the delivery address: by postcode, and none without a rule', async t => {
  const rule = (id: number, tax: number, fields: Record<string, string> = {}) => ({
    id,
    fields: {
      id_tax_rules_group: '1',
      id_country: '14',
      zipcode_from: '0',
      zipcode_to: '0',
      id_tax: String(tax),
      ...fields
    }
  })
  const supporting = {
    ...sampleSupporting,
    taxes: [{ id: 1, fields: { rate: '23.000' } }, { id: 2, fields: { rate: '8.000' } }],
    tax_rules: [rule(1, 1), rule(2, 2, { zipcode_from: '10-000', zipcode_to: '19-999' })]
  }
  const { shop, createOrder } = await openShop(t, { path: 'module', supporting })
  const addresses = [{ postcode: '15-000' }, { postcode: '00-001' }, { country: 'DE', postcode: '10115' }]

  for (const place of addresses) {
    const shipping = { ...newOrder().shipping, address: { ...address, ...place } }
    t.same((await createOrder(newOrder({ shipping }))).problems, undefined, JSON.stringify(place))
  }
  t.match(shop.orders(), addresses.map(() => ({ stateId: 2, total: '115.000000' })))
})

const onDelivery: Partial<NewOrder> = { ...asPriced, payment: { method: 'cash-on-delivery', paid: pln('0.00') } }
const later: Partial<NewOrder> = {
  ...asPriced,
  payment: { method: 'deferred', paid: pln('0.00'), methodName: 'PayIn30' }
}
const unpaid = [
  {
    order: onDelivery,
    state: 13,
    name: 'cashOnDelivery',
    payment: 'Marketplace, cash on delivery',
    words: 'Cash on delivery: collect 119.99 PLN\n'
  },
  {
    order: later,
    state: 10,
    name: 'deferred',
    payment: 'Marketplace, pays later',
    words: 'The buyer pays later: PayIn30, 119.99 PLN\n'
  }
]

t.test('an order that is paid on delivery or later is unpaid, in its own state, until the shop ships it', async t => {
  for (const { order, state, payment, words } of unpaid) {
    for (const path of paths) {
      const { shop, createOrder, getOrder } = await openShop(t, { path })

      t.strictSame(await createOrder(newOrder(order)), { externalId: '1' }, path)

      t.match(shop.order(1), {
        stateId: state,
        carrierId: 2,
        total: '119.990000',
        payments: [],
        paid: '0.000000',
        payment
      }, path)
      t.equal(shop.order(1).messages[0]?.slice(0, words.length), words)
      t.match(
        await getOrder('1'),
        { status: 'processing', payment: { method: order.payment?.method, paid: pln('0.00') } },
        path
      )
      shop.changeOrderState(1, 4)
      t.equal(shop.order(1).payments.length, path === 'module' ? 1 : 0, path)
    }
  }
})

t.test('a payment that the key may not delete is a problem of an order that is not paid', async t => {
  for (const { order, state } of unpaid) {
    const { shop, createOrder } = await openShop(t, { path: 'webservice' })
    shop.key.permissions.order_payments = ['GET']

    const made = await createOrder(newOrder(order))

    t.match(made.problems, [/booked a payment of 119\.99 PLN.*DELETE order_payments/])
    t.match(shop.order(1), { stateId: state, payments: ['119.990000'] })
  }
})

t.test('a state that books a payment is no state for an order that is not paid', async t => {
  for (const { order, name } of unpaid) {
    for (const state of ['2', '9', '99']) {
      const { shop, createOrder } = await openShop(t, { path: 'module', config: { orderStates: { [name]: state } } })

      await t.rejects(createOrder(newOrder(order)), { message: new RegExp(`orderStates\\.${name}`) })
      t.equal(shop.orders().length, 0)
    }
  }
})

t.test('an order that should be paid and is not wholly is made as paid, with a problem', async t => {
  for (const path of paths) {
    for (const paid of ['50.00', '0.00']) {
      const { shop, createOrder } = await openShop(t, { path })

      const made = await createOrder(newOrder({ ...asPriced, payment: { method: 'prepaid', paid: pln(paid) } }))

      t.strictSame(made.problems, [
        `the buyer has paid ${paid} of 119.99 PLN, and the order counts as paid in the shop`
      ], path)
      t.match(shop.order(1), { stateId: 2, payments: ['119.990000'] }, path)
    }
  }
})

t.test('an order that the buyer could pay later, and has paid, is paid', async t => {
  const { shop, createOrder } = await openShop(t, { path: 'module' })

  const paid = { ...asPriced, payment: { method: 'deferred' as const, paid: pln('119.99') } }
  t.strictSame(await createOrder(newOrder(paid)), { externalId: '1' })
  t.match(shop.order(1), { stateId: 2, payments: ['119.990000'], payment: 'Marketplace' })
  t.notMatch(shop.order(1).messages, [/later/])
})

t.test('what the buyer and the marketplace say reaches the staff once, however often it is tried', async t => {
  for (const path of paths) {
    const { shop, createOrder } = await openShop(t, { path })
    const order = newOrder({
      ...asPriced,
      shipping: { ...newOrder(asPriced).shipping, pickupPointId: 'POZ08A' },
      comment: 'Ring <b>twice</b>\u0001\nplease \ud800'
    })
    const place = path === 'module' ? /index\.php/ : /\/orders$/
    shop.faults.add({ method: 'POST', path: place, answer: { status: 400, body: '' } })
    await t.rejects(createOrder(order, 'one'))

    t.strictSame(await createOrder(order, 'one'), { externalId: '1' }, path)

    const words = 'Delivery method: Courier 24h\nPickup point: POZ08A\nThe buyer writes: Ring  b twice /b \nplease'
    t.match(shop.order(1).messages.map(text => text.trimEnd()), [words], path)
  }
})

t.test('a message that the key may not write is a problem, not the end of the order', async t => {
  const { shop, createOrder } = await openShop(t, { path: 'module' })
  delete shop.key.permissions.messages

  t.match(await createOrder(newOrder()), { externalId: '1', problems: [/no message for its staff.*POST messages/] })
})

t.test('a name never stops an order', async t => {
  const names = ['P.H.U. Anna/Jan', 'Dr.med. [x]', '12345', '...', 'a`b^c*d', '\u0007Anna\uffff', '  ']
  const { shop, createOrder } = await openShop(t, { path: 'module' })

  for (const [index, lastName] of names.entries()) {
    const order = newOrder({
      buyer: { email: `buyer${index}@example.com` },
      shipping: {
        ...newOrder().shipping,
        address: { ...address, firstName: lastName, lastName, street: '<>', city: '@' }
      }
    })
    t.strictSame(await createOrder(order), { externalId: String(index + 1) }, JSON.stringify(lastName))
  }
  t.equal(shop.orders().length, names.length)
})

t.test('paid extras are a part of the shipping that staff can read, and a discount is shared', async t => {
  for (const path of paths) {
    const { shop, createOrder } = await openShop(t, { path })
    const extras = [
      { kind: 'deposit' as const, name: 'Deposit for bottles', price: pln('4.99') },
      { kind: 'other' as const, name: 'Voucher', price: pln('-10.00') }
    ]

    const made = await createOrder(newOrder({ extras, total: pln('109.99') }))

    t.strictSame(made, { externalId: '1' }, path)
    t.match(shop.order(1), {
      total: '109.990000',
      shipping: '19.990000',
      lines: [{ unitPrice: '90.000000' }],
      messages: [
        /Paid extra, part of the shipping costs: Deposit for bottles, 4\.99 PLN\nDiscount.*Voucher, -10\.00 PLN/
      ]
    }, path)
  }
})
