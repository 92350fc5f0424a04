import type { Query } from '../../database/database.ts'
import type { OrderStatus } from '../status.ts'
import { countUntold, takeTellable, updateToUntold } from './statements.ts'

/** Orders of a connection of which a setting kept the hub from telling the marketplace. */
export interface UntoldOrders {
  connectionId: string
  /** The member of the connection's config, which has no value there. */
  setting: string
  count: number
  /** When the marketplace was first not told, ISO 8601. */
  since: string
}

export interface TellableOrder {
  id: string
  connectionId: string
  status: OrderStatus
  hasTracking: boolean
  /** Whether the marketplace does not know already that the order was shipped, or is over. */
  isOpenThere: boolean
}

/** Notes that the marketplace was not told of a shipped order, because a setting is off. */
export async function markUntold (query: Query, orderId: string, setting: string): Promise<void> {
  await query(updateToUntold, [orderId, setting])
}

/**
 * Counts the orders of connections that nobody has decided about: the config has no value for the
 * setting. Counts up to `limit` orders of a connection.
 */
export async function countUntoldOrders (
  query: Query,
  connectionIds: readonly string[],
  limit: number
): Promise<UntoldOrders[]> {
  return query<UntoldOrders>(countUntold, [connectionIds, limit])
}

/**
 * Takes the oldest untold orders of a connection whose setting is on now, and forgets the note. A
 * write that succeeds keeps the note: it may be the tracking number of an order whose status the
 * marketplace does not know.
 */
export async function takeTellableOrders (query: Query, connectionId: string, limit: number): Promise<TellableOrder[]> {
  return query<TellableOrder>(takeTellable, [connectionId, limit])
}
