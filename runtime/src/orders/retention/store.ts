import type { Query } from '../../database/database.ts'
import type { WalkPosition } from '../personal-data/store.ts'
import { deleteOrders, lockDue } from './statements.ts'

/** Locks ended orders whose time is over, the oldest first. */
export async function lockDueOrders (
  query: Query,
  days: number,
  after: WalkPosition,
  limit: number
): Promise<WalkPosition[]> {
  return query<WalkPosition>(lockDue, [days, after.endedAt, after.id, limit])
}

/**
 * Removes orders with their lines, history and parcels. A later reading of an order that was placed
 * no later than one of them searches the shop before it makes the order there.
 */
export async function removeOrders (query: Query, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await query(deleteOrders, [ids])
}
