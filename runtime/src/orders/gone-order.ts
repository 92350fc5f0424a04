import type { Query, Transaction } from '../database/database.ts'
import { addProblem } from '../fulfilment/shipments.ts'
import type { JobRequest } from '../jobs/job.ts'
import { orderIdOf } from './ingest-order.ts'
import { addHistory, goneEvent, lockOrder, readOrder, type OrderRow } from './order-row.ts'
import { release } from './reservations.ts'
import { isReserving } from './status.ts'

const problem = 'the marketplace does not know it any more'

/** What an order means that its marketplace does not know. */
type Loss = 'nothing' | 'cancelled' | 'problem'

/**
 * Of an order that the shop has, or may have, somebody must decide; one that has not begun to be made there is cancelled. A joint payment replaces several purchases by a new
 * order with another id: what the old ones reserved is reserved by the new one.
 */
function lossOf ({ status, destinationExternalId, creationBegunAt }: OrderRow): Loss {
  const isAtDestination = destinationExternalId !== null
  if (isReserving(status, isAtDestination)) return creationBegunAt === null ? 'cancelled' : 'problem'
  return status === 'created' || (status === 'shipped' && isAtDestination) ? 'problem' : 'nothing'
}

/** What will be done about an order that its marketplace does not know, for the result of its job. */
export async function describeLoss (query: Query, connectionId: string, externalId: string): Promise<Record<string, unknown>> {
  const order = await readOrder(query, orderIdOf(connectionId, externalId))
  if (order === undefined) return { skipped: 'the marketplace does not know it' }
  const { id: orderId, status } = order
  const loss = lossOf(order)
  return loss === 'nothing' ? { orderId, status, skipped: problem } : { orderId, status: loss === 'cancelled' ? 'cancelled' : status, problem }
}

/** Does it, with a mark: an order that was gone and is read again comes back. Answers the jobs that follow. */
export async function loseOrder (transaction: Transaction, connectionId: string, externalId: string, requestId?: string): Promise<JobRequest[]> {
  const { query } = transaction
  const order = await lockOrder(query, orderIdOf(connectionId, externalId))
  const loss = order === undefined ? 'nothing' : lossOf(order)
  if (order === undefined || loss === 'nothing') return []
  const { id } = order
  if (loss === 'problem') {
    if (!order.problems.includes(problem)) await addProblem(query, id, problem)
    return []
  }
  await query("update orders set status = 'cancelled', source_status = 'gone', problems = '[]', cancelled_at = now(), updated_at = now() where id = $1", [id])
  await addHistory(query, id, goneEvent)
  return release(transaction, id, { requestId })
}
