import { isDeepStrictEqual } from 'node:util'
import type { Query } from '../../database/database.ts'
import { exclusionKeyOf } from '../../jobs/identity.ts'
import { findUnendedCommands, removeTexts, type UnendedCommand } from '../../jobs/texts/store.ts'
import { createOrderAtShop, syncOrder } from '../jobs.ts'
import { clearParcels, readDetailsOf, writeDetails, writeRemainders, type BuyerRow, type DetailRow } from './store.ts'
import { detailWithoutBuyer, orderWithoutBuyer, problemWithoutText, removedText } from './without-buyer.ts'

/** The keys of the commands about an order: at its marketplace, in its shop, at its carrier. */
function commandKeysOf ({ id, connectionId, destinationConnectionId, carrierId }: BuyerRow): string[] {
  const connectionIds = [connectionId, destinationConnectionId, carrierId].filter(found => found !== null)
  // Commands of all types on one order have one key.
  return connectionIds.map(found =>
    exclusionKeyOf(createOrderAtShop, createOrderAtShop.request({ orderId: id }, { connectionId: found, key: '' }))
  )
}

/** The keys of all jobs of the hub's own types about an order. */
export function jobKeysOf (order: BuyerRow): string[] {
  const { connectionId, externalId } = order
  const reading = syncOrder.request({ externalId }, { connectionId, key: '' })
  return [...commandKeysOf(order), exclusionKeyOf(syncOrder, reading)]
}

/** Returns a command for each order that has one that has not ended: it may need the data. */
export async function findWaitingCommands (
  query: Query,
  orders: readonly BuyerRow[]
): Promise<ReadonlyMap<string, UnendedCommand>> {
  const owners = new Map(orders.flatMap(order => commandKeysOf(order).map(key => [key, order.id])))
  const found = await findUnendedCommands(query, [...owners.keys()])
  return new Map(found.map(command => [owners.get(command.objectKey) ?? '', command]))
}

/** Returns the history entries of orders that change, as they are without data of the buyers. */
export async function changedDetails (query: Query, orders: readonly BuyerRow[]): Promise<DetailRow[]> {
  const rows = await readDetailsOf(query, orders.map(({ id }) => id))
  return rows.flatMap(row => {
    const detail = detailWithoutBuyer(row.detail)
    return isDeepStrictEqual(detail, row.detail) ? [] : [{ ...row, detail }]
  })
}

/**
 * Removes the data of the buyers from orders, whose rows are locked. Ids, amounts, quantities,
 * states and times stay. `moreKeys` name other jobs about the orders. Returns when the data of each
 * order were removed first.
 */
export async function forgetBuyers (
  query: Query,
  orders: readonly BuyerRow[],
  moreKeys: readonly string[] = []
): Promise<ReadonlyMap<string, Date>> {
  await writeDetails(query, await changedDetails(query, orders))
  await clearParcels(query, orders.map(({ id }) => id), removedText)
  await removeTexts(query, [...orders.flatMap(jobKeysOf), ...moreKeys])
  return writeRemainders(
    query,
    orders.map(({ id, snapshot, problems }) => ({
      id,
      snapshot: orderWithoutBuyer(snapshot),
      problems: problems.map(problemWithoutText)
    }))
  )
}
