import type { NewOrder } from '@linker/sdk'
import { formatAmount, one, parseDecimal } from '../../products/gross-amount.ts'

/** How a new order is not paid. Each has a state of its own, in which the shop books no payment. */
export type Unpaid = 'cashOnDelivery' | 'deferred'

/** Returns how an order is not paid; `undefined` for one that counts as paid in the shop. */
export function unpaidOf (order: NewOrder): Unpaid | undefined {
  const { method } = order.payment
  if (method === 'cash-on-delivery') return 'cashOnDelivery'
  return method === 'deferred' && partsLeft(order) > 0n ? 'deferred' : undefined
}

/** Returns the name of the order's payment, which staff see. */
export function paymentName (unpaid: Unpaid | undefined): string {
  if (unpaid === undefined) return 'Marketplace'
  return unpaid === 'deferred' ? 'Marketplace, pays later' : 'Marketplace, cash on delivery'
}

/** Returns a problem when the buyer should have paid the order and has not paid it wholly. */
export function paymentProblems (order: NewOrder): string[] {
  const { payment: { method, paid }, total } = order
  if (method !== 'prepaid' || partsLeft(order) <= 0n) return []
  const part = `${paid.amount} of ${total.amount} ${total.currency}`
  return [`the buyer has paid ${part}, and the order counts as paid in the shop`]
}

/** Returns what the buyer has still to pay. */
export function leftToPay (order: NewOrder): string {
  const decimals = order.total.amount.split('.')[1]?.length ?? 0
  return formatAmount(partsLeft(order) * 10n ** BigInt(decimals) / one, decimals)
}

function partsLeft ({ total, payment: { paid } }: NewOrder): bigint {
  return (parseDecimal(total.amount) ?? 0n) - (parseDecimal(paid.amount) ?? 0n)
}
