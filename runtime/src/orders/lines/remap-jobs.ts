import type { Query } from '../../database/database.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { syncOrder } from '../jobs.ts'
import { findMappable } from './store.ts'

/**
 * Returns the jobs that read orders again which wait for a variant: one of their offers has been
 * linked since.
 */
export async function remapJobs (
  query: Query,
  { connectionId, offerExternalId }: { connectionId: string, offerExternalId?: string },
  attempt: string,
  requestId?: string
): Promise<JobRequest[]> {
  const orders = await findMappable(query, connectionId, offerExternalId)
  return orders.map(externalId =>
    syncOrder.request({ externalId }, {
      connectionId,
      key: `order-remap:${connectionId}:${externalId}:${attempt}`,
      requestId
    })
  )
}
