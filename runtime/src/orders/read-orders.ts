import type { Query } from '../database/database.ts'
import { OrderNotFoundError } from '../errors.ts'
import { decodeCursor } from '../http/paging.ts'
import { toStorableTime } from '../http/storable-time.ts'
import { describeElsewhere } from './handled-elsewhere.ts'
import { readLines } from './lines/store.ts'
import type { OrderQuery, OrderSummary, OrderView } from './schemas.ts'
import { differencesIn } from './shop/change-words.ts'
import { openChanges } from './shop/changed-order.ts'
import { listDetails, readDetails, readHistory, readManyDetails, type OrderDetails } from './store.ts'

/** Returns a page of orders, oldest first unless the query says otherwise. */
export async function listOrders (
  query: Query,
  { since, limit, cursor, newestFirst: isNewestFirst, ...filter }: OrderQuery
): Promise<OrderSummary[]> {
  const { connectionId, status, externalId, problem } = filter
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const found = await listDetails(query, {
    connectionId,
    status,
    externalId,
    problem,
    since: since === undefined ? undefined : toStorableTime(since)
  }, { limit, after, isNewestFirst })
  return found.map(summarize)
}

/** Returns these orders, oldest first. */
export async function summariesOf (query: Query, ids: readonly string[]): Promise<OrderSummary[]> {
  return (await readManyDetails(query, ids)).map(summarize)
}

/** Returns an order with its lines and its history. */
export async function getOrder (query: Query, id: string): Promise<Omit<OrderView, 'waitsFor'>> {
  const row = await readDetails(query, id)
  if (row === undefined) throw new OrderNotFoundError(id)
  const history = await readHistory(query, id)
  const lines = await readLines(query, id)
  return {
    ...summarize(row),
    snapshot: row.snapshot,
    changes: row.destinationExternalId === null ? [] : differencesIn(openChanges(row)),
    lines: lines.map(({ externalId, offerExternalId, quantity, variantId }) => ({
      externalId,
      offerExternalId,
      quantity,
      variantId
    })),
    history: history.map(({ at, event, detail }) => ({ at: new Date(at).toISOString(), event, detail: detail ?? {} }))
  }
}

function summarize (row: OrderDetails): OrderSummary {
  const {
    id,
    connectionId,
    externalId,
    status,
    sourceStatus,
    upstreamStatus,
    snapshot,
    problems,
    destinationConnectionId,
    destinationExternalId,
    destinationStatus,
    tracking,
    reserved,
    personalDataRemovedAt
  } = row
  return {
    id,
    connectionId,
    externalId,
    status,
    sourceStatus,
    upstreamStatus,
    total: snapshot.total,
    reserved,
    handledElsewhere: describeElsewhere(snapshot),
    problems: [
      ...problems.map(({ detail }) => detail),
      ...status === 'failed' && reserved > 0 ? [keptProblem(id, reserved)] : []
    ],
    destination: destinationConnectionId === null
      ? null
      : { connectionId: destinationConnectionId, externalId: destinationExternalId, status: destinationStatus },
    tracking,
    personalDataRemovedAt: personalDataRemovedAt === null ? null : new Date(personalDataRemovedAt).toISOString(),
    placedAt: new Date(row.placedAt).toISOString(),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString()
  }
}

function keptProblem (id: string, reserved: number): string {
  return `the order still reserves pieces (${reserved}): \`linker orders release ${id}\` ` +
    `(POST /orders/${id}/release) gives them back`
}
