import type { Query } from '../../database/database.ts'
import { lockDueThat } from '../personal-data/store.ts'
import { copyRemovals, deleteOrders, keepsNoPieces } from './statements.ts'

/** Locks ended orders that keep no pieces reserved. */
export const lockRemovable = lockDueThat(keepsNoPieces)

/**
 * Removes orders with their lines, history and parcels. A later reading of an order that was placed
 * no later than one of them searches the shop before it makes the order there.
 */
export async function removeOrders (query: Query, ids: readonly string[]): Promise<void> {
  await query(deleteOrders, [ids])
}

/** Keeps until when orders were removed that a deleted connection had. */
export async function takeRemovals (query: Query, fromId: string, connectionId: string): Promise<void> {
  await query(copyRemovals, [fromId, connectionId])
}
