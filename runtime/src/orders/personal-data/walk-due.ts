import type { Database, Query } from '../../database/database.ts'
import { findWaitingCommands } from './forget.ts'
import { lockBuyers, type BuyerRow, type LockDue, type WalkPosition } from './store.ts'

const mostInOneTransaction = 100
const beforeAll: WalkPosition = { endedAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

export interface DueOrders {
  lock: LockDue
  days: number
  signal?: AbortSignal | undefined
}

/**
 * Does work with orders that ended long ago, the oldest first, a hundred in a transaction. Skips an
 * order with a command that has not ended until a later walk. Returns how many it worked on.
 */
export async function walkDueOrders (
  database: Pick<Database, 'transaction'>,
  { lock, days, signal }: DueOrders,
  work: (query: Query, orders: readonly BuyerRow[]) => Promise<unknown>
): Promise<number> {
  async function walkAfter (after: WalkPosition): Promise<{ count: number, last: WalkPosition | undefined }> {
    return database.transaction(async ({ query }) => {
      const due = await lock(query, days, after, mostInOneTransaction)
      const orders = await lockBuyers(query, due.map(({ id }) => id))
      const waiting = await findWaitingCommands(query, orders)
      const ready = orders.filter(({ id }) => !waiting.has(id))
      if (ready.length > 0) await work(query, ready)
      return { count: ready.length, last: due.length < mostInOneTransaction ? undefined : due.at(-1) }
    })
  }

  let total = 0
  for (let position: WalkPosition | undefined = beforeAll; position !== undefined && signal?.aborted !== true;) {
    const { count, last } = await walkAfter(position)
    total += count
    position = last
  }
  return total
}
