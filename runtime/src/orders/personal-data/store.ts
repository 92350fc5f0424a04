import type { Order, Tracking } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import { toStorableJson } from '../../database/storable-json.ts'
import type { OrderRow } from '../store.ts'
import {
  hasBuyer,
  lockDue,
  lockForRemoval,
  selectDetails,
  updateDetails,
  updateOrders,
  updateParcels
} from './statements.ts'

/** An order with all places where data of its buyer lie. */
export interface BuyerRow extends
  Pick<
    OrderRow,
    | 'id'
    | 'connectionId'
    | 'externalId'
    | 'snapshot'
    | 'problems'
    | 'destinationConnectionId'
    | 'destinationExternalId'
    | 'tracking'
    | 'personalDataRemovedAt'
  >
{
  carrierId: string | null
  parcel: Tracking | null
  parcelProblem: string | null
}

/** A place in the walk through ended orders. */
export interface WalkPosition {
  endedAt: string
  id: string
}

/** Locks orders that ended so many days ago, after a position of the walk, the oldest first. */
export type LockDue = (query: Query, days: number, after: WalkPosition, limit: number) => Promise<WalkPosition[]>

/** Returns the function that locks those that meet an SQL condition over rows of `orders`. */
export function lockDueThat (condition: string): LockDue {
  const statement = lockDue(condition)
  return (query, days, after, limit) => query<WalkPosition>(statement, [days, after.endedAt, after.id, limit])
}

/** Locks those that have the data of their buyers. */
export const lockWithBuyers = lockDueThat(hasBuyer)

/** Locks orders and returns what they know of their buyers. */
export async function lockBuyers (query: Query, ids: readonly string[]): Promise<BuyerRow[]> {
  return query<BuyerRow>(lockForRemoval, [ids])
}

/** A history entry with a detail. */
export interface DetailRow {
  orderId: string
  id: string
  detail: Record<string, unknown>
}

export async function readDetailsOf (query: Query, ids: readonly string[]): Promise<DetailRow[]> {
  return query<DetailRow>(selectDetails, [ids])
}

/** The parts of an order that stay, without the data of its buyer. */
export interface Remainder extends Pick<OrderRow, 'id' | 'problems'> {
  snapshot: Order
}

/** Writes the parts of orders that stay. Returns when the data of each were removed first. */
export async function writeRemainders (
  query: Query,
  remainders: readonly Remainder[]
): Promise<ReadonlyMap<string, Date>> {
  const rows = await query<{ id: string, removedAt: string }>(updateOrders, [
    toStorableJson(remainders),
    remainders.map(({ id }) => id)
  ])
  return new Map(rows.map(({ id, removedAt }) => [id, new Date(removedAt)]))
}

export async function writeDetails (query: Query, details: readonly DetailRow[]): Promise<void> {
  if (details.length === 0) return
  await query(updateDetails, [toStorableJson(details), details.map(({ orderId }) => orderId)])
}

/** Removes the tracking of the parcels, and replaces their problems by this text. */
export async function clearParcels (query: Query, orderIds: readonly string[], text: string): Promise<void> {
  await query(updateParcels, [orderIds, text])
}
