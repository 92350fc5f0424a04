import { findWaitingCommands, forgetBuyers, type ForgetOptions } from './forget.ts'
import { lockBuyers, lockDueOrders, type WalkPosition } from './store.ts'

const mostInOneTransaction = 100
const beforeAll: WalkPosition = { endedAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/**
 * Removes the data of the buyers from orders that ended at least `days` ago, a hundred in a
 * transaction. Skips an order with a command that has not ended until a later run. Returns how many
 * orders it changed.
 */
export async function forgetOldOrders (
  options: ForgetOptions,
  days: number,
  signal?: AbortSignal
): Promise<number> {
  let total = 0
  for (let position: WalkPosition | undefined = beforeAll; position !== undefined && signal?.aborted !== true;) {
    const { forgotten, last } = await forgetAfter(options, days, position)
    total += forgotten
    position = last
  }
  return total
}

async function forgetAfter (
  { database, ...events }: ForgetOptions,
  days: number,
  after: WalkPosition
): Promise<{ forgotten: number, last: WalkPosition | undefined }> {
  return database.transaction(async ({ query }) => {
    const due = await lockDueOrders(query, days, after, mostInOneTransaction)
    if (due.length === 0) return { forgotten: 0, last: undefined }
    const orders = await lockBuyers(query, due.map(({ id }) => id))
    const waiting = await findWaitingCommands(query, orders)
    const ready = orders.filter(({ id }) => !waiting.has(id))
    if (ready.length > 0) await forgetBuyers(query, ready, events)
    return { forgotten: ready.length, last: due.length < mostInOneTransaction ? undefined : due.at(-1) }
  })
}
