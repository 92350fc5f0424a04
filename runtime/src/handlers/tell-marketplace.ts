import { RejectedError, WriteBack } from '@linker/sdk'
import { parseAnswer } from '../adapters/parse-answer.ts'
import type { JobOutcome } from '../jobs/running-job.ts'
import { recordCancelledByShop } from '../orders/actions.ts'
import { addHistory, readOrder, removeProblems, type OrderRow } from '../orders/store.ts'
import { markUntold } from '../orders/untold/store.ts'
import { callCapability, type HandlerServices } from './call-adapter.ts'
import type { CheckedJob } from './implement-job.ts'
import { statusUndone, undone } from './order-problem.ts'

/**
 * Tells the marketplace something about an order. The job succeeds without a call, and says so,
 * when the marketplace cannot or must not be told.
 */
export async function tellMarketplace (
  job: CheckedJob<{ orderId: string }>,
  services: HandlerServices,
  method: 'updateOrderStatus' | 'addTracking',
  what: (order: OrderRow) => unknown
): Promise<JobOutcome> {
  const { orderId } = job.payload
  const order = await readOrder(services.database.query, orderId)
  if (order === undefined) return { result: { skipped: 'the order is gone' } }
  if (order.connectionId !== job.connectionId) {
    throw new RejectedError(`order ${orderId} does not belong to the connection of the job`)
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
  if (answer !== undefined && answer !== null) {
    const { skipped, setting } = answer
    return {
      result: answer,
      async effects ({ query }) {
        // A buyer waits for a shipment; nobody waits for another status.
        const isShipment = method === 'addTracking' || told === 'shipped' || told === 'delivered'
        if (isShipment && setting !== undefined) await markUntold(query, orderId, setting)
        await addHistory(query, orderId, 'marketplace not told', { method, told, reason: skipped })
      }
    }
  }
  return {
    result: { told },
    async effects (transaction) {
      const { query } = transaction
      const isCancellation = told === 'cancelled'
      // Lock the order first: an entry in its history would take a weaker lock.
      const jobs = isCancellation ? await recordCancelledByShop(transaction, orderId, job.requestId) : undefined
      const { code } = method === 'addTracking' ? undone.trackingAtMarketplace : statusUndone(told)
      await removeProblems(query, orderId, isCancellation ? [code, 'cancelled-in-shop-only'] : [code])
      await addHistory(query, orderId, 'marketplace told', { method, told })
      return jobs
    }
  }
}
