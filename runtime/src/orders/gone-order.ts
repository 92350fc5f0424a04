import type { Query, Transaction } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { goneEvent } from './history-events.ts'
import { findOrderId } from './ingest-order.ts'
import { release } from './lines/reservations.ts'
import { hasProblem, isAboutSharedLines, type OrderProblem } from './problem-codes.ts'
import { addProblem } from './problems.ts'
import { cancelJobs } from './shop/creation-jobs.ts'
import { isReserving } from './status.ts'
import { addHistory, lockOrder, markGone, readOrder, type OrderRow } from './store.ts'

const problem: OrderProblem = { code: 'gone', detail: 'the marketplace does not know it any more' }

/** The consequence of an order that its marketplace does not know any more. */
type Loss = 'nothing' | 'cancelled' | 'problem'

/** An order that the shop has, or may have, needs a decision by a person. Others are cancelled. */
function lossOf ({ status, destinationExternalId, creationBegunAt }: OrderRow): Loss {
  const isAtDestination = destinationExternalId !== null
  if (isReserving(status, isAtDestination)) return creationBegunAt === null ? 'cancelled' : 'problem'
  return status === 'created' || (status === 'shipped' && isAtDestination) ? 'problem' : 'nothing'
}

/** Describes what `loseOrder` will do about an order, for the result of its job. */
export async function describeLoss (
  query: Query,
  connectionId: string,
  externalId: string
): Promise<Record<string, unknown>> {
  const order = await readOrder(query, await findOrderId(query, connectionId, externalId))
  if (order === undefined) return { skipped: 'the marketplace does not know the order' }
  const { id: orderId, status } = order
  const loss = lossOf(order)
  return loss === 'nothing'
    ? { orderId, status, skipped: problem.detail }
    : { orderId, status: loss === 'cancelled' ? 'cancelled' : status, problem: problem.detail }
}

/**
 * Cancels an order that its marketplace does not know, or notes a problem. The mark 'gone' lets the
 * order come back when the marketplace shows it again. Returns the jobs that follow: after a
 * restore, one searches the shop for the order.
 */
export async function loseOrder (
  transaction: Transaction,
  connectionId: string,
  externalId: string,
  requestId?: string
): Promise<JobRequest[]> {
  const { query } = transaction
  const order = await lockOrder(query, await findOrderId(query, connectionId, externalId))
  const loss = order === undefined ? 'nothing' : lossOf(order)
  if (order === undefined || loss === 'nothing') return []
  const { id } = order
  if (loss === 'problem') {
    if (!hasProblem(order.problems, problem)) await addProblem(query, id, problem)
    return []
  }
  await markGone(query, id, order.problems.filter(isAboutSharedLines))
  await addHistory(query, id, goneEvent)
  return [...await release(transaction, id, { requestId }), ...await cancelJobs(query, order, requestId)]
}
