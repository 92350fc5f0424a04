import type { Query } from '../../database/database.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { syncOrder } from '../jobs.ts'
import { findMappable } from './store.ts'

/**
 * Finds orders that wait for a variant and have an offer that is linked now. Returns the jobs that
 * read these orders again.
 */
export async function remapJobs (
  query: Query,
  { connectionId, offerExternalIds }: { connectionId: string, offerExternalIds?: readonly string[] },
  attempt: string,
  requestId?: string
): Promise<JobRequest[]> {
  const orders = await findMappable(query, connectionId, offerExternalIds)
  return orders.map(externalId =>
    syncOrder.request({ externalId }, {
      connectionId,
      key: `order-remap:${connectionId}:${externalId}:${attempt}`,
      requestId
    })
  )
}
