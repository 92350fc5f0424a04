import { AdapterErrorCode, Order } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { readOrder } from '../../src/orders/read.ts'
import { buyer, checkoutForm, delivery, lineItem, pickupPoint } from './checkout-form.ts'

const { rejected, transient } = AdapterErrorCode
const zloty = (amount: string) => ({ amount, currency: 'PLN' })
const read = (members: object = {}) => readOrder(checkoutForm(members), ['mktamail.', 'user.mktamail.'])
const person = { firstName: 'Anna', lastName: 'Nowak', phone: '500600700' }

t.test('an order is read in full', async t => {
  const order = read()

  t.strictSame(order, {
    externalId: '29738e61-7f6a-11e8-ac45-09db60ede9d6',
    status: 'processing',
    upstreamStatus: 'READY_FOR_PROCESSING/NEW',
    revision: '819b5836/READY_FOR_PROCESSING/NEW',
    placedAt: '2025-01-02T09:55:00.000Z',
    buyer: { externalId: '555', email: 'hjk2kn6y+2d8f@user.mktamail.example' },
    lines: [{
      externalId: '62ae358b-8f65-4fc4-9c77-bedf604a2e2b',
      offerExternalId: '7680001234',
      name: 'Mug blue',
      quantity: 1,
      unitPrice: zloty('100.00')
    }],
    total: zloty('119.99'),
    payment: { method: 'prepaid', paid: zloty('119.99'), methodName: 'ONLINE P24' },
    shipping: {
      methodId: '2488f7b7-5d1c-4d65-b85c-4cbcf253fd93',
      methodName: 'Courier',
      price: zloty('19.99'),
      pickupPointId: undefined,
      address: {
        firstName: 'Jan',
        lastName: 'Kowal',
        phone: '600700800',
        street: 'ul. Prosta 1/2',
        postcode: '00-001',
        city: 'Warszawa',
        country: 'PL'
      }
    },
    invoiceAddress: {
      company: 'ACME',
      taxId: '1234567890',
      street: 'ul. Prosta 1/2',
      postcode: '00-001',
      city: 'Warszawa',
      country: 'PL'
    },
    comment: 'Please call first'
  })
  t.ok(Value.Check(Order, order))
})

t.test('a member without a value may be null or absent', async t => {
  const withoutEmpty = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withoutEmpty)
    if (typeof value !== 'object' || value === null) return value
    return Object
      .fromEntries(Object.entries(value).flatMap(([name, member]) =>
        member === null ? [] : [[name, withoutEmpty(member)]]
      ))
  }
  const empty = {
    messageToSeller: null,
    payment: { type: 'ONLINE', provider: null, finishedAt: null, paidAmount: null },
    fulfillment: { status: null, provider: null },
    delivery: { ...delivery, address: null, pickupPoint: null, method: null, cost: null },
    invoice: { required: false, address: null },
    lineItems: [lineItem({ deposit: null, selectedAdditionalServices: null, offer: { id: '7680001234', name: null } })]
  }
  const absent = withoutEmpty(checkoutForm(empty))

  t.notMatch(JSON.stringify(absent), /null/)
  t.strictSame(readOrder(absent, []), readOrder(checkoutForm(empty), []))
})

t.test('the price of a line has its discounts, which are no extra', async t => {
  const discounts = [{ type: 'CAMPAIGN' }, { type: 'COUPON' }]
  const order = read({
    lineItems: [lineItem({ price: zloty('80.00'), discounts })],
    summary: { totalToPay: zloty('99.99') }
  })

  t.match(order, { lines: [{ unitPrice: zloty('80.00') }], shipping: { price: zloty('19.99') } })
  t.notOk('extras' in order)
})

t.test('an order is cancelled when either of its two statuses says so', async t => {
  const statuses = [
    ['BOUGHT', 'NEW', 'pending'],
    ['FILLED_IN', 'NEW', 'pending'],
    ['READY_FOR_PROCESSING', 'PROCESSING', 'processing'],
    ['READY_FOR_PROCESSING', 'SUSPENDED', 'processing'],
    ['READY_FOR_PROCESSING', 'READY_FOR_PICKUP', 'processing'],
    ['READY_FOR_PROCESSING', 'SENT', 'shipped'],
    ['READY_FOR_PROCESSING', 'PICKED_UP', 'delivered'],
    ['READY_FOR_PROCESSING', 'RETURNED', 'returned'],
    ['CANCELLED', 'NEW', 'cancelled'],
    ['READY_FOR_PROCESSING', 'CANCELLED', 'cancelled'],
    ['CANCELLED', 'SENT', 'cancelled'],
    ['SOMETHING_NEW', 'NEW', 'pending']
  ] as const
  for (const [status, fulfillment, expected] of statuses) {
    t.equal(read({ status, fulfillment: { status: fulfillment } }).status, expected, `${status}/${fulfillment}`)
  }
})

t.test('a cancellation changes the revision even when the marketplace does not', async t => {
  t.not(read({ status: 'CANCELLED' }).revision, read().revision)
  t.not(read({ fulfillment: { status: 'CANCELLED' } }).revision, read().revision)
  t.not(read({ revision: '2' }).revision, read().revision)
  t.match(read({ revision: null }).revision, /^2025-01-02T10:00:05/)
})

t.test('a buyer without an id is the address, of which a masked one is cut at its plus', async t => {
  const buyerWith = (email: string) => read({ buyer: { ...buyer, id: null, email } }).buyer

  t.same(buyerWith('Hjk2kn6y+2d8f@user.mktamail.example'), { email: 'hjk2kn6y@user.mktamail.example' })
  t.same(buyerWith('hjk2kn6y+2d8f@mktamail.example'), { email: 'hjk2kn6y@mktamail.example' })
  t.same(buyerWith(' Anna+shop@Example.com '), { email: 'anna+shop@example.com' })
  t.same(buyerWith('anna+x@mktamail-fake.example'), { email: 'anna+x@mktamail-fake.example' })
  t.same(read({ buyer: { ...buyer, email: null } }).buyer, { externalId: '555' })
  t.same(read({ buyer: null }).buyer, {})
})

t.test("an empty delivery address is replaced by the pickup point's, else the buyer's own", async t => {
  for (const address of [{}, null, undefined, { street: '', city: null }]) {
    const { shipping } = read({ delivery: { ...delivery, address, pickupPoint } })
    t.match(shipping, { pickupPointId: 'POZ08A' })
    t.strictSame(shipping.address, {
      ...person,
      street: 'ul. Dluga 3',
      postcode: '60-001',
      city: 'Poznan',
      country: 'PL'
    })
  }
  t.strictSame(
    read({ delivery: { ...delivery, address: {}, pickupPoint: { id: 'POZ08A', address: null } } }).shipping.address,
    { ...person, street: 'ul. Kupna 9', postcode: '20-001', city: 'Lublin', country: 'PL' }
  )
  t.match(read({ delivery: { ...delivery, pickupPoint } }).shipping, {
    pickupPointId: 'POZ08A',
    address: { street: 'ul. Prosta 1/2' }
  })
  t.equal(
    read({ delivery: { ...delivery, address: {} }, buyer: { ...buyer, address: null } }).shipping.address,
    undefined
  )
})

t.test('a country in lower case and a delivery without a method do no harm', async t => {
  t.match(read({ delivery: { ...delivery, address: { ...delivery.address, countryCode: 'pl' } } }).shipping.address, {
    country: 'PL'
  })
  t.match(read({ delivery: null }).shipping, {
    methodId: '',
    price: zloty('19.99'),
    address: { street: 'ul. Kupna 9' }
  })
})

t.test('without a delivery cost, shipping costs the total minus the lines', async t => {
  const priced = (total: string, ...lines: [string, number][]) =>
    read({
      delivery: { ...delivery, cost: null },
      lineItems: lines.map(([amount, quantity], index) =>
        lineItem({ id: String(index), quantity, price: zloty(amount) })
      ),
      summary: { totalToPay: zloty(total) }
    }).shipping.price.amount

  t.equal(priced('0.30', ['0.10', 2]), '0.10')
  t.equal(priced('59.97', ['19.99', 3]), '0.00')
  t.equal(priced('59.98', ['19.99', 3]), '0.01')
  t.equal(priced('100', ['0.125', 3]), '99.625')
  t.equal(priced('10.00', ['20.00', 1]), '0.00')
  t.equal(priced('999999999999.99', ['0.01', 1]), '999999999999.98')
})

t.test('what the total has beside lines and shipping is named, so that the parts make the total', async t => {
  const services = [{ definitionId: 'a', name: 'Gift wrapping', price: zloty('4.00'), quantity: 2 }]
  const lineItems = [
    lineItem({ quantity: 3, price: zloty('10.00'), deposit: { price: zloty('0.50') } }),
    lineItem({ id: 'b', price: zloty('20.00'), selectedAdditionalServices: services, deposit: null })
  ]
  const named = [
    { kind: 'deposit', name: 'Deposit: 3 × Mug blue', price: zloty('1.50') },
    { kind: 'service', name: '2 × Gift wrapping', price: zloty('8.00') }
  ]
  const priced = (total: string, cost: object | null) =>
    read({ lineItems, delivery: { ...delivery, cost }, summary: { totalToPay: zloty(total) } })

  t.match(priced('69.50', zloty('10.00')), { extras: named, shipping: { price: zloty('10.00') } })
  t.match(priced('69.50', null), { extras: named, shipping: { price: zloty('10.00') } }, 'computed without the extras')
  t.strictSame(priced('64.50', zloty('10.00')).extras, [
    ...named,
    { kind: 'other', name: 'Other amounts of the marketplace', price: zloty('-5.00') }
  ])
  t.match(priced('50.00', null), { extras: { 2: { price: zloty('-9.50') } }, shipping: { price: zloty('0.00') } })
  t.notOk('extras' in read())
})

t.test('the payment type says when the money comes, and a finished payment does not mean that it came', async t => {
  const finishedAt = '2025-01-02T10:00:00.000Z'
  const cases = [
    [{ type: 'CASH_ON_DELIVERY', provider: 'OFFLINE', finishedAt }, 'cash-on-delivery', '0.00'],
    [{ type: 'CASH_ON_DELIVERY', finishedAt, paidAmount: zloty('119.99') }, 'cash-on-delivery', '0.00'],
    [{ type: 'EXTENDED_TERM', finishedAt }, 'deferred', '0.00'],
    [{ type: 'EXTENDED_TERM', finishedAt, paidAmount: zloty('119.99') }, 'deferred', '119.99'],
    [{ type: 'SPLIT_PAYMENT', finishedAt, paidAmount: zloty('100.00') }, 'prepaid', '100.00'],
    [{ type: 'WIRE_TRANSFER', finishedAt }, 'prepaid', '119.99'],
    [{ type: 'ONLINE', finishedAt: null, paidAmount: null }, 'prepaid', '0.00'],
    [null, 'prepaid', '0.00']
  ] as const
  for (const [payment, method, amount] of cases) {
    t.match(read({ payment }).payment, { method, paid: zloty(amount) }, JSON.stringify(payment))
  }
  t.equal(read({ payment: cases[0][0] }).payment.methodName, 'CASH_ON_DELIVERY OFFLINE')
})

t.test('an order that a warehouse of the marketplace ships is fulfilled elsewhere', async t => {
  const provided = (provider: object | null) => read({ fulfillment: { status: 'NEW', provider } }).fulfilment

  t.equal(provided({ id: 'MARKETPLACE' }), 'elsewhere')
  for (const provider of [{ id: 'SELLER' }, { id: null }, null]) t.equal(provided(provider), undefined)
})

t.test('an order was placed when its first line was bought', async t => {
  const lineItems = [
    lineItem({ id: 'a', boughtAt: '2025-01-02T09:55:00.000Z' }),
    lineItem({ id: 'b', boughtAt: '2025-01-02T10:50:00+02:00' })
  ]

  t.equal(read({ lineItems }).placedAt, '2025-01-02T08:50:00.000Z')
})

t.test('an invoice goes to a person, to a company with any tax id, or to the buyer', async t => {
  const address = { street: 'ul. Prosta 1/2', city: 'Warszawa', zipCode: '00-001', countryCode: 'PL' }
  const place = { street: 'ul. Prosta 1/2', city: 'Warszawa', postcode: '00-001', country: 'PL' }

  t.strictSame(
    read({
      invoice: {
        required: true,
        address: { ...address, company: null, naturalPerson: { firstName: 'Ewa', lastName: 'Zych' } }
      }
    }).invoiceAddress,
    { firstName: 'Ewa', lastName: 'Zych', ...place }
  )
  t.strictSame(
    read({
      invoice: {
        required: true,
        address: { ...address, company: { name: 'ACME', ids: [{ type: 'CZ_DIC', value: 'CZ1' }], taxId: null } }
      }
    }).invoiceAddress,
    { company: 'ACME', taxId: 'CZ1', ...place }
  )
  t.match(
    read({
      invoice: { address: { ...address, company: { ids: [{ type: 'PL_NIP', value: '2' }], taxId: 'of before' } } }
    }).invoiceAddress,
    { taxId: '2' }
  )
  for (const invoice of [null, { required: false, address: null }, { required: true, address: {} }]) {
    t.strictSame(
      read({ invoice }).invoiceAddress,
      { ...person, street: 'ul. Kupna 9', postcode: '20-001', city: 'Lublin', country: 'PL' },
      'and never to the address of the parcel'
    )
    t.equal(read({ invoice, buyer: { ...buyer, address: null } }).invoiceAddress, undefined)
  }
})

t.test('a line without an id is refused with its position', async t => {
  t.throws(() => read({ lineItems: [lineItem(), lineItem({ id: null })] }), {
    code: rejected,
    message: /line 2 of order 29738e61/
  })
})

t.test('an order in another form is a transient error', async t => {
  const invalid = [
    { lineItems: [] },
    { summary: {} },
    { summary: { totalToPay: { amount: 119.99, currency: 'PLN' } } },
    { lineItems: [lineItem({ boughtAt: 'yesterday' })] },
    { status: null }
  ]
  for (const members of invalid) t.throws(() => read(members), { code: transient, message: /unknown form/ })
})
