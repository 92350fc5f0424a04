import type { Order } from '@linker/sdk'
import { isDeepStrictEqual } from 'node:util'
import { isCancellingWithShop } from '../../connections/store.ts'
import type { Query, Transaction } from '../../database/database.ts'
import { toStorableJson } from '../../database/storable-json.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { isFulfilledElsewhere } from '../handled-elsewhere.ts'
import { addTrackingAtMarketplace, updateStatusAtMarketplace } from '../jobs.ts'
import { release } from '../lines/reservations.ts'
import { isAboutTwoWarehouses, withoutRepeats, type OrderProblem } from '../problem-codes.ts'
import { hasShipmentNumber } from '../shipments/store.ts'
import { advance } from '../status.ts'
import { addHistory, lockOrderAtShop, type OrderRow } from '../store.ts'
import { recordShown } from './changed-order.ts'
import { markReadAtShop, writeFromShop } from './store.ts'

/**
 * Stores what a shop says of orders that the hub made there, and tells the marketplaces. Ignores
 * orders that the hub did not create. `readAt`: when the reading began, by the clock of the
 * database; an order that was read later keeps what that reading said.
 */
export async function recordDestinationOrders (
  { query }: Transaction,
  connectionId: string,
  orders: readonly Order[],
  { requestId, readAt }: { requestId?: string | undefined, readAt?: string } = {}
): Promise<{ known: number, jobs: JobRequest[] }> {
  const jobs: JobRequest[] = []
  const known: string[] = []
  for (const order of JSON.parse(toStorableJson(orders)) as Order[]) {
    const row = await lockOrderAtShop(query, connectionId, order.externalId, readAt)
    if (row === undefined) continue
    known.push(order.externalId)
    jobs.push(
      ...await recordDestination(query, row, order, requestId),
      ...await recordShown(query, row, order, requestId)
    )
  }
  await markReadAtShop(query, connectionId, known)
  return { known: known.length, jobs }
}

/** A problem of an order until the marketplace has cancelled it, too. */
const cancelledInShopOnly: OrderProblem = {
  code: 'cancelled-in-shop-only',
  detail: 'it was cancelled in the shop, not at the marketplace'
}

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
    row.status !== 'cancelled' && !isFulfilledElsewhere(row.snapshot)
  const present = row.problems.filter(problem =>
    problem.code !== 'missing-in-shop' && !(order.status === 'cancelled' && isAboutTwoWarehouses(problem))
  )
  const problems = wasCancelledThere ? withoutRepeats([...present, cancelledInShopOnly]) : present
  const isNews = row.destinationStatus !== order.status || row.status !== status || newTracking !== undefined ||
    problems.length !== row.problems.length
  if (!isNews) return []
  await writeFromShop(query, row.id, order.status, { status, tracking, problems })
  const said = row.destinationStatus === order.status
    ? ''
    : await addHistory(query, row.id, 'shop says', { status: order.status, upstreamStatus: order.upstreamStatus })
  const jobs: JobRequest[] = []
  const isToBeCancelled = wasCancelledThere && status === 'created' &&
    await isCancellingWithShop(query, row.connectionId)
  // The history entry makes the key unique: a shop may take a cancellation back and cancel again.
  if (isToBeCancelled) jobs.push(statusJob(row, 'cancelled', requestId, said))
  if (newTracking !== undefined) {
    const change = await addHistory(query, row.id, 'tracking', { ...newTracking })
    jobs.push(trackingJob(row, change, requestId))
  }
  if (status !== row.status && (status === 'shipped' || status === 'delivered')) {
    if (row.handedOn !== null) jobs.push(...await release({ query }, row.id, { requestId }))
    jobs.push(statusJob(row, status, requestId))
  }
  return jobs
}

/** Whether the shop has cancelled an order that is neither finished nor shipped. */
export function isCancelledByShop (order: Pick<OrderRow, 'status' | 'destinationStatus'>): boolean {
  return order.status === 'created' && order.destinationStatus === 'cancelled'
}

/**
 * Whether the shop's tracking is news. When the hub made the shipment itself, ignore the shop's
 * tracking: it only repeats ours under another carrier name. Ignore it, too, when the data of the
 * buyer were removed: the number leads to the address.
 */
async function hasNewTracking (
  query: Query,
  { id, tracking, personalDataRemovedAt }: OrderRow,
  { tracking: said }: Order
): Promise<boolean> {
  if (said === undefined || personalDataRemovedAt !== null || isDeepStrictEqual(said, tracking)) return false
  if (said.number !== tracking?.number) return true
  return !await hasShipmentNumber(query, id, said.number)
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
