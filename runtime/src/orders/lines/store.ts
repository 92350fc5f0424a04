import type { Order } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import type { Reservations } from '../../offers/explanation/facts.ts'
import type { ReservingOrder } from '../../offers/explanation/schemas.ts'
import type { SoldOffer } from '../../offers/store.ts'
import type { PiecesChange } from '../../stock/reserved-pieces.ts'
import type { SharedLine } from './shared-lines.ts'
import {
  copyVariantsOfOrders,
  deleteMissing,
  deleteRemoved,
  lockLineIds,
  selectAnyUnmapped,
  selectLines,
  selectLinesOfOrders,
  selectMappable,
  selectProducts,
  selectReserving,
  selectSoldOffers,
  selectUnexplained,
  selectUnmapped,
  updateRemoved,
  updateReservedQuantities,
  updateTaken,
  updateToFree,
  updateToKnownAtShop,
  updateToReserved,
  updateVariants,
  upsertLines
} from './statements.ts'

/** A line with the variant that it sells; the variant is null until it is known. */
export interface LineRow {
  externalId: string
  offerExternalId: string | null
  quantity: number
  variantId: string | null
  variantExternalId: string | null
  productExternalId: string | null
  /** The shop that masters the variant. */
  masterId: string | null
}

/** Returns the lines of an order, by external id. */
export async function readLines (query: Query, orderId: string): Promise<LineRow[]> {
  return query<LineRow>(selectLines, [orderId])
}

/** Returns the lines of several orders by the id of their order. */
export async function readLinesOf (
  query: Query,
  orderIds: readonly string[]
): Promise<ReadonlyMap<string, SharedLine[]>> {
  const lines = await query<SharedLine & { orderId: string }>(selectLinesOfOrders, [orderIds])
  return Map.groupBy(lines, ({ orderId }) => orderId)
}

/**
 * Keeps other readings of the same lines waiting until the transaction ends. Otherwise two orders
 * that are stored at once would not see each other. Call it before anything is locked.
 */
export async function lockLines (query: Query, connectionId: string, lines: Order['lines']): Promise<void> {
  await query(lockLineIds, [connectionId, lines.map(({ externalId }) => externalId)])
}

/** Whether every line of an order has a variant. */
export async function areMapped (query: Query, orderId: string): Promise<boolean> {
  const unmapped = await query(selectAnyUnmapped, [orderId])
  return unmapped.length === 0
}

/** Returns the first lines of an order that have no variant. */
export async function findUnmapped (
  query: Query,
  orderId: string
): Promise<Pick<LineRow, 'externalId' | 'offerExternalId'>[]> {
  return query(selectUnmapped, [orderId])
}

type Line = Pick<Order['lines'][number], 'externalId' | 'offerExternalId' | 'quantity'>

/** Returns lines as rows for a statement. */
function lineRows (lines: readonly Line[]): string {
  return JSON
    .stringify(lines.map(({ externalId, offerExternalId, quantity }) => ({ externalId, offerExternalId, quantity })))
}

/**
 * Inserts lines of an order, and updates the offers and quantities of those that are there. Keeps
 * the pieces of the lines that the shop has.
 */
export async function writeLines (
  query: Query,
  orderId: string,
  lines: readonly Line[],
  isAtDestination: boolean
): Promise<void> {
  await query(upsertLines, [orderId, lineRows(lines), isAtDestination])
}

/** Ends what lines of an order that its marketplace removed still ask of the shop. */
export async function removeMissing (query: Query, orderId: string, lines: readonly Line[]): Promise<void> {
  await query(deleteMissing, [orderId, lineRows(lines)])
  await query(updateRemoved, [orderId, lineRows(lines)])
}

/** Stores that the shop has the pieces of all lines. */
export async function markKnownAtShop (query: Query, orderId: string): Promise<void> {
  await query(updateToKnownAtShop, [orderId])
}

/** Stores the pieces that the shop took of these lines, and returns them by variant. */
export async function takeLines (
  query: Query,
  orderId: string,
  lines: readonly Line[]
): Promise<{ variantId: string, sold: number, corrected: number }[]> {
  return query(updateTaken, [orderId, lineRows(lines)])
}

/** Gives the lines of an order the variants that their offers sell. A line keeps its variant. */
export async function mapLines (query: Query, orderId: string, connectionId: string): Promise<void> {
  await query(updateVariants, [orderId, connectionId])
}

/** Gives the lines of an order the variants that the same lines have in other orders. */
export async function copyVariants (query: Query, orderId: string, from: readonly string[]): Promise<void> {
  await query(copyVariantsOfOrders, [orderId, from])
}

/**
 * Removes the lines of an order that are not among these or name another offer now. Returns the
 * changes of the reserved pieces.
 */
export async function removeOtherLines (
  query: Query,
  orderId: string,
  lines: readonly Line[]
): Promise<PiecesChange[]> {
  return query<PiecesChange>(deleteRemoved, [orderId, lineRows(lines)])
}

/** Updates the quantities of reserved lines. Returns the changes of the reserved pieces. */
export async function changeReservedLines (
  query: Query,
  orderId: string,
  lines: readonly Line[]
): Promise<PiecesChange[]> {
  return query<PiecesChange>(updateReservedQuantities, [orderId, lineRows(lines)])
}

/** Pieces of a variant that an order reserves. */
export interface Pieces {
  variantId: string
  quantity: number
}

/** Marks the lines of an order as reserved that have a variant, and returns their pieces. */
export async function reserveLines (query: Query, orderId: string): Promise<Pieces[]> {
  return query<Pieces>(updateToReserved, [orderId])
}

/** Ends the reservations of orders, and returns their pieces. */
export async function freeLines (query: Query, orderIds: readonly string[]): Promise<Pieces[]> {
  return query<Pieces>(updateToFree, [orderIds])
}

/** Returns the offers that an order sold. */
export async function findSoldOffers (query: Query, orderId: string): Promise<SoldOffer[]> {
  return query<SoldOffer>(selectSoldOffers, [orderId])
}

/** Returns the products of an order with the connections that master them. */
export async function findProducts (
  query: Query,
  orderId: string
): Promise<{ connectionId: string, externalId: string }[]> {
  return query(selectProducts, [orderId])
}

/** The reserved pieces of a variant, and the part of them that open orders explain. */
export interface Unexplained {
  variantId: string
  reserved: number
  explained: number
  /** Ids of finished orders that still reserve pieces. */
  orders: string[]
}

/**
 * Returns variants that a marketplace offers fewer of than it could: more pieces are reserved than
 * the orders explain that are still to be made in a shop.
 */
export async function findUnexplained (query: Query, connectionId: string): Promise<Unexplained[]> {
  return query<Unexplained>(selectUnexplained, [connectionId])
}

/**
 * Returns the open orders that reserve pieces of a variant: the 20 that the hub read first, and the
 * number and the pieces of all, counted to 10 000 orders.
 */
export async function readReservations (query: Query, variantId: string): Promise<Reservations> {
  const rows = await query<ReservingOrder & { count: number, pieces: number }>(selectReserving, [variantId])
  const [{ count, pieces } = { count: 0, pieces: 0 }] = rows
  return { orders: rows.map(({ count: _count, pieces: _pieces, ...order }) => order), count, pieces }
}

const mappableAtOnce = 100

/**
 * Returns the external ids of orders that wait for a variant and have a line whose offer is linked
 * now: all orders with one of these offers, or the first 100 with any offer of the marketplace.
 */
export async function findMappable (
  query: Query,
  connectionId: string,
  offerExternalIds: readonly string[] | undefined
): Promise<string[]> {
  const found: string[] = []
  let isEnd = false
  while (!isEnd) {
    const values = [connectionId, offerExternalIds ?? null, found.at(-1) ?? '', mappableAtOnce]
    const orders = await query<{ externalId: string }>(selectMappable, values)
    found.push(...orders.map(({ externalId }) => externalId))
    isEnd = offerExternalIds === undefined || orders.length < mappableAtOnce
  }
  return found
}
