import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { readOrder } from '../../src/orders/read.ts'
import { pickupPlace, upstreamOrder } from './order.ts'

const zloty = (amount: string) => ({ amount, currency: 'PLN' })
const delivery = upstreamOrder().delivery

t.test('an order is read in full', async t => {
  const address = { street: 'ul. Prosta 1/2', postcode: '00-001', city: 'Warszawa', country: 'PL' }

  t.strictSame(readOrder(upstreamOrder()), {
    externalId: '250102x10002',
    status: 'processing',
    upstreamStatus: 'purchased/created',
    revision: '2025-01-02T10:05:00.000Z/purchased/created',
    placedAt: '2025-01-02T10:05:00.000Z',
    buyer: { email: 'anna+mktb@example.com' },
    lines: [{
      externalId: '1',
      offerExternalId: 'hub-variant-1',
      name: 'Mug',
      quantity: 1,
      unitPrice: zloty('100.00')
    }],
    total: zloty('119.99'),
    payment: { method: 'prepaid', paid: zloty('119.99') },
    shipping: {
      methodId: 'mktbLocker',
      methodName: 'Locker',
      price: zloty('19.99'),
      pickupPointId: 'POZ08A',
      address: { firstName: 'Anna', lastName: 'Nowak', company: 'ACME', phone: '500600700', ...address }
    },
    invoiceAddress: { company: 'ACME', taxId: '1234567890', ...address },
    comment: 'call first',
    tracking: { carrier: 'inpost', number: '620000', url: undefined }
  })
})

t.test('every amount has the currency of its order, and PLN in the sandbox, which names none', async t => {
  const amountsOf = (order: object) => {
    const { lines, total, payment, shipping } = readOrder(order)
    return [...lines.map(({ unitPrice }) => unitPrice), total, payment.paid, shipping.price]
  }
  const { currency: _currency, ...ofSandbox } = upstreamOrder()
  const euro = (amount: string) => ({ amount, currency: 'EUR' })

  t.strictSame(amountsOf(upstreamOrder({ currency: 'EUR' })), [
    euro('100.00'),
    euro('119.99'),
    euro('119.99'),
    euro('19.99')
  ])
  for (const order of [ofSandbox, upstreamOrder({ currency: null })]) {
    t.strictSame(amountsOf(order), [zloty('100.00'), zloty('119.99'), zloty('119.99'), zloty('19.99')])
  }
  for (const currency of ['', 'zloty', 5]) {
    t.throws(() => readOrder(upstreamOrder({ currency })), { code: AdapterErrorCode.transient })
  }
})

t.test('status says whether an order is paid, cancelled or returned; sellerStatus how far it is', async t => {
  const cases = [
    ['pending', 'sent', 'pending'],
    ['brandNew', 'created', 'pending'],
    ['cancelled', 'sent', 'cancelled'],
    ['returned', 'received', 'returned'],
    ['purchased', 'inProgress', 'processing'],
    ['purchased', 'canceled', 'processing'],
    ['purchased', 'sent', 'shipped'],
    ['purchased', 'readyToPickup', 'shipped'],
    ['purchased', 'returningToSender', 'shipped'],
    ['purchased', 'returned', 'shipped'],
    ['purchased', 'received', 'delivered'],
    ['purchased', 'brandNew', 'processing']
  ]

  for (const [status, sellerStatus, expected] of cases) {
    t.equal(readOrder(upstreamOrder({ status, sellerStatus })).status, expected, `${status}/${sellerStatus}`)
  }
})

t.test('a bought order is paid, and one to be paid on delivery is not', async t => {
  const cod = { delivery: { ...delivery, cod: true } }
  const cases = [
    [{}, 'prepaid', '119.99'],
    [{ status: 'returned', purchasedAt: null }, 'prepaid', '119.99'],
    [{ status: 'cancelled' }, 'prepaid', '119.99'],
    [{ status: 'cancelled', purchasedAt: null }, 'prepaid', '0.00'],
    [{ status: 'pending', purchasedAt: null }, 'prepaid', '0.00'],
    [cod, 'cash-on-delivery', '0.00'],
    [{ ...cod, sellerStatus: 'received' }, 'cash-on-delivery', '0.00']
  ] as const
  for (const [members, method, amount] of cases) {
    const { payment } = readOrder(upstreamOrder(members))
    t.strictSame(payment, { method, paid: zloty(amount) }, JSON.stringify(members))
  }
})

t.test('what the total has beside lines and delivery is an extra, named after the rebate', async t => {
  const extrasOf = (members: object) => readOrder(upstreamOrder(members)).extras
  const other = (name: string, amount: string) => [{ kind: 'other', name, price: zloty(amount) }]

  t.equal(extrasOf({ rebate: { name: 'WINTER' } }), undefined, 'the prices of the lines have it')
  t.strictSame(extrasOf({ rebate: { name: 'WINTER' }, totalPrice: 10_999 }), other('WINTER', '-10.00'))
  t.strictSame(extrasOf({ rebate: null, totalPrice: 12_049 }), other('Other amounts of the marketplace', '0.50'))
})

t.test('every change gives a new revision', async t => {
  const changes = [{}, { updated: '2025-01-02T10:06:00.000Z' }, { status: 'cancelled' }, { sellerStatus: 'sent' }]

  t.equal(new Set(changes.map(change => readOrder(upstreamOrder(change)).revision)).size, changes.length)
})

t.test("an empty delivery address is replaced by the pickup point's, then the invoice's", async t => {
  const { invoiceAddress } = upstreamOrder().user
  const addressOf = (user: object, place: object | null = pickupPlace) =>
    readOrder(upstreamOrder({ user, delivery: { ...delivery, pickupPlace: place } })).shipping.address
  const empty = { firstName: 'Ewa', phone: '500600700', city: '', country: 'pl' }

  t.strictSame(addressOf({ deliveryAddress: empty, invoiceAddress }), {
    firstName: 'Ewa',
    company: 'ACME',
    phone: '500600700',
    street: 'ul. Dluga 3',
    postcode: '60-001',
    city: 'Poznan',
    country: 'PL'
  })
  t.match(addressOf({ invoiceAddress }, { id: 5 }), { firstName: 'Anna', street: 'ul. Prosta 1/2', city: 'Warszawa' })
  t.equal(addressOf({ deliveryAddress: empty, invoiceAddress }, null), undefined)
})

t.test('an order without a buyer has no address but keeps its pickup point', async t => {
  const { shipping, buyer, invoiceAddress } = readOrder(upstreamOrder({
    user: undefined,
    delivery: { ...delivery, pickupPlace: { ...pickupPlace, externalId: null } }
  }))

  t.equal(shipping.address, undefined)
  t.equal(shipping.pickupPointId, '5')
  t.strictSame([buyer, invoiceAddress], [{}, undefined])
})

t.test('an invoice for a person names the person', async t => {
  const { deliveryAddress } = upstreamOrder().user
  const { invoiceAddress } = readOrder(upstreamOrder({
    user: { deliveryAddress, invoiceAddress: { ...deliveryAddress, type: 'person', nip: '1' } }
  }))

  t.match(invoiceAddress, { firstName: 'Anna', lastName: 'Nowak', company: undefined, taxId: undefined })
})

t.test('members that the marketplace leaves out are absent', async t => {
  const items = [{ id: 'a', externalId: null, quantity: 2, unitPrice: 5, name: null }]
  const order = readOrder(upstreamOrder({
    items,
    comment: ' ',
    deliveryTracking: { trackingUrl: 'https://carrier.example/1' },
    purchasedAt: null,
    delivery: { typeId: 'dpdCod', price: 0, cod: true }
  }))

  t.match(order, {
    placedAt: '2025-01-02T10:00:00.000Z',
    shipping: { methodId: 'dpdCod', price: zloty('0.00') }
  })
  const line = { externalId: 'a', offerExternalId: undefined, name: '', quantity: 2, unitPrice: zloty('0.05') }
  t.strictSame(order.lines, [line])
  t.strictSame([order.comment, order.tracking], [undefined, undefined])
})

t.test('a line without an id is refused with its position, and another form is a transient error', async t => {
  const [item] = upstreamOrder().items

  t.throws(() => readOrder(upstreamOrder({ items: [item, { ...item, id: null }] })), {
    code: AdapterErrorCode.rejected,
    message: /line 2 of order 250102x10002/
  })
  const invalid = [
    { items: [] },
    { totalPrice: 119.99 },
    { purchasedAt: '2025-13-02T10:00:00Z' },
    { sellerStatus: undefined }
  ]
  for (const members of invalid) {
    t.throws(() => readOrder(upstreamOrder(members)), { code: AdapterErrorCode.transient }, JSON.stringify(members))
  }
})
