import type { Query } from '../../database/database.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { statusJob, trackingJob } from '../shop/destination.ts'
import { takeTellableOrders } from './store.ts'

/** A poll takes so many; the next one takes the rest. */
const mostAtOnce = 100

/**
 * Returns the jobs that tell a marketplace what it was not told while a setting was off, when the
 * setting is on now. Somebody may have told the marketplace meanwhile: such orders make no job.
 */
export async function untoldJobs (
  query: Query,
  connectionId: string,
  attempt: string,
  requestId?: string
): Promise<JobRequest[]> {
  const orders = await takeTellableOrders(query, connectionId, mostAtOnce)
  return orders.filter(({ isOpenThere }) => isOpenThere).flatMap(order => {
    const { status, hasTracking } = order
    const occasion = `untold:${attempt}`
    return [
      ...status === 'shipped' || status === 'delivered' ? [statusJob(order, status, requestId, occasion)] : [],
      ...hasTracking ? [trackingJob(order, occasion, requestId)] : []
    ]
  })
}
