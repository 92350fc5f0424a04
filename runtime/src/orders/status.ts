import type { Order } from '@linker/sdk'

export type OrderStatus =
  | 'pending'
  | 'awaiting_mapping'
  | 'ready'
  | 'created'
  | 'shipped'
  | 'delivered'
  | 'cancelled'
  | 'returned'
  | 'failed'

/** What the marketplace says of an order; `gone` when it does not know it any more. */
export type SourceStatus = Order['status'] | 'gone'

/** What the hub knows of an order before it reads it again. */
export interface KnownOrder {
  status: OrderStatus
  isAtDestination: boolean
  sourceStatus: SourceStatus
}

// What an order has reached is never taken back by a reading that is older, or by a platform that
// knows less.
const progress: readonly OrderStatus[] = ['created', 'shipped', 'delivered']

/**
 * Where a reading of the marketplace leads:
 *
 *     pending ──▶ ready ──▶ created ──▶ shipped ──▶ delivered ──▶ returned
 *        └▶ awaiting_mapping ▲  └──▶ failed ──(retry)──▶ ready
 *     any of them ──▶ cancelled, for good, unless because it was gone from the marketplace
 */
export function nextStatus (
  known: KnownOrder | undefined,
  sourceStatus: Order['status'],
  isMapped: boolean
): OrderStatus {
  if (known?.status === 'cancelled' && known.sourceStatus === 'gone') {
    return nextStatus(undefined, sourceStatus, isMapped)
  }
  if (known?.status === 'cancelled' || known?.status === 'returned') return known.status
  if (sourceStatus === 'cancelled' || sourceStatus === 'returned') return sourceStatus
  if (known?.isAtDestination === true) {
    return further(known.status, sourceStatus === 'shipped' || sourceStatus === 'delivered' ? sourceStatus : 'created')
  }
  // Shipped without the hub: somebody else saw to it, and the shop must not get it now.
  if (sourceStatus === 'shipped' || sourceStatus === 'delivered') return sourceStatus
  if (known?.status === 'failed') return 'failed'
  if (!isMapped) return 'awaiting_mapping'
  return sourceStatus === 'pending' ? 'pending' : 'ready'
}

/** What the shop says of an order that the hub made there. */
export function advance (status: OrderStatus, destinationStatus: Order['status']): OrderStatus {
  if (status === 'cancelled' || status === 'returned') return status
  return destinationStatus === 'shipped' || destinationStatus === 'delivered'
    ? further(status, destinationStatus)
    : status
}

const reserving: readonly OrderStatus[] = ['pending', 'awaiting_mapping', 'ready', 'failed']

/**
 * Whether its pieces are kept from being sold to somebody else, until the shop has taken them off
 * its stock.
 */
export function isReserving (status: OrderStatus, isAtDestination: boolean): boolean {
  return !isAtDestination && reserving.includes(status)
}

const reservingList = reserving.map(status => `'${status}'`).join(', ')

/** The same in SQL, over rows of `orders`. */
export const reservingSql = `(orders.destination_external_id is null and orders.status in (${reservingList}))`

function further (status: OrderStatus, other: OrderStatus): OrderStatus {
  return progress.indexOf(other) > progress.indexOf(status) ? other : status
}
