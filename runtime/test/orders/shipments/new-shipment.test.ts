import type { Order } from '@linker/sdk'
import t from 'tap'
import { toNewShipment } from '../../../src/orders/shipments/new-shipment.ts'

const zloty = (amount: string) => ({ amount, currency: 'PLN' })
const price = zloty('10.00')
const home = { lastName: 'Nowak', street: 'Prosta 1', postcode: '00-001', city: 'Warszawa', country: 'PL' }
const order: Order = {
  externalId: '1',
  status: 'processing',
  revision: '1',
  placedAt: '2026-01-31T10:00:00Z',
  buyer: { email: 'ada@example.com' },
  total: zloty('31.00'),
  lines: [
    { externalId: '1', name: 'Mug', quantity: 2, unitPrice: price },
    { externalId: '2', name: 'Lamp', quantity: 1, unitPrice: price }
  ],
  payment: { method: 'prepaid', paid: zloty('31.00') },
  shipping: { methodId: 'courier', price, address: home }
}
const collected = (method: Order['payment']['method'], paid: string) =>
  toNewShipment({ snapshot: { ...order, payment: { method, paid: zloty(paid) } } })?.cashOnDelivery

t.test('a carrier collects what is not paid yet, and only when the buyer pays on delivery', async t => {
  t.strictSame(toNewShipment({ snapshot: order }), {
    methodId: 'courier',
    recipient: home,
    email: 'ada@example.com',
    contents: '2 × Mug, 1 × Lamp'
  })
  t.strictSame(collected('cash-on-delivery', '0.00'), order.total)
  t.strictSame(collected('cash-on-delivery', '0.99'), zloty('30.01'))
  t.equal(collected('cash-on-delivery', '31.00'), undefined)
  t.equal(collected('deferred', '0.00'), undefined)
})

t.test('a parcel without an address goes to the invoice address only with a pickup point', async t => {
  const { address: _address, ...withoutAddress } = order.shipping
  const invoiced = { ...order, invoiceAddress: home }

  t.equal(toNewShipment({ snapshot: { ...invoiced, shipping: withoutAddress } }), undefined)
  t.match(toNewShipment({ snapshot: { ...invoiced, shipping: { ...withoutAddress, pickupPointId: 'WAW1' } } }), {
    recipient: home,
    pickupPointId: 'WAW1'
  })
})
