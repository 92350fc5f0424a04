import { AdapterErrorCode, isAdapterError } from '@linker/sdk'
import type { JobOutcome } from '../jobs/running-job.ts'
import { cancelOrderAtShop } from '../orders/jobs.ts'
import { rereadJobs } from '../orders/lines/reservations.ts'
import { addProblem } from '../orders/problems.ts'
import { storeCancelledInShop } from '../orders/shop/shop-order.ts'
import { readOrder, removeProblems } from '../orders/store.ts'
import { callCapability } from './call-adapter.ts'
import { implementJob } from './implement-job.ts'
import { openShop } from './open-shop.ts'
import { problemOnDeath, undone } from './order-problem.ts'

/**
 * Cancels an order in its shop. The shop then returns the pieces to its stock, so jobs follow that
 * read this stock. When the shop refuses, for example because it has shipped the order, the hub
 * notes the reason as a problem of the order, and the job succeeds.
 */
export default implementJob(cancelOrderAtShop, async (job, services) => {
  const order = await readOrder(services.database.query, job.payload.orderId)
  if (order === undefined || order.destinationExternalId === null) {
    return { result: { skipped: 'the order is not in the shop' } }
  }
  const opened = await openShop(job, services, order)
  try {
    await callCapability(services, job, opened, 'OrderProcessorManager', 'cancelOrder', order.destinationExternalId)
  } catch (error) {
    if (!isAdapterError(error) || error.code !== AdapterErrorCode.rejected) throw error
    return refused(order.id, error.message)
  }
  return {
    result: { externalId: order.destinationExternalId },
    async effects ({ query }) {
      await storeCancelledInShop(query, order.id)
      await removeProblems(query, order.id, [undone.cancelAtShop.code, 'cancellation-refused'])
      return rereadJobs(query, order.id, 'cancelled', job.requestId)
    }
  }
}, problemOnDeath(() => undone.cancelAtShop))

function refused (orderId: string, message: string): JobOutcome {
  return {
    result: { refused: message },
    async effects ({ query }) {
      const detail = `the shop refuses to cancel the order: ${message}`
      await addProblem(query, orderId, { code: 'cancellation-refused', detail })
      return undefined
    }
  }
}
