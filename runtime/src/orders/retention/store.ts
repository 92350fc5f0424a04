import type { Query } from '../../database/database.ts'
import type { LockDue, WalkPosition } from '../personal-data/store.ts'
import { deleteOrders, lockDue } from './statements.ts'

/** Locks those that keep no pieces reserved. */
export const lockRemovable: LockDue = (query, days, after, limit) =>
  query<WalkPosition>(lockDue, [days, after.endedAt, after.id, limit])

/**
 * Removes orders with their lines, history and parcels. A later reading of an order that was placed
 * no later than one of them searches the shop before it makes the order there.
 */
export async function removeOrders (query: Query, ids: readonly string[]): Promise<void> {
  await query(deleteOrders, [ids])
}
