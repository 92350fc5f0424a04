import type { Order, Tracking } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { ConnectionNotFoundException } from '../errors.ts'
import type { Position } from '../http/paging.ts'
import { idsBeginningWith, isUuid } from '../text-patterns.ts'
import type { OrderProblem, OrderProblemCode } from './problem-codes.ts'
import {
  appendProblems,
  countProblems,
  countStanding,
  deleteOldEntries,
  insertEntry,
  insertNew,
  lockByDestination,
  lockById,
  lockOthersWithLines,
  moveOrders,
  noteOnOpen,
  removeProblemsByCode,
  selectDetails,
  selectFirstOpen,
  selectFound,
  selectHistory,
  selectIdentity,
  selectLastEntry,
  selectManyDetails,
  selectExternalIds,
  selectOrder,
  selectPageOfDetails,
  selectRevisions,
  selectUnlisted,
  selectWays,
  updateFromMarketplace,
  updateListed,
  updateToCancelled,
  updateToKnown,
  updateToPending,
  updateToReady,
  updateToReleased,
  updateToReplaced,
  updateToUnknown,
  updateTracking
} from './statements.ts'
import type { OrderStatus, SourceStatus } from './status.ts'

/** An order as its row stands. */
export interface OrderRow {
  id: string
  connectionId: string
  externalId: string
  status: OrderStatus
  sourceStatus: SourceStatus
  upstreamStatus: string | null
  revision: string
  snapshot: Order
  /** The adapter that read the snapshot, as `key@version`. Null: nobody knows. */
  readBy: string | null
  /**
   * What the shop got, or gets from an attempt under way, while it may be something else than the
   * snapshot. Null: it has what the snapshot says.
   */
  handedOn: Order | null
  problems: OrderProblem[]
  destinationConnectionId: string | null
  destinationExternalId: string | null
  destinationStatus: Order['status'] | null
  creationBegunAt: Date | null
  /** When a restore of the hub made it unsure whether the shop has the order. */
  searchedSince: Date | null
  tracking: Tracking | null
  /** Since when the marketplace has answered that it does not know the order. */
  unknownSince: Date | null
  /** Whether it has answered so for an hour. */
  isUnknownForLong: boolean
  /** Whether an operator gave back the pieces that a failed order otherwise keeps. */
  isReleased: boolean
  /** When the data of the buyer were removed from the order. */
  personalDataRemovedAt: Date | null
}

/** Reads an order by its UUID, written in upper or lower case. */
export async function readOrder (query: Query, id: string): Promise<OrderRow | undefined> {
  const [row] = await query<OrderRow>(selectOrder, [id])
  return row
}

/** Like `readOrder`, and locks the row until the transaction ends. */
export async function lockOrder (query: Query, id: string): Promise<OrderRow | undefined> {
  const [row] = await query<OrderRow>(lockById, [id])
  return row
}

/** Returns and locks the order that a shop has under this id. */
export async function lockOrderAtShop (
  query: Query,
  connectionId: string,
  externalId: string,
  readBefore?: string
): Promise<OrderRow | undefined> {
  const [row] = await query<OrderRow>(lockByDestination, [connectionId, externalId, readBefore ?? null])
  return row
}

/**
 * Returns and locks the other orders of the marketplace that have one of these lines, except
 * cancelled and returned ones.
 */
export async function lockOrdersWithLines (
  query: Query,
  { id, connectionId }: OrderRow,
  lineIds: readonly string[]
): Promise<OrderRow[]> {
  return query<OrderRow>(lockOthersWithLines, [connectionId, id, lineIds])
}

/** An order with its times and the number of pieces that it reserves. */
export type OrderDetails = OrderRow & { placedAt: Date, createdAt: Date, updatedAt: Date, reserved: number }

export interface OrderFilter {
  connectionId: string | undefined
  status: string | undefined
  /** Its id at its marketplace. */
  externalId: string | undefined
  /** ISO 8601: the hub first read the order at this time or later. */
  since: string | undefined
  /** The code of one of its problems, or `any`. */
  problem: string | undefined
}

/** Returns at most `limit` orders in the order in which the hub first read them, or in reverse. */
export async function listDetails (
  query: Query,
  { connectionId, status, externalId, since, problem }: OrderFilter,
  { limit, after, isNewestFirst }: { limit: number, after: Position | undefined, isNewestFirst: boolean }
): Promise<OrderDetails[]> {
  const statement = selectPageOfDetails({
    isNewestFirst,
    hasExternalId: externalId !== undefined,
    hasProblem: problem !== undefined
  })
  return query<OrderDetails>(statement, [
    connectionId ?? null,
    status ?? null,
    since ?? null,
    after?.createdAt ?? null,
    after?.id ?? null,
    limit,
    externalId ?? null,
    problem ?? null
  ])
}

/** Returns these orders in the order in which the hub first read them. */
export async function readManyDetails (query: Query, ids: readonly string[]): Promise<OrderDetails[]> {
  return ids.length === 0 ? [] : query<OrderDetails>(selectManyDetails, [ids])
}

export async function readDetails (query: Query, id: string): Promise<OrderDetails | undefined> {
  const [row] = await query<OrderDetails>(selectDetails, [id])
  return row
}

/**
 * Returns the revisions of the marketplace's orders that the hub knows, by external id. Null: the
 * order was gone and has to be read again, whatever its revision is.
 */
export async function readRevisions (
  query: Query,
  connectionId: string,
  externalIds: readonly string[]
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await query<{ externalId: string, revision: string | null }>(selectRevisions, [
    connectionId,
    externalIds
  ])
  return new Map(rows.map(({ externalId, revision }) => [externalId, revision]))
}

/** Notes that the marketplace listed orders. */
export async function markListed (query: Query, connectionId: string, externalIds: readonly string[]): Promise<void> {
  await query(updateListed, [connectionId, externalIds])
}

/**
 * Returns orders that reserve pieces and that the hub has not heard of since a sweep began, neither
 * in its list nor otherwise. They did not change, or the marketplace does not have them any more.
 */
export async function findUnlisted (query: Query, connectionId: string, since: string): Promise<string[]> {
  const orders = await query<{ externalId: string }>(selectUnlisted, [connectionId, since])
  return orders.map(({ externalId }) => externalId)
}

/** The order of an account, and the beginning of the connection that reads it. */
export interface IdentityRow {
  platformType: string
  accountId: string | null
  /** ISO 8601. */
  ordersSince: string | null
  /** Null: the hub does not know the order. */
  id: string | null
  /** The connection that the order has so far. */
  holderId: string | null
  holderName: string | null
}

/** Looks for an order at all connections to the account of a connection, also deleted ones. */
export async function readIdentity (query: Query, connectionId: string, externalId: string): Promise<IdentityRow> {
  const [row] = await query<IdentityRow>(selectIdentity, [connectionId, externalId])
  if (row === undefined) throw new ConnectionNotFoundException(connectionId)
  return row
}

/**
 * Returns the ids of the connections that open or opened the account of a connection, or may have:
 * before hubs knew accounts, a deleted connection kept none.
 */
export async function listWaysTo (query: Query, connectionId: string): Promise<string[]> {
  return (await query<{ id: string }>(selectWays, [connectionId])).map(({ id }) => id)
}

/**
 * Gives a connection orders of another one to the same account. `ids`: only these. Returns the
 * orders that it has now.
 */
export async function takeOrders (
  query: Query,
  from: { id: string, name: string },
  connectionId: string,
  ids?: readonly string[]
): Promise<Pick<OrderRow, 'id' | 'externalId' | 'status'>[]> {
  const detail = toStorableJson({ from: from.id })
  return query(moveOrders, [from.id, connectionId, ids ?? null, deletedProblem(from).detail, detail])
}

/** Inserts an order that the hub reads for the first time. Returns false when it has a row. */
export async function insertOrder (query: Query, id: string, connectionId: string, order: Order): Promise<boolean> {
  const { externalId, status, revision, placedAt } = order
  const values = [id, connectionId, externalId, status, revision, JSON.stringify(order), placedAt]
  const inserted = await query(insertNew, values)
  return inserted.length > 0
}

/** Writes an order as its marketplace shows it, with the status that the hub gives it. */
export async function writeReading (
  query: Query,
  id: string,
  order: Order,
  { status, sourceStatus, problems, personalDataRemovedAt, readBy, handedOn }: Pick<
    OrderRow,
    'status' | 'sourceStatus' | 'problems' | 'personalDataRemovedAt' | 'readBy' | 'handedOn'
  >
): Promise<void> {
  await query(updateFromMarketplace, [
    id,
    status,
    sourceStatus,
    order.upstreamStatus ?? null,
    order.revision,
    JSON.stringify(order),
    JSON.stringify(problems),
    personalDataRemovedAt,
    handedOn === null ? null : JSON.stringify(handedOn),
    readBy
  ])
}

/** Marks a failed order as ready, without its problems. */
export async function markReady (query: Query, id: string): Promise<void> {
  await query(updateToReady, [id])
}

/** Makes an order wait for its next reading, without its problems. */
export async function markPending (query: Query, id: string): Promise<void> {
  await query(updateToPending, [id])
}

/** Notes that an operator gave back the pieces of a failed order. */
export async function markReleased (query: Query, id: string): Promise<void> {
  await query(updateToReleased, [id])
}

export async function markCancelled (query: Query, id: string): Promise<void> {
  await query(updateToCancelled, [id])
}

/** Replaces the mark 'gone' of an order by the last status at its marketplace. */
export async function takeBackGone (query: Query, id: string): Promise<void> {
  await query(updateToKnown, [id])
}

/** Notes that the marketplace does not know an order, which its next reading takes back. */
export async function markUnknown (query: Query, id: string): Promise<void> {
  await query(updateToUnknown, [id])
}

/** Cancels orders that another order of the marketplace replaces. */
export async function markReplaced (query: Query, ids: readonly string[]): Promise<void> {
  await query(updateToReplaced, [ids])
}

export async function writeTracking (query: Query, id: string, tracking: Tracking): Promise<void> {
  await query(updateTracking, [id, JSON.stringify(tracking)])
}

/** Appends a problem to an order, unless it stands there already. */
export async function appendProblem (query: Query, id: string, problem: OrderProblem): Promise<void> {
  await query(appendProblems, [id, JSON.stringify([problem])])
}

/** Removes the problems of these codes from an order. */
export async function removeProblems (query: Query, id: string, codes: readonly OrderProblemCode[]): Promise<void> {
  await query(removeProblemsByCode, [id, codes])
}

/**
 * Adds an entry to the history of an order and returns its id. Drops the oldest entries of an order
 * that changes for ever.
 */
export async function addHistory (
  query: Query,
  orderId: string,
  event: string,
  detail: Record<string, unknown> = {}
): Promise<string> {
  const [entry] = await query<{ id: string }>(insertEntry, [orderId, event, toStorableJson(detail)])
  await query(deleteOldEntries, [orderId])
  return entry?.id ?? ''
}

/** Returns the ids of the oldest open orders that need a connection. */
export async function listFirstOpen (query: Query, connectionId: string): Promise<string[]> {
  return (await query<{ id: string }>(selectFirstOpen, [connectionId])).map(({ id }) => id)
}

/** Notes on the open orders of a connection, and in their history, that it is deleted. */
export async function noteDeleted (
  query: Query,
  { id, name }: { id: string, name: string }
): Promise<void> {
  await query(noteOnOpen, [id, toStorableJson([deletedProblem({ name })]), toStorableJson({ connectionId: id, name })])
}

function deletedProblem ({ name }: { name: string }): OrderProblem {
  return {
    code: 'connection-deleted',
    detail: `connection '${name}' was deleted: the hub does nothing more there for the order`
  }
}

/** An entry in the history of an order. */
export interface HistoryRow {
  at: Date
  event: string
  detail: Record<string, unknown> | null
}

/** Returns the history of an order, the oldest entry first. */
export async function readHistory (query: Query, orderId: string): Promise<HistoryRow[]> {
  return query<HistoryRow>(selectHistory, [orderId])
}

/** Returns the id of the newest history entry of an event, if there is one. */
export async function findLastEntry (query: Query, orderId: string, event: string): Promise<string | undefined> {
  const [entry] = await query<{ id: string }>(selectLastEntry, [orderId, event])
  return entry?.id
}

/** An order that a text found. */
export interface FoundOrder
  extends Pick<OrderRow, 'id' | 'connectionId' | 'externalId' | 'status' | 'destinationExternalId'>
{
  matchedBy: 'id' | 'externalId'
}

/** Finds orders by their id in the hub, at the marketplace or in the shop. */
export async function searchOrders (query: Query, text: string, limit: number): Promise<FoundOrder[]> {
  const { first = null, last = null } = idsBeginningWith(text) ?? {}
  return query<FoundOrder>(selectFound, [text, first, limit, last])
}

/** Orders of a connection that have one status. */
export interface StandingOrders {
  connectionId: string
  status: OrderStatus
  count: number
  /** When the oldest came to the hub, ISO 8601. */
  since: string
}

const mostCounted = 10_000

/**
 * Counts the orders of connections that have had a status for at least so long, up to a limit for
 * each connection and status.
 */
export async function countOrdersStanding (
  query: Query,
  connectionIds: readonly string[],
  waits: Readonly<Partial<Record<OrderStatus, number>>>,
  limit = mostCounted
): Promise<StandingOrders[]> {
  return query<StandingOrders>(countStanding, [connectionIds, Object.keys(waits), Object.values(waits), limit])
}

/** Orders of a connection that have one problem. */
export interface TroubledOrders {
  connectionId: string
  code: OrderProblemCode
  count: number
  /** When the one that rests longest last changed, ISO 8601. */
  since: string
}

/** Counts the orders of connections with a problem, except those that people find by status. */
export async function countOrdersInTrouble (
  query: Query,
  connectionIds: readonly string[],
  limit = mostCounted
): Promise<TroubledOrders[]> {
  return query<TroubledOrders>(countProblems, [connectionIds, limit])
}

/** Returns the ids of orders at their marketplaces, by the ids of the hub, without other texts. */
export async function nameOrders (query: Query, ids: readonly string[]): Promise<Map<string, string>> {
  const possible = ids.filter(isUuid)
  if (possible.length === 0) return new Map()
  const rows = await query<{ id: string, name: string }>(selectExternalIds, [possible])
  return new Map(rows.map(({ id, name }) => [id, name]))
}
