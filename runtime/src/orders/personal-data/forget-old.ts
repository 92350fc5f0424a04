import { forgetBuyers, type ForgetOptions } from './forget.ts'
import { lockWithBuyers } from './store.ts'
import { walkDueOrders } from './walk-due.ts'

/**
 * Removes the data of the buyers from orders that ended at least `days` ago. Returns how many
 * orders it changed.
 */
export async function forgetOldOrders (
  { database, ...events }: ForgetOptions,
  days: number,
  signal?: AbortSignal
): Promise<number> {
  return walkDueOrders(
    database,
    { lock: lockWithBuyers, days, signal },
    (query, orders) => forgetBuyers(query, orders, events)
  )
}
