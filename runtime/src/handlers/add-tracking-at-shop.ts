import { RejectedError } from '@linker/sdk'
import { addTrackingAtShop } from '../orders/jobs.ts'
import { addHistory, readOrder, removeProblems } from '../orders/store.ts'
import { callCapability } from './call-adapter.ts'
import { implementJob } from './implement-job.ts'
import { problemOnDeath, undone } from './order-problem.ts'

/**
 * Tells the shop the parcel of its order, as the hub knows it when the job runs. Skips a shop whose
 * adapter has no `addTracking`.
 */
export default implementJob(addTrackingAtShop, async (job, services) => {
  const { orderId } = job.payload
  const order = await readOrder(services.database.query, orderId)
  if (order === undefined || order.destinationConnectionId === null || order.destinationExternalId === null) {
    return { result: { skipped: 'the order is not in the shop' } }
  }
  const { tracking } = order
  if (tracking === null) return { result: { skipped: 'there is nothing to tell' } }
  if (order.destinationConnectionId !== job.connectionId) {
    throw new RejectedError(`order ${orderId} is in another shop than that of the job`)
  }
  const opened = await services.connections.openEnabled(order.destinationConnectionId)
  if (opened.adapter.description.capabilities.OrderProcessorManager?.includes('addTracking') === false) {
    return { result: { skipped: 'the adapter has no addTracking' } }
  }
  await callCapability(
    services,
    job,
    opened,
    'OrderProcessorManager',
    'addTracking',
    order.destinationExternalId,
    tracking
  )
  return {
    result: { told: tracking },
    async effects ({ query }) {
      await removeProblems(query, orderId, [undone.trackingAtShop.code])
      await addHistory(query, orderId, 'shop told', { method: 'addTracking', told: tracking })
      return undefined
    }
  }
}, problemOnDeath(() => undone.trackingAtShop))
