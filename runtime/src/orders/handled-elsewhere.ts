import type { Order } from '@linker/sdk'
import { OrderStateError } from '../errors.ts'
import { isAboutTwoWarehouses, type OrderProblem } from './problem-codes.ts'
import type { OrderRow } from './store.ts'

/** Whether a warehouse of the marketplace ships the order: the shop must not get it. */
export function isFulfilledElsewhere ({ fulfilment }: Pick<Order, 'fulfilment'>): boolean {
  return fulfilment === 'elsewhere'
}

/** Whether the shop has an order, or may get it from an attempt under way. */
export function isWithShop ({ destinationExternalId, handedOn }: Pick<
  OrderRow,
  'destinationExternalId' | 'handedOn'
>): boolean {
  return destinationExternalId !== null || handedOn !== null
}

/** The problem of an order that the shop had before a warehouse of the marketplace took it over. */
export const shippedTwice: OrderProblem = {
  code: 'elsewhere-at-shop',
  detail: 'a warehouse of the marketplace ships it, and the shop has it, too: both may ship it. Cancel it in the shop'
}

/** Returns the problem when a reading brings it, or as long as the order has it. */
export function elsewhereAtShop (
  { destinationExternalId, snapshot, problems, destinationStatus }: OrderRow,
  order: Order
): OrderProblem[] {
  if (!isFulfilledElsewhere(order) || destinationExternalId === null || destinationStatus === 'cancelled') return []
  return isFulfilledElsewhere(snapshot) ? problems.filter(isAboutTwoWarehouses) : [shippedTwice]
}

/** Why the hub leaves an order to others, in words. Null: it does not, or a problem says why. */
export function describeElsewhere (order: Pick<Order, 'fulfilment'>): string | null {
  return isFulfilledElsewhere(order) ? 'a warehouse of the marketplace ships it' : null
}

/** Refuses to do something with an order that the hub leaves to the marketplace. */
export function refuseElsewhere ({ id, snapshot }: Pick<OrderRow, 'id' | 'snapshot'>): void {
  const reason = describeElsewhere(snapshot)
  if (reason !== null) throw new OrderStateError(`Order '${id}' is not the hub's: ${reason}`)
}
