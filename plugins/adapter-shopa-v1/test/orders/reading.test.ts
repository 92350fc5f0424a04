import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { syncOrder } from '../../src/orders/sync.ts'
import { openFakeShop, rows, type Reply } from './fake-shop.ts'

const order = {
  ...rows.orderRow,
  id_address_delivery: '5',
  id_address_invoice: '6',
  current_state: '4',
  module: 'cash_on_delivery',
  payment: 'Cash',
  total_paid_real: '20.000000',
  date_add: '2025-01-02 10:00:00',
  date_upd: '2025-01-02 10:05:00',
  total_shipping_tax_incl: '19.990000'
}
const address = {
  id: 5,
  id_customer: '12',
  id_country: '14',
  firstname: 'Anna',
  lastname: 'Nowak',
  company: '',
  vat_number: '',
  address1: 'Prosta 1',
  address2: 'm. 2',
  postcode: '00-001',
  city: 'Warszawa',
  phone: '500600700'
}
const detail = {
  id: 7,
  id_order: '5',
  product_id: '27',
  product_name: 'Mug - Red',
  product_quantity: '2',
  unit_price_tax_incl: '49.990000'
}
const answers: Record<string, Reply> = {
  'GET orders': [200, { orders: [order] }],
  'GET order_details': [200, { order_details: [{ ...detail, unit_price_tax_incl: '49.999999' }] }],
  'GET addresses': [200, { addresses: [address, { ...address, id: 6, company: 'ACME', vat_number: 'PL1' }] }],
  'GET customers': [200, { customers: [{ id: 12, email: 'buyer@example.com' }] }],
  'GET carriers': [200, { carriers: [{ id: 2, id_reference: '1', name: 'My carrier' }] }],
  'GET order_carriers': [200, {
    order_carriers: [
      { ...rows.carrierRow, id: 6, tracking_number: 'OLD' },
      { ...rows.carrierRow, tracking_number: '620' }
    ]
  }]
}

t.test('an order is read with its lines, addresses, buyer, carrier and newest tracking number', async t => {
  const delivery = {
    firstName: 'Anna',
    lastName: 'Nowak',
    phone: '500600700',
    street: 'Prosta 1, m. 2',
    postcode: '00-001',
    city: 'Warszawa',
    country: 'PL'
  }

  t.same(await openFakeShop(t, { answers }).orders.getOrder('5'), {
    externalId: '5',
    status: 'shipped',
    upstreamStatus: 'State 4',
    revision: '2025-01-02 10:05:00/4/620',
    placedAt: '2025-01-02T09:00:00.000Z',
    buyer: { externalId: '12', email: 'buyer@example.com' },
    lines: [{ externalId: '7', name: 'Mug - Red', quantity: 2, unitPrice: { amount: '50.00', currency: 'PLN' } }],
    total: { amount: '119.99', currency: 'PLN' },
    payment: { method: 'cash-on-delivery', paid: { amount: '20.00', currency: 'PLN' }, methodName: 'Cash' },
    shipping: {
      methodId: '1',
      methodName: 'My carrier',
      price: { amount: '19.99', currency: 'PLN' },
      address: delivery
    },
    invoiceAddress: { ...delivery, company: 'ACME', taxId: 'PL1' },
    tracking: { carrier: 'My carrier', number: '620' }
  })
})

t.test('an order whose time of placing is unknown or does not exist still tells its parcel', async t => {
  const cases: [string, string][] = [
    ['2025-03-30 02:30:00', '2025-03-30T01:30:00.000Z'],
    ['0000-00-00 00:00:00', '2025-01-02T09:05:00.000Z']
  ] as const
  const { orders, table } = openFakeShop(t, { answers })
  for (const [date_add, placedAt] of cases) {
    table['GET orders'] = [200, { orders: [{ ...order, date_add }] }]
    t.match(await orders.getOrder('5'), { placedAt, tracking: { number: '620' } }, date_add)
  }
})

t.test('the status follows the flags of the state, and the ids of states without flags', async t => {
  const cases: Array<[state: string, status: string]> = [
    ['2', 'processing'],
    ['4', 'shipped'],
    ['20', 'shipped'],
    ['5', 'delivered'],
    ['6', 'cancelled'],
    ['7', 'returned'],
    ['8', 'pending'],
    ['99', 'pending']
  ]
  const { orders, table } = openFakeShop(t, { answers })
  for (const [state, status] of cases) {
    table['GET orders'] = [200, { orders: [{ ...order, current_state: state }] }]
    t.equal((await orders.getOrder('5')).status, status, state)
  }
})

t.test("a page of orders needs as many requests as one order, and asks in the shop's own time", async t => {
  const { orders, table, sent, requests, logs } = openFakeShop(t, { answers })
  table['GET orders'] = [200, {
    orders: [{ ...order, id: 4 }, order, { ...order, id: 6, date_upd: '2025-01-02 08:00:00' }]
  }]

  table['GET order_details'] = [200, {
    order_details: ['5', '6'].map(id_order => ({
      id: 7,
      id_order,
      product_name: 'Mug',
      product_quantity: '1',
      unit_price_tax_incl: '1'
    }))
  }]

  const page = await orders.listOrders({ limit: 3, updatedSince: '2025-01-02T09:02:00Z' })

  t.same(page.items.map(({ externalId }) => externalId), ['5'])
  t.equal(page.nextCursor, '6')
  t.same(sent[0]?.query.get('filter[date_upd]'), '>[2025-01-02 09:00:00]')
  t.equal(new Set(requests()).size, requests().length)
  t.match(logs, [{ level: 'warn', fields: { orderExternalId: '4' } }])
})

t.test('an order without lines is a transient error, not an empty order', async t => {
  const { orders } = openFakeShop(t, { answers: { ...answers, 'GET order_details': [200, []] } })

  await t.rejects(orders.getOrder('5'), { code: AdapterErrorCode.transient })
})

const unreadable: Array<[field: string, order: object, detail: object]> = [
  ['product_quantity', {}, { product_quantity: '' }],
  ['product_quantity', {}, { product_quantity: 'two' }],
  ['unit_price_tax_incl', {}, { unit_price_tax_incl: '' }],
  ['unit_price_tax_incl', {}, { unit_price_tax_incl: '49.9900000001' }],
  ['total_paid_tax_incl', { total_paid_tax_incl: 'NaN' }, {}],
  ['total_paid_tax_incl, total_paid', { total_paid_tax_incl: '', total_paid: null }, {}],
  ['total_shipping_tax_incl', { total_shipping_tax_incl: '1,99' }, {}],
  ['date_add', { date_add: '0000-00-00 00:00:00', date_upd: '' }, {}],
  ['date_add', { date_add: '', date_upd: '' }, {}]
]
t.test('the error names a number or time that cannot be read', async t => {
  const { orders, table } = openFakeShop(t, { answers })
  for (const [field, changedOrder, changedDetail] of unreadable) {
    table['GET orders'] = [200, { orders: [{ ...order, ...changedOrder }] }]
    table['GET order_details'] = [200, { order_details: [{ ...detail, ...changedDetail }] }]
    await t.rejects(
      orders.getOrder('5'),
      { code: AdapterErrorCode.transient, message: new RegExp(`^${field} of `) },
      field
    )
  }
})

t.test('an unreadable order does not hide the others', async t => {
  const { orders, table, logs } = openFakeShop(t, { answers })
  table['GET orders'] = [200, {
    orders: [{ ...order, date_add: '', date_upd: '' }, { ...order, id: 6 }, { ...order, id: 7, id_currency: '9' }]
  }]
  table['GET order_details'] = [200, {
    order_details: [detail, { ...detail, id_order: '6' }, { ...detail, id_order: '7' }]
  }]

  const { items } = await orders.listOrders({ limit: 10 })

  t.same(items.map(({ externalId }) => externalId), ['6'])
  t.match(logs, [
    { level: 'warn', fields: { orderExternalId: '5', reason: /date_add/ } },
    { level: 'warn', fields: { orderExternalId: '7', reason: /currency/ } }
  ])
})

t.test('many orders need as many requests as one; an order that the shop lacks is left out', async t => {
  const { orders, table, requests, sent } = openFakeShop(t, { answers })
  table['GET orders'] = [200, { orders: [order, { ...order, id: 6, date_add: '', date_upd: '' }] }]
  table['GET order_details'] = [200, { order_details: [detail, { ...detail, id_order: '6' }] }]

  const read = await orders.getOrders(['5', '6', '7', '1|2'])

  t.same(read.map(({ externalId }) => externalId), ['5'])
  t.equal(sent[0]?.query.get('filter[id]'), '[5|6|7]')
  t.equal(new Set(requests()).size, requests().length)
  table['GET orders'] = [200, []]
  t.same(await orders.getOrders(['8']), [])
})

t.test('a line with quantity 0 is left out', async t => {
  const { orders } = openFakeShop(t, {
    answers: {
      ...answers,
      'GET order_details': [200, { order_details: [detail, { ...detail, id: 8, product_quantity: '0' }] }]
    }
  })

  t.match((await orders.getOrder('5')).lines, [{ externalId: '7' }])
  t.equal((await orders.getOrder('5')).lines.length, 1)
})

t.test('the job answers the present order, or that it does not exist', async t => {
  const { client, context, table } = openFakeShop(t, { answers })
  const run = () =>
    syncOrder.run(client, { id: 'job-1', type: 'shopa.order.syncByExternalId', payload: { externalId: '5' } }, context)

  t.match(await run(), { orders: [{ externalId: '5' }] })
  table['GET orders'] = [200, []]
  t.match(await run(), { result: { externalId: '5', found: false } })
})
