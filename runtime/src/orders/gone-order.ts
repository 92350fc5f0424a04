import type { Query, Transaction } from '../database/database.ts'
import { addProblem } from './problems.ts'
import type { JobRequest } from '../jobs/job.ts'
import { orderIdOf } from './ingest-order.ts'
import { addHistory, goneEvent, lockOrder, readOrder, type OrderRow } from './order-row.ts'
import { release } from './reservations.ts'
import { isAboutSharedLines } from './shared-lines.ts'
import { isReserving } from './status.ts'

const problem = 'the marketplace does not know it any more'

/** What an order means that its marketplace does not know. */
type Loss = 'nothing' | 'cancelled' | 'problem'

/** Somebody must decide on an order that the shop has, or may have; any other is cancelled. */
function lossOf ({ status, destinationExternalId, creationBegunAt }: OrderRow): Loss {
  const isAtDestination = destinationExternalId !== null
  if (isReserving(status, isAtDestination)) return creationBegunAt === null ? 'cancelled' : 'problem'
  return status === 'created' || (status === 'shipped' && isAtDestination) ? 'problem' : 'nothing'
}

/**
 * What will be done about an order that its marketplace does not know, for the result of its job.
 */
export async function describeLoss (
  query: Query,
  connectionId: string,
  externalId: string
): Promise<Record<string, unknown>> {
  const order = await readOrder(query, orderIdOf(connectionId, externalId))
  if (order === undefined) return { skipped: 'the marketplace does not know it' }
  const { id: orderId, status } = order
  const loss = lossOf(order)
  return loss === 'nothing'
    ? { orderId, status, skipped: problem }
    : { orderId, status: loss === 'cancelled' ? 'cancelled' : status, problem }
}

/**
 * Does it, with a mark: an order that was gone and is read again comes back. Answers the jobs that
 * follow.
 */
export async function loseOrder (
  transaction: Transaction,
  connectionId: string,
  externalId: string,
  requestId?: string
): Promise<JobRequest[]> {
  const { query } = transaction
  const order = await lockOrder(query, orderIdOf(connectionId, externalId))
  const loss = order === undefined ? 'nothing' : lossOf(order)
  if (order === undefined || loss === 'nothing') return []
  const { id } = order
  if (loss === 'problem') {
    if (!order.problems.includes(problem)) await addProblem(query, id, problem)
    return []
  }
  await query(
    `
    update orders set status = 'cancelled', source_status = 'gone', problems = $2,
      cancelled_at = now(), updated_at = now()
    where id = $1`,
    [id, JSON.stringify(order.problems.filter(isAboutSharedLines))]
  )
  await addHistory(query, id, goneEvent)
  return release(transaction, id, { requestId })
}
