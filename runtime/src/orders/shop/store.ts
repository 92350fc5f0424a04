import type { Order } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import { toStorableJson } from '../../database/storable-json.ts'
import type { OrderProblem } from '../problem-codes.ts'
import type { OrderRow } from '../store.ts'
import {
  selectAtShop,
  selectFirstAtShop,
  selectMasters,
  selectOpenAtShop,
  selectOtherAtShop,
  selectShops,
  selectUnsure,
  updateDestination,
  updateHandedOn,
  updateFromShop,
  updateReadAtShop,
  updateToBegun,
  updateToCancelledInShop,
  updateToCreated,
  updateToNotCreatable,
  updateToNotCreated,
  updateUnsure
} from './statements.ts'

/** The cursor of the orders that a shop lists as changed, beside those of the adapter. */
export const shopOrdersCursor = 'shop-orders'

/** What an attempt hands on to the shop. */
export interface Handing {
  order: Order
  /** Whether a search has shown that the shop does not have the order. */
  isAbsent: boolean
}

/**
 * Stores that an attempt to make an order in the shop begins. Returns false when the order is not
 * ready, or an earlier attempt may be under way.
 */
export async function markBegun (query: Query, orderId: string, { order, isAbsent }: Handing): Promise<boolean> {
  const begun = await query(updateToBegun, [orderId, JSON.stringify(order), isAbsent])
  return begun.length > 0
}

/** Returns how long an attempt may still be under way; undefined when none is. */
export async function readUnsureMs (query: Query, orderId: string): Promise<number | undefined> {
  const [unsure] = await query<{ leftMs: number }>(selectUnsure, [orderId])
  return unsure?.leftMs
}

/** Stores how long an attempt may still be under way. Null: it is over. */
export async function writeUnsureMs (query: Query, orderId: string, milliseconds: number | null): Promise<void> {
  await query(updateUnsure, [orderId, milliseconds])
}

/** A connection that masters a variant of an order. */
export interface Master {
  id: string
  capabilities: string[]
  /** Whether the order came from this connection. */
  isSource: boolean
}

/** Returns the connections that master the variants of an order. */
export async function findMasters (query: Query, orderId: string): Promise<Master[]> {
  return query<Master>(selectMasters, [orderId])
}

/** Returns the ids of all shops that may have an order: those that accept orders of others. */
export async function findShops (query: Query, orderId: string): Promise<string[]> {
  return (await query<{ id: string }>(selectShops, [orderId])).map(({ id }) => id)
}

/** Stores which shop gets an order. */
export async function writeDestination (query: Query, orderId: string, connectionId: string): Promise<void> {
  await query(updateDestination, [orderId, connectionId])
}

/** Marks an order as failed for which there is no shop. */
export async function markNotCreatable (query: Query, orderId: string, problem: OrderProblem): Promise<void> {
  await query(updateToNotCreatable, [orderId, JSON.stringify([problem])])
}

/**
 * Marks an order as failed that its shop did not make. Returns false, and leaves the order alone,
 * when it is cancelled or made meanwhile.
 */
export async function markNotCreated (query: Query, orderId: string, problem: OrderProblem): Promise<boolean> {
  const failed = await query(updateToNotCreated, [orderId, toStorableJson([problem])])
  return failed.length > 0
}

/** Returns the id of another order that the same shop has under this id. */
export async function findOtherAtShop (
  query: Query,
  { id, destinationConnectionId }: Pick<OrderRow, 'id' | 'destinationConnectionId'>,
  externalId: string
): Promise<string | undefined> {
  const [other] = await query<{ id: string }>(selectOtherAtShop, [id, destinationConnectionId, externalId])
  return other?.id
}

/** Stores the id of an order in its shop. */
export async function markCreated (
  query: Query,
  orderId: string,
  externalId: string,
  { status, problems, handedOn }: Pick<OrderRow, 'status' | 'problems' | 'handedOn'>
): Promise<void> {
  const handedOnJson = handedOn === null ? null : JSON.stringify(handedOn)
  await query(updateToCreated, [orderId, status, externalId, toStorableJson(problems), handedOnJson])
}

/** Stores what the shop has of an order; null: it has what the marketplace says. */
export async function writeHandedOn (query: Query, orderId: string, handedOn: Order | null): Promise<void> {
  await query(updateHandedOn, [orderId, handedOn === null ? null : JSON.stringify(handedOn)])
}

export async function markCancelledInShop (query: Query, orderId: string): Promise<void> {
  await query(updateToCancelledInShop, [orderId])
}

/** Writes what the shop says of an order, with the status that the hub gives it. */
export async function writeFromShop (
  query: Query,
  orderId: string,
  destinationStatus: Order['status'],
  { status, tracking, problems }: Pick<OrderRow, 'status' | 'tracking' | 'problems'>
): Promise<void> {
  const trackingJson = tracking === null ? null : JSON.stringify(tracking)
  await query(updateFromShop, [orderId, status, destinationStatus, trackingJson, JSON.stringify(problems)])
}

/**
 * Returns the ids of orders that the hub made in a shop within so many days and that are neither
 * delivered nor over, the one read longest ago first. Leaves out those read since a time (ISO
 * 8601), and for an hour those that are shipped with a tracking number.
 */
export async function listOpenAtShop (
  query: Query,
  connectionId: string,
  { days, before, limit }: { days: number, before: string, limit: number }
): Promise<string[]> {
  const orders = await query<{ externalId: string }>(selectOpenAtShop, [connectionId, days, before, limit])
  return orders.map(({ externalId }) => externalId)
}

/** Whether the hub ever made an order in a shop. */
export async function hasOrdersAtShop (query: Query, connectionId: string): Promise<boolean> {
  return (await query(selectFirstAtShop, [connectionId])).length > 0
}

/** Returns those of the ids that orders of the hub have in a shop. */
export async function findAtShop (
  query: Query,
  connectionId: string,
  externalIds: readonly string[]
): Promise<ReadonlySet<string>> {
  const orders = await query<{ externalId: string }>(selectAtShop, [connectionId, externalIds])
  return new Set(orders.map(({ externalId }) => externalId))
}

/** Notes that the hub has read orders in their shop, or tried to. */
export async function markReadAtShop (
  query: Query,
  connectionId: string,
  externalIds: readonly string[]
): Promise<void> {
  await query(updateReadAtShop, [connectionId, externalIds])
}
