import { isDeepStrictEqual } from 'node:util'
import type { Connection } from '../../connections/entity.ts'
import { findConnections } from '../../connections/store.ts'
import type { Database, Query } from '../../database/database.ts'
import { adapterJobType } from '../../jobs/define-job.ts'
import { exclusionKeyOf } from '../../jobs/identity.ts'
import { findUnendedCommands, removeTexts, type UnendedCommand } from '../../jobs/texts/store.ts'
import { createOrderAtShop, syncOrder } from '../jobs.ts'
import { clearParcels, readDetailsOf, writeDetails, writeRemainders, type BuyerRow, type DetailRow } from './store.ts'
import { detailWithoutBuyer, orderWithoutBuyer, problemWithoutText, removedText } from './without-buyer.ts'

/** Returns the job types of adapters that read the orders of a connection. */
export type OrderJobTypesOf = (connection: Connection) => readonly string[]

/** An object of a platform. */
export interface PlatformObject {
  connectionId: string
  externalId: string
}

/** The events about orders, of which only higher folders know. */
export interface OrderEvents {
  orderJobTypesOf: OrderJobTypesOf
  /** Removes what senders wrote into events about these objects that started no job. */
  removeEventTexts(query: Query, objects: readonly PlatformObject[]): Promise<void>
}

export interface ForgetOptions extends OrderEvents {
  database: Pick<Database, 'transaction'>
}

/** The keys of the commands about an order: at its marketplace, in its shop, at its carrier. */
function commandKeysOf ({ id, connectionId, destinationConnectionId, carrierId }: BuyerRow): string[] {
  const connectionIds = [connectionId, destinationConnectionId, carrierId].filter(found => found !== null)
  // Commands of all types on one order have one key.
  return connectionIds.map(found =>
    exclusionKeyOf(createOrderAtShop, createOrderAtShop.request({ orderId: id }, { connectionId: found, key: '' }))
  )
}

/** The order at its marketplace and in its shop. */
function objectsOf (order: BuyerRow): PlatformObject[] {
  const { connectionId, externalId, destinationConnectionId, destinationExternalId } = order
  return destinationConnectionId === null || destinationExternalId === null
    ? [{ connectionId, externalId }]
    : [{ connectionId, externalId }, { connectionId: destinationConnectionId, externalId: destinationExternalId }]
}

/** Returns the keys of all jobs about orders: those of the hub and those of adapters. */
export async function jobKeysOf (
  query: Query,
  orders: readonly BuyerRow[],
  orderJobTypesOf: OrderJobTypesOf
): Promise<string[]> {
  const readings = orders.map(({ connectionId, externalId }) =>
    exclusionKeyOf(syncOrder, syncOrder.request({ externalId }, { connectionId, key: '' }))
  )
  return [...orders.flatMap(commandKeysOf), ...readings, ...await adapterKeysOf(query, orders, orderJobTypesOf)]
}

/** The keys of the jobs by which adapters read orders at their marketplaces and in their shops. */
async function adapterKeysOf (
  query: Query,
  orders: readonly BuyerRow[],
  orderJobTypesOf: OrderJobTypesOf
): Promise<string[]> {
  const objects = orders.flatMap(objectsOf)
  const found = await findConnections(query, [...new Set(objects.map(({ connectionId }) => connectionId))])
  const jobTypes = new Map(found.map(connection => [connection.id, orderJobTypesOf(connection)]))
  return objects.flatMap(({ connectionId, externalId }) =>
    (jobTypes.get(connectionId) ?? []).map(jobType =>
      exclusionKeyOf(adapterJobType(), { jobType, connectionId, payload: { externalId }, idempotencyKey: '' })
    )
  )
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
 * Removes the data of the buyers from orders, whose rows are locked, and from the jobs and events
 * about them. Ids, amounts, quantities, states and times stay. Returns when the data of each order
 * were removed first.
 */
export async function forgetBuyers (
  query: Query,
  orders: readonly BuyerRow[],
  { orderJobTypesOf, removeEventTexts }: OrderEvents
): Promise<ReadonlyMap<string, Date>> {
  await writeDetails(query, await changedDetails(query, orders))
  await clearParcels(query, orders.map(({ id }) => id), removedText)
  await removeTexts(query, await jobKeysOf(query, orders, orderJobTypesOf))
  await removeEventTexts(query, orders.flatMap(objectsOf))
  return writeRemainders(
    query,
    orders.map(({ id, snapshot, problems }) => ({
      id,
      snapshot: orderWithoutBuyer(snapshot),
      problems: problems.map(problemWithoutText)
    }))
  )
}
