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
  | 'elsewhere'

/** The marketplace's status of an order; `gone` when it does not know the order any more. */
export type SourceStatus = Order['status'] | 'gone'

/** The hub's state of an order before a reading. */
export interface KnownOrder {
  status: OrderStatus
  isAtDestination: boolean
  sourceStatus: SourceStatus
}

// An order never goes back on this path: a reading may be old, and a platform may know less.
const progress: readonly OrderStatus[] = ['created', 'shipped', 'delivered']

/**
 * Returns the status that follows from a reading of the marketplace:
 *
 *     pending ──▶ ready ──▶ created ──▶ shipped ──▶ delivered ──▶ returned
 *        └▶ awaiting_mapping ▲  └──▶ failed ──(retry)──▶ ready
 *     any of them ──▶ cancelled, for good; an order that was gone from the marketplace comes back
 *     elsewhere ──(retry)──▶ pending: the hub leaves an order that others handle to them
 *     elsewhere, for good: a warehouse of the marketplace ships it
 */
export function nextStatus (
  known: KnownOrder | undefined,
  sourceStatus: Order['status'],
  isMapped: boolean,
  isElsewhere = false
): OrderStatus {
  if (known?.status === 'cancelled' && known.sourceStatus === 'gone') {
    return nextStatus(undefined, sourceStatus, isMapped, isElsewhere)
  }
  if (known?.status === 'cancelled' || known?.status === 'returned') return known.status
  if (sourceStatus === 'cancelled' || sourceStatus === 'returned') return sourceStatus
  if (known?.isAtDestination === true) {
    return further(known.status, sourceStatus === 'shipped' || sourceStatus === 'delivered' ? sourceStatus : 'created')
  }
  // The order was shipped without the hub: the shop must not get it and send it a second time.
  if (sourceStatus === 'shipped' || sourceStatus === 'delivered') return sourceStatus
  if (isElsewhere) return 'elsewhere'
  if (known?.status === 'failed') return 'failed'
  if (!isMapped) return 'awaiting_mapping'
  return sourceStatus === 'pending' ? 'pending' : 'ready'
}

/** Returns the status that follows from the shop's status of an order that the hub made there. */
export function advance (status: OrderStatus, destinationStatus: Order['status']): OrderStatus {
  if (status === 'cancelled' || status === 'returned') return status
  return destinationStatus === 'shipped' || destinationStatus === 'delivered'
    ? further(status, destinationStatus)
    : status
}

const reserving: readonly OrderStatus[] = ['pending', 'awaiting_mapping', 'ready', 'failed']

/**
 * Whether an order reserves its pieces. The reservation ends when the shop takes them off its
 * stock.
 */
export function isReserving (status: OrderStatus, isAtDestination: boolean): boolean {
  return !isAtDestination && reserving.includes(status)
}

const reservingList = reserving.map(status => `'${status}'`).join(', ')

/** The same in SQL, over rows of `orders`. */
export const reservingSql = `(orders.destination_external_id is null and orders.status in (${reservingList}))`

const heldUp: readonly OrderStatus[] = ['failed', 'awaiting_mapping', 'elsewhere']

/** Whether an order does not go on before somebody acts on it. People find it by its status. */
export function isHeldUp (status: OrderStatus): boolean {
  return heldUp.includes(status)
}

/** The same in SQL, over rows of `orders`. */
export const heldUpSql = `orders.status in (${heldUp.map(status => `'${status}'`).join(', ')})`

const ended: readonly OrderStatus[] = ['shipped', 'delivered', 'cancelled', 'returned', 'elsewhere']

/**
 * Whether the hub has nothing more to do for an order. A shipped one counts: many marketplaces
 * never say that an order was delivered. One that is handled elsewhere counts, too.
 */
export function isEnded (status: OrderStatus): boolean {
  return ended.includes(status)
}

/** The same in SQL, over rows of `orders`. */
export const endedSql = `orders.status in (${ended.map(status => `'${status}'`).join(', ')})`

/** SQL: `ended_at` of a row of `orders` that an update gives this status. */
export const endedAtOf = (status: string): string => `
    case
      when ${status} not in (${ended.map(name => `'${name}'`).join(', ')}) then null
      when orders.status = ${status} then coalesce(orders.ended_at, orders.updated_at)
      else now()
    end`

function further (status: OrderStatus, other: OrderStatus): OrderStatus {
  return progress.indexOf(other) > progress.indexOf(status) ? other : status
}
