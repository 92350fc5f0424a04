import { nameObject } from '../audit/actor.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import type { Database, Query, Transaction } from '../database/database.ts'
import { OrderNotFoundError, OrderStateError } from '../errors.ts'
import type { RequestIds } from '../http/request-ids.ts'
import type { EnqueueJobs } from '../jobs/enqueue.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { JobRequest, Outcome } from '../jobs/job.ts'
import { readEnded } from '../jobs/store.ts'
import { isWithShop, refuseElsewhere } from './handled-elsewhere.ts'
import { settledEvent } from './history-events.ts'
import { syncOrder } from './jobs.ts'
import { release, reserve, rewriteOffers } from './lines/reservations.ts'
import { shipmentCancelJobs } from './shipments/shipments.ts'
import { settleChanges } from './shop/changed-order.ts'
import { cancelJobs, creationJob, findCreationJob } from './shop/creation-jobs.ts'
import { isCancelledByShop, statusJob } from './shop/destination.ts'
import { isHeldUp, isReserving } from './status.ts'
import {
  addHistory,
  lockOrder,
  markCancelled,
  markPending,
  markReady,
  markReleased,
  removeProblems,
  takeBackGone,
  type OrderRow
} from './store.ts'

export interface OrderActionsOptions {
  database: Database
  enqueueJobs: EnqueueJobs
}

/**
 * Tries again to make an order in the shop, when the order failed or waits for a variant. Returns
 * the ids of the jobs.
 */
export async function retryOrder (
  options: OrderActionsOptions,
  id: string,
  ids: RequestIds
): Promise<string[]> {
  return act(options, id, (transaction, order) => retryIn(transaction, order, ids))
}

/**
 * Retries an order that its transaction has locked. Returns the jobs that follow, which the
 * transaction has to enqueue. Throws when the status of the order allows no retry.
 */
export async function retryIn (
  transaction: Transaction,
  order: OrderRow,
  { operationId, requestId }: RequestIds
): Promise<JobRequest[]> {
  const { query } = transaction
  const { id, status } = order
  refuseElsewhere(order)
  // The reading that follows takes an order that is not left to others any more.
  if (status === 'elsewhere') await takeBack(query, id)
  if (status === 'awaiting_mapping' || status === 'elsewhere') {
    return [syncOrder.request({ externalId: order.externalId }, {
      connectionId: order.connectionId,
      key: `api:order-retry:${id}:${operationId}`,
      requestId
    })]
  }
  // A repeated request finds the order ready already; the key leads it to the first job.
  if (status !== 'failed' && status !== 'ready') {
    throw new OrderStateError(`Order '${id}' is ${status}: there is nothing to retry`)
  }
  const attempt = `retry-${operationId}`
  // Or it finds that the order failed again. Made ready, the order would wait for a job that ended.
  const made = status === 'failed' ? await findCreationJob(query, order, attempt) : undefined
  if (made !== undefined) return [made]
  const propagation = status === 'failed'
    ? await makeReady(transaction, id, requestId)
    : await reserve(transaction, id, { requestId })
  return [...propagation, ...await creationJob(query, id, attempt, requestId)]
}

async function takeBack (query: Query, id: string): Promise<void> {
  await markPending(query, id)
  await addHistory(query, id, 'retried')
}

/**
 * Makes a failed order ready to be created in the shop, and takes its pieces again. Returns the
 * jobs for the offers.
 */
export async function makeReady (
  transaction: Transaction,
  id: string,
  requestId: string | undefined
): Promise<JobRequest[]> {
  await markReady(transaction.query, id)
  await addHistory(transaction.query, id, 'retried')
  return reserve(transaction, id, { requestId })
}

/** Gives back the pieces that a failed or finished order keeps. A retry takes them again. */
export async function releaseOrder (
  options: OrderActionsOptions,
  id: string,
  { requestId }: RequestIds
): Promise<string[]> {
  return act(options, id, async (transaction, order) => {
    const { id, status, destinationExternalId } = order
    if (status !== 'failed' && isReserving(status, destinationExternalId !== null)) {
      const until = 'until the shop has the order or the order is cancelled'
      throw new OrderStateError(`Order '${id}' is ${status}: its pieces are reserved ${until}`)
    }
    if (status === 'failed' && !order.isReleased) {
      await markReleased(transaction.query, id)
      await addHistory(transaction.query, id, 'released', { by: 'operator' })
    }
    return release(transaction, id, { requestId })
  })
}

/**
 * Ends the problems of an order that a person saw to. Those that keep it from going on stay: only a
 * retry or a link ends them.
 */
export async function settleOrder (options: OrderActionsOptions, id: string): Promise<void> {
  await act(options, id, async ({ query }, order) => {
    const { id, status, problems } = order
    if (isHeldUp(status)) {
      throw new OrderStateError(`Order '${id}' is ${status}: its problems end when it goes on; retry or cancel it`)
    }
    if (problems.length === 0) return []
    await removeProblems(query, id, problems.map(({ code }) => code))
    await addHistory(query, id, settledEvent, { by: 'operator', problems: problems.map(({ detail }) => detail) })
    return settleChanges(query, order)
  })
}

/**
 * Cancels an order for good: in the hub, at the marketplace, and in the shop when the shop has it.
 * A second request repeats the parts that did not succeed.
 */
export async function cancelOrder (
  options: OrderActionsOptions,
  id: string,
  { operationId, requestId }: RequestIds
): Promise<string[]> {
  return act(options, id, async (transaction, order) => {
    const { id } = order
    if (!isWithShop(order)) refuseElsewhere(order)
    if (order.status === 'shipped' || order.status === 'delivered' || order.status === 'returned') {
      throw new OrderStateError(`Order '${id}' is ${order.status}: it cannot be cancelled`)
    }
    const [atShop, parcel, atMarketplace] = [
      await cancelJobs(transaction.query, order, requestId),
      await shipmentCancelJobs(transaction.query, id, requestId),
      statusJob(order, 'cancelled', requestId)
    ]
    if (order.status === 'cancelled') {
      if (order.sourceStatus === 'gone') await keepCancelled(transaction.query, id)
      return cancelAgain(transaction.query, order, { atShop, others: [...parcel, atMarketplace] }, operationId)
    }
    await markCancelled(transaction.query, id)
    await addHistory(transaction.query, id, 'cancelled', { by: 'operator' })
    return [
      ...await release(transaction, id, { requestId }),
      ...await rewriteOffers(transaction, id, requestId),
      ...parcel,
      ...atShop,
      atMarketplace
    ]
  })
}

/**
 * Returns the jobs of a repeated cancellation. An ended job gets a new key of this request. The
 * shop's job runs again until the order is cancelled there, the others only when they did not
 * succeed.
 */
async function cancelAgain (
  query: Query,
  order: OrderRow,
  { atShop, others }: { atShop: readonly JobRequest[], others: readonly JobRequest[] },
  operationId: string
): Promise<JobRequest[]> {
  const ids = [...atShop, ...others].map(({ idempotencyKey }) => jobIdOf(idempotencyKey))
  const ended = await readEnded(query, ids)
  const outcomeOf = ({ idempotencyKey }: JobRequest): Outcome | undefined => ended.get(jobIdOf(idempotencyKey))
  const isUndone = (job: JobRequest): boolean => ['dead', 'cancelled'].includes(outcomeOf(job) ?? '')
  const again = (job: JobRequest): JobRequest => ({ ...job, idempotencyKey: `${job.idempotencyKey}:${operationId}` })
  return [
    ...atShop.map(job => outcomeOf(job) === undefined || order.destinationStatus === 'cancelled' ? job : again(job)),
    ...others.filter(isUndone).map(again)
  ]
}

/**
 * Keeps an order cancelled that was gone from the marketplace. The marketplace's last status
 * replaces the mark 'gone', with which the order would come back at its next reading.
 */
async function keepCancelled (query: Query, id: string): Promise<void> {
  await takeBackGone(query, id)
  await addHistory(query, id, 'cancelled', { by: 'operator' })
}

/** Ends an order that the shop cancelled, once the marketplace has cancelled it, too. */
export async function recordCancelledByShop (
  transaction: Transaction,
  id: string,
  requestId?: string
): Promise<JobRequest[]> {
  const { query } = transaction
  const order = await lockOrder(query, id)
  if (order === undefined || !isCancelledByShop(order)) return []
  await markCancelled(query, id)
  await addHistory(query, id, 'cancelled', { by: 'shop' })
  return [
    ...await release(transaction, id, { requestId }),
    ...await rewriteOffers(transaction, id, requestId),
    ...await shipmentCancelJobs(query, id, requestId)
  ]
}

async function act (
  { database, enqueueJobs }: OrderActionsOptions,
  id: string,
  change: (transaction: Transaction, order: OrderRow) => Promise<JobRequest[]>
): Promise<string[]> {
  const jobs = await repeatOnConflict(() =>
    database.transaction(async transaction => {
      const order = await lockOrder(transaction.query, id)
      if (order === undefined) throw new OrderNotFoundError(id)
      nameObject({ connectionId: order.connectionId, objectName: order.externalId })
      return enqueueJobs(await change(transaction, order), transaction)
    })
  )
  database.notify('jobs')
  return jobs.map(job => job.id)
}
