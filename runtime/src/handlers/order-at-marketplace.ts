import { RejectedError, WriteBack } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { takeBackProblems } from '../orders/problems.ts'
import { recordCancelledByShop } from '../orders/actions.ts'
import { cancelledInShopOnly, isCancelledByShop } from '../orders/destination.ts'
import { addHistory, readOrder } from '../orders/order-row.ts'
import type { JobOutcome } from '../jobs/running-job.ts'
import { callCapability, type CoreHandler, type HandlerServices } from './call-adapter.ts'
import { undone } from './order-problem.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { Id, parsePayload } from './payload.ts'
import type { HandledJob } from './kept-effects.ts'

const StatusPayload = Type.Object({
  orderId: Id,
  status: Type.Union([
    Type.Literal('processing'),
    Type.Literal('shipped'),
    Type.Literal('delivered'),
    Type.Literal('cancelled')
  ])
})
const TrackingPayload = Type.Object({ orderId: Id })

/** `marketplace.order.updateStatus`: tells the marketplace how far the order is. */
export const updateStatusAtMarketplace: CoreHandler = async (job, services) => {
  const { orderId, status } = parsePayload(StatusPayload, job.jobType, job.payload)
  return tell(job, services, orderId, 'updateOrderStatus', order => {
    return status === 'cancelled' && !isCancelled(order) ? undefined : status
  })
}

/**
 * `marketplace.order.addTracking`: tells the marketplace which parcel the order is in, as it is
 * known when the job runs.
 */
export const addTrackingAtMarketplace: CoreHandler = async (job, services) => {
  const { orderId } = parsePayload(TrackingPayload, job.jobType, job.payload)
  return tell(job, services, orderId, 'addTracking', ({ tracking }) => tracking)
}

/**
 * Whether the order is cancelled, here or in the shop. The shop may have cancelled it since the job
 * was made.
 */
function isCancelled (order: Order): boolean {
  return order.status === 'cancelled' || isCancelledByShop(order)
}

type Order = NonNullable<Awaited<ReturnType<typeof readOrder>>>

/**
 * The job succeeds without a call, and says so, when the marketplace cannot or must not be told.
 */
async function tell (
  job: HandledJob,
  services: HandlerServices,
  orderId: string,
  method: 'updateOrderStatus' | 'addTracking',
  what: (order: Order) => unknown
): Promise<JobOutcome> {
  const order = await readOrder(services.database.query, orderId)
  if (order === undefined) return { result: { skipped: 'the order is gone' } }
  if (order.connectionId !== job.connectionId) {
    throw new RejectedError(`order ${orderId} belongs to another connection than the job`)
  }
  const told = what(order)
  if (told === null || told === undefined) return { result: { skipped: 'there is nothing to tell' } }
  const opened = await services.connections.openEnabled(order.connectionId)
  const { capabilities } = opened.connection
  const capability = ['OrderSource', 'OrderProcessorManager'].find(name =>
    capabilities.includes(name) && opened.adapter.description.capabilities[name]?.includes(method) !== false
  )
  if (capability === undefined) return { result: { skipped: `the adapter has no ${method}` } }
  const answer = parseAnswer(
    WriteBack,
    `${capability}.${method}`,
    await callCapability(services, job, opened, capability, method, order.externalId, told)
  )
  if (answer !== undefined && answer !== null) return { result: answer }
  return {
    result: { told },
    async effects (transaction) {
      const { query } = transaction
      const isCancellation = told === 'cancelled'
      // Lock the order first: an entry in its history would take a weaker lock.
      const jobs = isCancellation ? await recordCancelledByShop(transaction, orderId, job.requestId) : undefined
      const settled = method === 'addTracking' ? undone.trackingAtMarketplace : undone.statusAtMarketplace(told)
      await takeBackProblems(query, orderId, isCancellation ? [settled, cancelledInShopOnly] : [settled])
      await addHistory(query, orderId, 'marketplace told', { method, told })
      return jobs
    }
  }
}
