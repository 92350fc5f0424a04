import type { NewOrder, Order } from '@linker/sdk'
import { isDeepStrictEqual } from 'node:util'
import type { Query, Transaction } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { addHistory, orderColumns, type LineRow, type OrderRow } from './order-row.ts'
import { advance } from './status.ts'
import { addTrackingAtMarketplace, updateStatusAtMarketplace } from './jobs.ts'
import { withoutRepeats, type OrderProblem } from './problem-codes.ts'

/**
 * Answers the order to make in the shop. Every line has a variant: without one, the order would
 * still wait for its mapping.
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

const lockDestination = `
  select ${orderColumns}
  from orders
  where destination_connection_id = $1 and destination_external_id = $2
  for update`

/**
 * Stores what a shop says of orders that the hub made there, and tells the marketplaces. Ignores
 * orders that the hub did not create.
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
    const [row] = await transaction.query<OrderRow>(lockDestination, [connectionId, order.externalId])
    if (row === undefined) continue
    known += 1
    jobs.push(...await recordDestination(transaction.query, row, order, requestId))
  }
  return { known, jobs }
}

/** A problem of an order until the marketplace has cancelled it, too. */
const cancelledInShopOnly: OrderProblem = {
  code: 'cancelled-in-shop-only',
  detail: 'it was cancelled in the shop, not at the marketplace'
}

const updateFromShop = `
  update orders set
    status = $2,
    destination_status = $3,
    tracking = $4,
    problems = $5,
    updated_at = now()
  where id = $1`

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
  const problems = wasCancelledThere ? withoutRepeats([...row.problems, cancelledInShopOnly]) : row.problems
  const trackingJson = tracking === null ? null : JSON.stringify(tracking)
  await query(updateFromShop, [row.id, status, order.status, trackingJson, JSON.stringify(problems)])
  const said = row.destinationStatus === order.status
    ? ''
    : await addHistory(query, row.id, 'shop says', { status: order.status, upstreamStatus: order.upstreamStatus })
  const jobs: JobRequest[] = []
  const isToBeCancelled = wasCancelledThere && status === 'created' && await cancelsWithShop(query, row.connectionId)
  // The history entry makes the key unique: a shop may take a cancellation back and cancel again.
  if (isToBeCancelled) jobs.push(statusJob(row, 'cancelled', requestId, said))
  if (newTracking !== undefined) {
    const change = await addHistory(query, row.id, 'tracking', { ...newTracking })
    jobs.push(trackingJob(row, change, requestId))
  }
  if (status !== row.status && (status === 'shipped' || status === 'delivered')) {
    jobs.push(statusJob(row, status, requestId))
  }
  return jobs
}

/** Whether the shop has cancelled an order that is neither finished nor shipped. */
export function isCancelledByShop (order: Pick<OrderRow, 'status' | 'destinationStatus'>): boolean {
  return order.status === 'created' && order.destinationStatus === 'cancelled'
}

const selectCancelsWithShop = `
  select config -> 'cancelOrdersWithShop' = 'true'::jsonb as "isWanted"
  from connections
  where id = $1`

/** Whether the hub cancels orders at a marketplace when the shop cancels them. */
async function cancelsWithShop (query: Query, connectionId: string): Promise<boolean> {
  const [row] = await query<{ isWanted: boolean | null }>(selectCancelsWithShop, [connectionId])
  return row?.isWanted === true
}

/**
 * Whether the shop's tracking is news. When the hub made the shipment itself, ignore the shop's
 * tracking: it only repeats ours under another carrier name.
 */
async function hasNewTracking (query: Query, { id, tracking }: OrderRow, { tracking: said }: Order): Promise<boolean> {
  if (said === undefined || isDeepStrictEqual(said, tracking)) return false
  if (said.number !== tracking?.number) return true
  const own = await query("select from shipments where order_id = $1 and tracking ->> 'number' = $2", [id, said.number])
  return own.length === 0
}

/**
 * The job that tells the marketplace the tracking of an order. `change` is the id of the history
 * entry: it makes a second job when an earlier number comes back.
 */
export function trackingJob (
  { id, connectionId }: Pick<OrderRow, 'id' | 'connectionId'>,
  change: string,
  requestId?: string
): JobRequest {
  return addTrackingAtMarketplace.request({ orderId: id }, {
    connectionId,
    key: `order-tracking:${id}:${change}`,
    requestId
  })
}

type ToldStatus = 'shipped' | 'delivered' | 'cancelled'

/**
 * The job that tells the marketplace the status of an order. `occasion` tells repetitions apart: a
 * status that comes again makes a second job.
 */
export function statusJob (
  { id, connectionId }: Pick<OrderRow, 'id' | 'connectionId'>,
  status: ToldStatus,
  requestId?: string,
  occasion?: string
): JobRequest {
  return updateStatusAtMarketplace.request({ orderId: id, status }, {
    connectionId,
    key: `order-status:${id}:${status}${occasion === undefined ? '' : `:${occasion}`}`,
    requestId
  })
}
