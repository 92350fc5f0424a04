import { updateStatusAtMarketplace } from '../orders/jobs.ts'
import { isCancelledByShop } from '../orders/shop/destination.ts'
import type { OrderRow } from '../orders/store.ts'
import { implementJob } from './implement-job.ts'
import { problemOnDeath, statusUndone } from './order-problem.ts'
import { tellMarketplace } from './tell-marketplace.ts'

/** Tells the marketplace how far the order is. */
export default implementJob(
  updateStatusAtMarketplace,
  async (job, services) => {
    const { status } = job.payload
    return tellMarketplace(
      job,
      services,
      'updateOrderStatus',
      order => status === 'cancelled' && !isCancelled(order) ? undefined : status
    )
  },
  problemOnDeath(({ status }) => statusUndone(status))
)

/**
 * Whether the order is cancelled, here or in the shop. The shop may have cancelled it since the job
 * was made.
 */
function isCancelled (order: OrderRow): boolean {
  return order.status === 'cancelled' || isCancelledByShop(order)
}
