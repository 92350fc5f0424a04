import type { Query } from '../../database/database.ts'
import { jobIdOf } from '../../jobs/identity.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { findKnown, readEnded } from '../../jobs/store.ts'
import { goneEvent } from '../history-events.ts'
import { cancelOrderAtShop, createOrderAtShop } from '../jobs.ts'
import { addProblem } from '../problems.ts'
import { addHistory, findLastEntry, type OrderRow } from '../store.ts'
import { mustSearch } from './creation-attempt.ts'
import { findMasters, findShops, markNotCreatable, writeDestination, type Master } from './store.ts'

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
  const found = shopAmong(await findMasters(query, orderId))
  if ('problem' in found) {
    const { problem } = found
    await markNotCreatable(query, orderId, { code: 'not-created', detail: problem })
    await addHistory(query, orderId, 'failed', { problem })
    return []
  }
  await writeDestination(query, orderId, found.id)
  return [createOrderAtShop.request({ orderId }, {
    connectionId: found.id,
    key: creationKey(orderId, attempt),
    requestId
  })]
}

/** Returns the job that makes the order in the shop, if this attempt has one already. */
export async function findCreationJob (
  query: Query,
  { id, destinationConnectionId }: Pick<OrderRow, 'id' | 'destinationConnectionId'>,
  attempt: string
): Promise<JobRequest | undefined> {
  const key = creationKey(id, attempt)
  const known = await findKnown(query, [jobIdOf(key)])
  return known.size === 0
    ? undefined
    : createOrderAtShop.request({ orderId: id }, { connectionId: destinationConnectionId, key })
}

/**
 * Returns the shop that gets an order, or why none does. A marketplace that masters variants has
 * its own orders already.
 */
function shopAmong ([master, ...others]: readonly Master[]): Master | { problem: string } {
  if (master === undefined) return { problem: 'the order has no lines of a connected shop' }
  if (others.length > 0) return { problem: 'the lines of the order belong to several shops' }
  if (master.isSource) {
    return { problem: 'the marketplace itself is the master of the variants: no shop can get the order' }
  }
  return master.capabilities.includes('OrderProcessorManager')
    ? master
    : { problem: 'the shop of the variants lacks the capability OrderProcessorManager: it accepts no orders' }
}

/**
 * Returns the jobs that cancel the order in the shop. When an attempt may have made the order
 * there, the creation job looks for it; it makes no order that is cancelled. `occasion`: why it
 * looks.
 */
export async function cancelJobs (
  query: Query,
  order: Pick<
    OrderRow,
    'id' | 'destinationConnectionId' | 'destinationExternalId' | 'creationBegunAt' | 'searchedSince'
  >,
  requestId?: string,
  occasion = 'cancelled'
): Promise<JobRequest[]> {
  if (order.destinationExternalId !== null) return [cancelJob(order, requestId)]
  if (!mustSearch(order)) return []
  const connectionId = order.destinationConnectionId ?? await chooseShop(query, order.id)
  return connectionId === undefined ? [] : [createOrderAtShop.request({ orderId: order.id }, {
    connectionId,
    key: creationKey(order.id, occasion),
    requestId
  })]
}

/**
 * Stores and returns the only shop that can have the order: after a restore, the hub may not know
 * where it made the order. With several shops, notes a problem, because no job can ask them all.
 */
async function chooseShop (query: Query, orderId: string): Promise<string | undefined> {
  const found = await findShopOf(query, orderId)
  if ('problem' in found) {
    if (found.isAmongSeveral) {
      const detail = `the order was not searched for in the shop, which may have it: ${found.problem}`
      await addProblem(query, orderId, { code: 'not-cancelled-in-shop', detail })
    }
    return undefined
  }
  await writeDestination(query, orderId, found.id)
  return found.id
}

async function findShopOf (
  query: Query,
  orderId: string
): Promise<{ id: string } | { problem: string, isAmongSeveral: boolean }> {
  const masters = await findMasters(query, orderId)
  if (masters.length > 0) {
    const found = shopAmong(masters)
    return 'problem' in found ? { ...found, isAmongSeveral: masters.length > 1 } : found
  }
  // The variants may have been mapped after the backup: then any shop may have the order.
  const [shop, ...others] = await findShops(query, orderId)
  if (shop === undefined) return { problem: 'there is no shop', isAmongSeveral: false }
  return others.length === 0 ? { id: shop } : {
    problem: 'none of its lines has a variant, and there are several shops. Search all of them for the order',
    isAmongSeveral: true
  }
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
