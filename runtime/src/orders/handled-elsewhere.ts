import type { Order } from '@linker/sdk'
import { OrderStateError } from '../errors.ts'
import type { OrderRow } from './store.ts'

/** Whether a warehouse of the marketplace ships the order: it never concerns the shop. */
export function isFulfilledElsewhere ({ fulfilment }: Pick<Order, 'fulfilment'>): boolean {
  return fulfilment === 'elsewhere'
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
