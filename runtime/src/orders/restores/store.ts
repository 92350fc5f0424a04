import type { Query } from '../../database/database.ts'
import { markAllBegun } from '../shipments/store.ts'
import { insertRestore, markSearched } from './statements.ts'

/**
 * Stores that the state is that of `takenAt`. The hub may have made orders in the shop since, so it
 * looks for an order there before it makes one: for each order without one, and for each that was
 * placed before the restore and is read again. A parcel that was requested may be made, too: the
 * hub asks the carrier about it even when the order is cancelled.
 */
export async function recordRestore (query: Query, takenAt: string): Promise<void> {
  await query(insertRestore, [takenAt])
  await query(markSearched)
  await markAllBegun(query)
}
