import type { Query } from '../../database/database.ts'
import { jobIdOf } from '../../jobs/identity.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { readEnded } from '../../jobs/store.ts'
import { goneEvent } from '../history-events.ts'
import { cancelOrderAtShop, createOrderAtShop } from '../jobs.ts'
import { addHistory, findLastEntry, type OrderRow } from '../store.ts'
import { findMasters, markNotCreatable, writeDestination, type Master } from './store.ts'

/**
 * Returns the name of the attempt, which makes the key of the creation job unique. While the job of
 * an attempt has not ended, that attempt stays: a second job beside it might make the order twice.
 * An ended job may have made nothing because the order was not ready. So another attempt follows
 * when the order was paid, unpaid and paid again, or was gone and came back unchanged.
 */
export async function attemptOf (query: Query, orderId: string, revision: string): Promise<string> {
  if (!await hasEnded(query, orderId, 'first')) return 'first'
  const again = `again-${revision}`
  const lossId = await findLastEntry(query, orderId, goneEvent)
  return lossId !== undefined && await hasEnded(query, orderId, again) ? `${again}-back-${lossId}` : again
}

async function hasEnded (query: Query, orderId: string, attempt: string): Promise<boolean> {
  const id = jobIdOf(creationKey(orderId, attempt))
  return (await readEnded(query, [id])).has(id)
}

function creationKey (orderId: string, attempt: string): string {
  return `order-create:${orderId}:${attempt}`
}

/**
 * Returns the job that makes the order in the shop that masters its variants. Without such a shop,
 * answers no job and notes a problem.
 */
export async function creationJob (
  query: Query,
  orderId: string,
  attempt: string,
  requestId?: string
): Promise<JobRequest[]> {
  const masters = await findMasters(query, orderId)
  const [master] = masters
  const problem = masters.length > 1 ? 'the lines of the order belong to several shops' : problemOf(master)
  if (problem !== undefined || master === undefined) {
    await markNotCreatable(query, orderId, { code: 'not-created', detail: problem ?? 'the order has no lines' })
    await addHistory(query, orderId, 'failed', { problem })
    return []
  }
  await writeDestination(query, orderId, master.id)
  return [createOrderAtShop.request({ orderId }, {
    connectionId: master.id,
    key: creationKey(orderId, attempt),
    requestId
  })]
}

/**
 * Returns why a shop does not get an order, if it does not. A marketplace that masters variants has
 * its own orders already.
 */
function problemOf (master: Master | undefined): string | undefined {
  if (master?.isSource === true) {
    return 'the marketplace itself is the master of the variants: no shop can get the order'
  }
  return master?.capabilities.includes('OrderProcessorManager') === true
    ? undefined
    : 'the shop of the variants lacks the capability OrderProcessorManager: it accepts no orders'
}

/**
 * Returns the jobs that cancel the order in the shop. When the answer to an attempt was lost, the
 * creation job looks for the order there; it makes no order that is cancelled.
 */
export function cancelJobs (
  order: Pick<OrderRow, 'id' | 'destinationConnectionId' | 'destinationExternalId' | 'creationBegunAt'>,
  requestId?: string
): JobRequest[] {
  if (order.destinationExternalId !== null) return [cancelJob(order, requestId)]
  if (order.creationBegunAt === null) return []
  return [createOrderAtShop.request({ orderId: order.id }, {
    connectionId: order.destinationConnectionId,
    key: creationKey(order.id, 'cancelled'),
    requestId
  })]
}

/** The job that cancels the order in the shop. */
export function cancelJob (
  { id, destinationConnectionId }: Pick<OrderRow, 'id' | 'destinationConnectionId'>,
  requestId?: string
): JobRequest {
  return cancelOrderAtShop.request({ orderId: id }, {
    connectionId: destinationConnectionId,
    key: `order-cancel:${id}`,
    requestId
  })
}
