import type { Order } from '@linker/sdk'
import t from 'tap'
import { orderFaults } from '../../../src/testing/conformance/order-faults.ts'
import { newOrder } from '../../../src/testing/conformance/samples.ts'

const money = (amount: string, currency = 'PLN') => ({ amount, currency })
const { source: _source, lines, ...rest } = newOrder
const order: Order = {
  ...rest,
  lines: lines.map(({ productExternalId: _product, variantExternalId: _variant, ...line }) => line)
}
const marketplace = { kind: 'capability', capability: 'OrderSource', method: 'getOrder' } as const
const shop = { kind: 'capability', capability: 'OrderProcessorManager', method: 'getOrder' } as const
const faultsOf = (change: Partial<Order>, call: typeof marketplace | typeof shop = marketplace) =>
  orderFaults(call, { ...order, ...change })

t.test('an order whose parts make its total has no fault', async t => {
  t.strictSame(faultsOf({}), [])
  t.strictSame(orderFaults(marketplace, { items: [order] }), [])
  const extras = [
    { kind: 'deposit' as const, name: 'Deposit', price: money('0.5') },
    { kind: 'other' as const, name: 'Coupon', price: money('-0.20') }
  ]
  t.strictSame(faultsOf({ extras, total: money('30.28') }), [])
})

t.test('a total that its parts do not make is a fault at a marketplace: a shop has discounts', async t => {
  t.match(faultsOf({ total: money('30.48') }), [/total 30\.48, and its lines, shipping and extras are 29\.98/])
  t.match(faultsOf({ total: money('1.00') }), { length: 1 })
  t.strictSame(faultsOf({ total: money('1.00') }, shop), [])
})

t.test('an order has one currency', async t => {
  t.match(faultsOf({ payment: { method: 'prepaid', paid: money('1', 'EUR') } }), [/total in PLN .* amount in EUR/])
  t.match(faultsOf({ shipping: { methodId: '1', price: money('9.99', 'EUR') } }, shop), { length: 1 })
})

t.test('cash on delivery is not paid before the order is on its way', async t => {
  const payment = { method: 'cash-on-delivery' as const, paid: order.total }
  t.match(faultsOf({ payment }, shop), [/to be paid on delivery, and is already paid/])
  t.match(orderFaults({ kind: 'job', jobType: 'shop.order.read' }, { orders: [{ ...order, payment }] }), { length: 1 })
  t.strictSame(faultsOf({ payment, status: 'delivered' }), [])
  t.strictSame(faultsOf({ payment: { ...payment, paid: money('5.00') } }), [])
  const free = { lines: order.lines.map(line => ({ ...line, unitPrice: money('0') })), total: money('0.00') }
  t.strictSame(
    faultsOf({ ...free, payment: { ...payment, paid: money('0') }, shipping: { methodId: '1', price: money('0') } }),
    [],
    'there is nothing to collect'
  )
})
