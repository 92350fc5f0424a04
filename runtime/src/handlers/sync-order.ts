import { AdapterErrorCode, isAdapterError, Order } from '@linker/sdk'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { CapabilityNotSupportedException } from '../errors.ts'
import { describeLoss, missOrder } from '../orders/gone-order.ts'
import { findOrderId, ingestOrder, readingOptions } from '../orders/ingest-order.ts'
import { syncOrder } from '../orders/jobs.ts'
import { callCapability } from './call-adapter.ts'
import { implementJob } from './implement-job.ts'
import { openForOrders, ordersLeft } from './open-for-orders.ts'

/** Reads an order in full, stores it, and starts what follows from its state. */
export default implementJob(syncOrder, async (job, services) => {
  const { connectionId, payload: { externalId, isAskedAgain } } = job
  const opened = await openForOrders(connectionId, services)
  if (opened === undefined) return { result: ordersLeft }
  const { capabilities, adapterKey } = opened.connection
  const capability = ['OrderSource', 'Marketplace'].find(name => capabilities.includes(name))
  if (capability === undefined) throw new CapabilityNotSupportedException(adapterKey, 'OrderSource')
  const found = await callCapability(services, job, opened, capability, 'getOrder', externalId)
    .then(answer => ({ order: parseAnswer(Order, `${capability}.getOrder`, answer) }), undefinedWhenGone)
  if (found === undefined) {
    return {
      result: await describeLoss(services.database.query, connectionId, externalId),
      effects: transaction =>
        missOrder(transaction, connectionId, externalId, {
          ...readingOptions(opened, job.requestId),
          occasion: job.id,
          isAskedAgain
        })
    }
  }
  const { order } = found
  return {
    result: {
      orderId: await findOrderId(services.database.query, connectionId, order.externalId),
      sourceStatus: order.status,
      revision: order.revision
    },
    async effects (transaction) {
      const { jobs } = await ingestOrder(transaction, connectionId, order, readingOptions(opened, job.requestId))
      return jobs
    }
  }
})

function undefinedWhenGone (error: unknown): undefined {
  if (!isAdapterError(error) || error.code !== AdapterErrorCode.notFound) throw error
}
