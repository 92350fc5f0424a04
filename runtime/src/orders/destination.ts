import type { NewOrder, Order } from '@linker/sdk'
import { isDeepStrictEqual } from 'node:util'
import type { Query, Transaction } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { addHistory, orderColumns, type LineRow, type OrderRow } from './order-row.ts'
import { advance } from './status.ts'

/**
 * The order as the shop is to have it. Every line has a variant: one without would not have come so
 * far.
 */
export function toNewOrder (
  { snapshot, connectionId }: OrderRow,
  lines: readonly LineRow[],
  platformType: string
): NewOrder {
  const { lines: placed, ...order } = snapshot
  const mapped = new Map(lines.map(line => [line.externalId, line]))
  return {
    ...order,
    lines: placed.map(line => {
      const { productExternalId, variantExternalId } = mapped.get(line.externalId) ?? {}
      if (typeof productExternalId !== 'string' || typeof variantExternalId !== 'string') {
        throw new Error(`line ${line.externalId} has no variant`)
      }
      return { ...line, productExternalId, variantExternalId }
    }),
    source: { connectionId, platformType }
  }
}

/**
 * Takes over what a shop says of orders that the hub made there, and lets the marketplaces know.
 * Orders of the shop's own are none of the hub's.
 */
export async function recordDestinationOrders (
  transaction: Transaction,
  connectionId: string,
  orders: readonly Order[],
  requestId?: string
): Promise<{ known: number, jobs: JobRequest[] }> {
  const jobs: JobRequest[] = []
  let known = 0
  for (const order of JSON.parse(toStorableJson(orders)) as Order[]) {
    const [row] = await transaction.query<OrderRow>(
      `select ${orderColumns} from orders where destination_connection_id = $1 and destination_external_id = $2 for update`,
      [connectionId, order.externalId]
    )
    if (row === undefined) continue
    known += 1
    jobs.push(...await recordDestination(transaction.query, row, order, requestId))
  }
  return { known, jobs }
}

/** A problem of an order until the marketplace has cancelled it, too. */
export const cancelledInShopOnly = 'it was cancelled in the shop, not at the marketplace'

async function recordDestination (
  query: Query,
  row: OrderRow,
  order: Order,
  requestId: string | undefined
): Promise<JobRequest[]> {
  const status = advance(row.status, order.status)
  const newTracking = await hasNewTracking(query, row, order) ? order.tracking : undefined
  const tracking = newTracking ?? row.tracking
  const wasCancelledThere = order.status === 'cancelled' && row.destinationStatus !== 'cancelled' &&
    row.status !== 'cancelled'
  const problems = wasCancelledThere ? [...new Set([...row.problems, cancelledInShopOnly])] : row.problems
  await query(
    'update orders set status = $2, destination_status = $3, tracking = $4, problems = $5, updated_at = now() where id = $1',
    [row.id, status, order.status, tracking === null ? null : JSON.stringify(tracking), JSON.stringify(problems)]
  )
  const said = row.destinationStatus === order.status
    ? ''
    : await addHistory(query, row.id, 'shop says', { status: order.status, upstreamStatus: order.upstreamStatus })
  const isToBeCancelled = wasCancelledThere && status === 'created' && await cancelsWithShop(query, row.connectionId)
  return [
    // A shop may take a cancellation back and cancel again.
    ...isToBeCancelled ? [statusJob(row, 'cancelled', requestId, said)] : [],
    ...newTracking === undefined
      ? []
      : [trackingJob(row, await addHistory(query, row.id, 'tracking', { ...newTracking }), requestId)],
    ...status !== row.status && (status === 'shipped' || status === 'delivered')
      ? [statusJob(row, status, requestId)]
      : []
  ]
}

/** Whether the shop has cancelled an order that is not over and was not shipped. */
export function isCancelledByShop (order: Pick<OrderRow, 'status' | 'destinationStatus'>): boolean {
  return order.status === 'created' && order.destinationStatus === 'cancelled'
}

/** Whether orders of a marketplace are to be cancelled there when the shop cancels them. */
async function cancelsWithShop (query: Query, connectionId: string): Promise<boolean> {
  const [row] = await query<{ isWanted: boolean | null }>(
    `
    select config -> 'cancelOrdersWithShop' = 'true'::jsonb as "isWanted"
    from connections where id = $1`,
    [connectionId]
  )
  return row?.isWanted === true
}

/**
 * Of the parcel that the hub had a carrier make the shop only says again what it was told, with a
 * carrier of its own.
 */
async function hasNewTracking (query: Query, { id, tracking }: OrderRow, { tracking: said }: Order): Promise<boolean> {
  if (said === undefined || isDeepStrictEqual(said, tracking)) return false
  if (said.number !== tracking?.number) return true
  const own = await query("select from shipments where order_id = $1 and tracking ->> 'number' = $2", [id, said.number])
  return own.length === 0
}

/**
 * Tells the marketplace which parcel the order is in. `change` is the entry of its history: a
 * number that comes back is told again.
 */
export function trackingJob (
  { id, connectionId }: Pick<OrderRow, 'id' | 'connectionId'>,
  change: string,
  requestId?: string
): JobRequest {
  return {
    jobType: 'marketplace.order.addTracking',
    connectionId,
    payload: { orderId: id },
    idempotencyKey: `order-tracking:${id}:${change}`,
    ...(requestId === undefined ? {} : { requestId })
  }
}

type ToldStatus = 'shipped' | 'delivered' | 'cancelled'

/** Tells the marketplace how far the order is. `occasion`: what may come again is told again. */
export function statusJob (
  { id, connectionId }: Pick<OrderRow, 'id' | 'connectionId'>,
  status: ToldStatus,
  requestId?: string,
  occasion?: string
): JobRequest {
  return {
    jobType: 'marketplace.order.updateStatus',
    connectionId,
    payload: { orderId: id, status },
    idempotencyKey: `order-status:${id}:${status}${occasion === undefined ? '' : `:${occasion}`}`,
    ...(requestId === undefined ? {} : { requestId })
  }
}
