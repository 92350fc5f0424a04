import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { CallTarget } from '../../host/carrier.ts'
import { addMoney, multiplyMoney } from '../../money.ts'
import { Order } from '../../schemas/order.ts'
import type { Money } from '../../schemas/values.ts'

/** Capabilities whose orders a buyer placed there. The total of a shop's order has discounts. */
const placing: readonly string[] = ['Marketplace', 'OrderSource']

/** Says what contradicts itself in the orders that a call answered. */
export function orderFaults (call: CallTarget, value: unknown): string[] {
  const isPlaced = call.kind === 'capability' && placing.includes(call.capability)
  return ordersIn(value).flatMap(order => faultsOf(order, isPlaced).map(fault => `order ${order.externalId} ${fault}`))
}

const Orders = Type.Array(Order)
const WithOrders = Type.Union([Order, Orders, Type.Object({ items: Orders }), Type.Object({ orders: Orders })])

/** The orders in the answer of a method or of a job. */
export function ordersIn (value: unknown): Order[] {
  if (!Value.Check(WithOrders, value)) return []
  if (Array.isArray(value)) return value
  if ('items' in value) return value.items
  return 'orders' in value ? value.orders : [value]
}

function faultsOf (order: Order, isPlaced: boolean): string[] {
  const { total, payment, status } = order
  const amounts = amountsOf(order)
  const strange = [payment.paid, ...amounts].find(({ currency }) => currency !== total.currency)
  if (strange !== undefined) return [`has a total in ${total.currency} and an amount in ${strange.currency}`]
  const isOpen = status === 'pending' || status === 'processing'
  const isCollected = isOpen && payment.method === 'cash-on-delivery' && !isLess(payment.paid, total) &&
    isLess({ ...total, amount: '0' }, total)
  const [first, ...others] = amounts
  const sum = first === undefined ? total : addMoney(first, ...others)
  return [
    ...isCollected ? ['is to be paid on delivery, and is already paid'] : [],
    ...isPlaced && (isLess(sum, total) || isLess(total, sum))
      ? [`has the total ${total.amount}, and its lines, shipping and extras are ${sum.amount}`]
      : []
  ]
}

function amountsOf ({ lines, shipping, extras = [] }: Order): Money[] {
  return [
    ...lines.map(({ unitPrice, quantity }) => multiplyMoney(unitPrice, quantity)),
    shipping.price,
    ...extras.map(({ price }) => price)
  ]
}

function isLess (one: Money, other: Money): boolean {
  return addMoney(one, multiplyMoney(other, -1)).amount.startsWith('-')
}
