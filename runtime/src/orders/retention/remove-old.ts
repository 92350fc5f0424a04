import type { Database } from '../../database/database.ts'
import { walkDueOrders } from '../personal-data/walk-due.ts'
import { lockRemovable, removeOrders } from './store.ts'

/** Removes orders that ended at least `days` ago. Returns how many it removed. */
export async function removeOldOrders (
  database: Pick<Database, 'transaction'>,
  days: number,
  signal?: AbortSignal
): Promise<number> {
  return walkDueOrders(
    database,
    { lock: lockRemovable, days, signal },
    (query, orders) => removeOrders(query, orders.map(({ id }) => id))
  )
}
