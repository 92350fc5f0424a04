import { CreatedOrder } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { parseAnswer } from '../adapters/parse-answer.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { refusePaused } from '../connections/pauses/refuse-paused.ts'
import { readPlatformType } from '../connections/store.ts'
import type { Transaction } from '../database/database.ts'
import { CapabilityNotSupportedException } from '../errors.ts'
import { routeOrder } from '../fulfilment/route-order.ts'
import type { JobRequest } from '../jobs/job.ts'
import type { DeathEffects, JobOutcome, RetryEffects } from '../jobs/running-job.ts'
import { makeReady } from '../orders/actions.ts'
import { isFulfilledElsewhere } from '../orders/handled-elsewhere.ts'
import { createOrderAtShop } from '../orders/jobs.ts'
import { consume, rereadJobs } from '../orders/lines/reservations.ts'
import { readLines } from '../orders/lines/store.ts'
import { findReferences } from '../orders/references.ts'
import { openChanges, updateJob } from '../orders/shop/changed-order.ts'
import { beginCreation, mustSearch, noteFailedCreation, waitWhileUnsure } from '../orders/shop/creation-attempt.ts'
import { cancelJob, creationJob } from '../orders/shop/creation-jobs.ts'
import { hasChanges } from '../orders/shop/differences.ts'
import { toNewOrder } from '../orders/shop/new-order.ts'
import { storeCreatedInShop, storeNotCreated } from '../orders/shop/shop-order.ts'
import { lockOrder, readOrder, type OrderRow } from '../orders/store.ts'
import { callCapability, type HandlerServices } from './call-adapter.ts'
import { implementJob } from './implement-job.ts'
import type { HandledJob } from './kept-effects.ts'
import { openShop } from './open-shop.ts'
import { orderIdIn } from './order-problem.ts'

const Found = Type.Union([CreatedOrder, Type.Null()])

/**
 * Makes the order in the shop, once. The job first stores that an attempt begins. After a lost
 * answer it searches the shop before it makes another attempt. While the shop may still be at work,
 * an empty search proves nothing, and the job waits. The job's end stores where the order is,
 * before anything else can fail.
 */
const implementation = implementJob(createOrderAtShop, async (job, services) => {
  const { orderId } = job.payload
  const { query } = services.database
  const order = await readOrder(query, orderId)
  if (order === undefined) return { result: { skipped: 'the order is gone' } }
  if (order.destinationExternalId !== null) {
    return { result: { skipped: 'the shop has the order', externalId: order.destinationExternalId } }
  }
  const opened = await openShop(job, services, order)
  if (order.status !== 'ready') return adoptLost(job, services, opened, order)
  if (opened.adapter.description.capabilities.OrderProcessorManager?.includes('createOrder') === false) {
    throw new CapabilityNotSupportedException(opened.connection.adapterKey, 'OrderProcessorManager.createOrder')
  }
  const found = mustSearch(order) ? await findAtShop(job, services, opened, order) : undefined
  const created = found ?? await createAtShop(job, services, opened, { order, isAbsent: found === null })
  if (created === undefined) return skip(job, order.id, 'the order is not ready any more')
  return { result: created, effects: transaction => storeCreated(transaction, order.id, created, job.requestId) }
}, failOrder)

export default { ...implementation, onRetry: reviveOrder }

/**
 * Looks in the shop for an order that it must not get any more: an attempt whose answer was lost
 * may have made it.
 */
async function adoptLost (
  job: HandledJob,
  services: HandlerServices,
  opened: OpenConnection,
  order: OrderRow
): Promise<JobOutcome> {
  const { id, status, snapshot } = order
  const isUnwanted = status === 'cancelled' || (status === 'elsewhere' && isFulfilledElsewhere(snapshot))
  const mayBeThere = isUnwanted && mustSearch(order)
  const lost = mayBeThere ? await findAtShop(job, services, opened, order) : undefined
  if (lost === null || lost === undefined) {
    if (mayBeThere) await waitWhileUnsure(services.database.query, id)
    return skip(job, id, `the order is ${status}`)
  }
  return { result: lost, effects: transaction => storeCreated(transaction, id, lost, job.requestId) }
}

/**
 * Skips the order. If it became ready while this job looked, makes another job: the reading that
 * found it ready saw this job under way and made none.
 */
function skip (job: HandledJob, orderId: string, skipped: string): JobOutcome {
  return {
    result: { skipped },
    async effects ({ query }) {
      const order = await lockOrder(query, orderId)
      return order?.status === 'ready' && order.destinationExternalId === null
        ? creationJob(query, orderId, `again-${job.id}`, job.requestId)
        : undefined
    }
  }
}

/**
 * Searches the shop for the order, by each reference that it may have there. Throws when the search
 * fails, so that no second order is made. Returns undefined when the shop cannot be searched.
 */
async function findAtShop (
  job: HandledJob,
  services: HandlerServices,
  opened: OpenConnection,
  order: OrderRow
): Promise<CreatedOrder | null | undefined> {
  if (opened.adapter.description.capabilities.OrderProcessorManager?.includes('findOrder') === false) return undefined
  for (const reference of await findReferences(services.database.query, order)) {
    const found = parseAnswer(
      Found,
      'OrderProcessorManager.findOrder',
      await callCapability(services, job, opened, 'OrderProcessorManager', 'findOrder', reference)
    )
    if (found !== null) return found
  }
  return null
}

/** Undefined when the order is not ready any more. */
async function createAtShop (
  job: HandledJob,
  services: HandlerServices,
  opened: OpenConnection,
  { order, isAbsent }: { order: OrderRow, isAbsent: boolean }
): Promise<CreatedOrder | undefined> {
  const { query } = services.database
  const platformType = await readPlatformType(query, order.connectionId)
  const wanted = toNewOrder(order, await readLines(query, order.id), platformType)
  // Look for a pause before the creation begins: after that, the shop may have the order.
  refusePaused(opened.connection, ['OrderProcessorManager'])
  if (!await beginCreation(query, order.id, { order: order.snapshot, isAbsent })) return undefined
  try {
    return parseAnswer(
      CreatedOrder,
      'OrderProcessorManager.createOrder',
      await callCapability(services, job, opened, 'OrderProcessorManager', 'createOrder', wanted, {
        reference: order.id
      })
    )
  } catch (error) {
    await noteFailedCreation(query, order.id, error)
    throw error
  }
}

/** Stores the id of the order in the shop. */
async function storeCreated (
  transaction: Transaction,
  orderId: string,
  created: CreatedOrder,
  requestId: string | undefined
): Promise<JobRequest[]> {
  const { query } = transaction
  const order = await lockOrder(query, orderId)
  if (order === undefined) return []
  const wasCancelled = order.status === 'cancelled'
  await storeCreatedInShop(query, order, created)
  const changes = wasCancelled ? {} : openChanges(order)
  const taken = changes.lines === undefined ? undefined : order.handedOn?.lines
  const pieces = wasCancelled ? [] : await consume(transaction, orderId, { taken, requestId })
  // The marketplace changed the order while the shop made it.
  const update = order.status === 'ready' && hasChanges(changes) ? [updateJob(order, requestId)] : []
  const routed = order.status === 'ready' ? await routeOrder(transaction, order, requestId) : []
  return [
    ...await rereadJobs(query, orderId, 'created', requestId),
    ...routed,
    ...pieces,
    ...update,
    ...wasCancelled ? [cancelJob(order, requestId)] : []
  ]
}

/**
 * Marks an order that cannot be made as failed, with the reason. `POST /orders/{id}/retry` tries
 * again.
 */
async function failOrder (...[{ query }, { payload }, problem]: Parameters<DeathEffects>): Promise<void> {
  const orderId = orderIdIn(payload)
  if (orderId !== undefined) await storeNotCreated(query, orderId, problem)
}

/** The job makes only an order that is ready. */
async function reviveOrder (...[transaction, { payload }, requestId]: Parameters<RetryEffects>): Promise<JobRequest[]> {
  const orderId = orderIdIn(payload)
  const order = orderId === undefined ? undefined : await lockOrder(transaction.query, orderId)
  return order?.status === 'failed' ? makeReady(transaction, order.id, requestId) : []
}
