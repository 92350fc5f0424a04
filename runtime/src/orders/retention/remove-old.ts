import type { Database } from '../../database/database.ts'
import { findWaitingCommands } from '../personal-data/forget.ts'
import { lockBuyers, type WalkPosition } from '../personal-data/store.ts'
import { lockDueOrders, removeOrders } from './store.ts'

const mostInOneTransaction = 100
const beforeAll: WalkPosition = { endedAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/**
 * Removes orders that ended at least `days` ago, a hundred in a transaction. Skips an order with a
 * command that has not ended until a later run. Returns how many it removed.
 */
export async function removeOldOrders (
  database: Pick<Database, 'transaction'>,
  days: number,
  signal?: AbortSignal
): Promise<number> {
  let total = 0
  for (let position: WalkPosition | undefined = beforeAll; position !== undefined && signal?.aborted !== true;) {
    const { removed, last } = await removeAfter(database, days, position)
    total += removed
    position = last
  }
  return total
}

async function removeAfter (
  database: Pick<Database, 'transaction'>,
  days: number,
  after: WalkPosition
): Promise<{ removed: number, last: WalkPosition | undefined }> {
  return database.transaction(async ({ query }) => {
    const due = await lockDueOrders(query, days, after, mostInOneTransaction)
    const orders = await lockBuyers(query, due.map(({ id }) => id))
    const waiting = await findWaitingCommands(query, orders)
    const ready = orders.filter(({ id }) => !waiting.has(id))
    await removeOrders(query, ready.map(({ id }) => id))
    return { removed: ready.length, last: due.length < mostInOneTransaction ? undefined : due.at(-1) }
  })
}
