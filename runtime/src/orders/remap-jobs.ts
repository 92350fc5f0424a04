import type { Query } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { syncOrder } from './jobs.ts'

const selectMappable = `
  select distinct orders.external_id as "externalId"
  from orders
  join order_lines as line on line.order_id = orders.id and line.variant_id is null
  where orders.connection_id = $1
    and orders.status = 'awaiting_mapping'
    and ($2::text is null or line.offer_external_id = $2)
    and exists (
      select from offers
      where offers.connection_id = $1 and offers.external_id = line.offer_external_id
    )
  limit 100`

/**
 * Answers the jobs that read orders again which wait for a variant: one of their offers has been
 * linked since.
 */
export async function remapJobs (
  query: Query,
  of: { connectionId: string, offerExternalId?: string },
  attempt: string,
  requestId?: string
): Promise<JobRequest[]> {
  const orders = await query<{ externalId: string }>(selectMappable, [of.connectionId, of.offerExternalId ?? null])
  const { connectionId } = of
  return orders.map(({ externalId }) =>
    syncOrder.request({ externalId }, {
      connectionId,
      key: `order-remap:${connectionId}:${externalId}:${attempt}`,
      requestId
    })
  )
}
