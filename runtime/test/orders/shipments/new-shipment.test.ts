import type { Order } from '@linker/sdk'
import t from 'tap'
import { toNewShipment } from '../../../src/orders/shipments/new-shipment.ts'

const price = { amount: '10.00', currency: 'PLN' }
const home = { lastName: 'Nowak', street: 'Prosta 1', postcode: '00-001', city: 'Warszawa', country: 'PL' }
const order: Order = {
  externalId: '1',
  status: 'processing',
  revision: '1',
  placedAt: '2026-01-31T10:00:00Z',
  buyer: { email: 'ada@example.com' },
  total: { amount: '31.00', currency: 'PLN' },
  lines: [
    { externalId: '1', name: 'Mug', quantity: 2, unitPrice: price },
    { externalId: '2', name: 'Lamp', quantity: 1, unitPrice: price }
  ],
  shipping: { methodId: 'courier', price, cashOnDelivery: false, address: home }
}
const shipped = (shipping: Partial<Order['shipping']>, more: Partial<Order> = {}) =>
  toNewShipment({ snapshot: { ...order, ...more, shipping: { ...order.shipping, ...shipping } } })

t.test('a carrier collects the whole sum, and only when the buyer pays on delivery', async t => {
  t.strictSame(toNewShipment({ snapshot: order }), {
    methodId: 'courier',
    recipient: home,
    email: 'ada@example.com',
    contents: '2 × Mug, 1 × Lamp'
  })
  t.strictSame(shipped({ cashOnDelivery: true })?.cashOnDelivery, order.total)
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
