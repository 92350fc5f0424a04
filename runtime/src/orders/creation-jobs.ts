import type { Query } from '../database/database.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { JobRequest } from '../jobs/job.ts'
import { cancelOrderAtShop, createOrderAtShop } from './jobs.ts'
import { addHistory, goneEvent, type OrderRow } from './order-row.ts'
import type { OrderProblem } from './problem-codes.ts'

/**
 * Answers the name of the creation job's attempt. A job that found the order not ready has ended
 * and made nothing. An order needs another job when it was paid, then unpaid, then paid again, and
 * when it was gone and came back unchanged. A job that has not ended will make the order: a second
 * one beside it might make it twice.
 */
export async function attemptOf (query: Query, orderId: string, revision: string): Promise<string> {
  if (!await hasEnded(query, orderId, 'first')) return 'first'
  const again = `again-${revision}`
  const [loss] = await query<{ id: string }>(
    'select id from order_history where order_id = $1 and event = $2 order by id desc limit 1',
    [orderId, goneEvent]
  )
  return loss !== undefined && await hasEnded(query, orderId, again) ? `${again}-back-${loss.id}` : again
}

async function hasEnded (query: Query, orderId: string, attempt: string): Promise<boolean> {
  const ended = await query('select id from jobs where id = $1 and finished_at is not null', [
    jobIdOf(creationKey(orderId, attempt))
  ])
  return ended.length > 0
}

function creationKey (orderId: string, attempt: string): string {
  return `order-create:${orderId}:${attempt}`
}

const selectMasters = `
  select distinct connections.id, connections.capabilities, connections.id = orders.connection_id as "isSource"
  from orders
  join order_lines as line on line.order_id = orders.id
  join variants on variants.id = line.variant_id
  join products on products.id = variants.product_id
  join connections on connections.id = products.connection_id
  where orders.id = $1`

/**
 * Answers the job that makes the order in the shop that masters its variants. Without such a shop,
 * answers no job and notes a problem.
 */
export async function creationJob (
  query: Query,
  orderId: string,
  attempt: string,
  requestId?: string
): Promise<JobRequest[]> {
  const masters = await query<Master>(selectMasters, [orderId])
  const [master] = masters
  const problem = masters.length > 1 ? 'the lines of the order belong to several shops' : problemOf(master)
  if (problem !== undefined || master === undefined) {
    const noted: OrderProblem = { code: 'not-created', detail: problem ?? 'the order has no lines' }
    const problems = JSON.stringify([noted])
    await query("update orders set status = 'failed', problems = $2 where id = $1", [orderId, problems])
    await addHistory(query, orderId, 'failed', { problem })
    return []
  }
  await query('update orders set destination_connection_id = $2 where id = $1', [orderId, master.id])
  return [createOrderAtShop.request({ orderId }, {
    connectionId: master.id,
    key: creationKey(orderId, attempt),
    requestId
  })]
}

interface Master {
  id: string
  capabilities: string[]
  isSource: boolean
}

/**
 * Answers why a shop does not get an order, if it does not. A marketplace that masters variants has
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
 * Answers the jobs that cancel the order in the shop. When the answer to an attempt was lost, the
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
