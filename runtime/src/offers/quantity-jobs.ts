import type { Query } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { JobRequest } from '../jobs/job.ts'
import { updateOfferQuantity } from './jobs.ts'

/** One job writes one version of an offer's stock and link. */
export function quantityKey ({ id, connectionId, version, linkVersion }: {
  id: string,
  connectionId: string,
  version: number,
  linkVersion: number
}): string {
  return `quantity:${connectionId}:${id}:${version}.${linkVersion}`
}

/**
 * The quantity jobs for the offers of a variant, or for some offers, at the stock version that is
 * current now. Offers that ended get none. The key also carries the version of the link: another
 * buffer is another quantity.
 */
export async function quantityJobs (
  query: Query,
  of: { variantId: string } | { offerIds: readonly string[] },
  requestId?: string
): Promise<JobRequest[]> {
  const [condition, value] = 'variantId' in of
    ? ['offers.variant_id = $1', of.variantId]
    : ['offers.id = any($1::uuid[])', of.offerIds]
  const rows = await query<Parameters<typeof quantityKey>[0]>(
    prepared(`
    select offers.id, offers.connection_id as "connectionId", stock.version,
      offers.link_version as "linkVersion"
    from offers
    join stock on stock.variant_id = offers.variant_id
    where ${condition} and offers.status not in ('ENDED', 'FAILED')
    order by offers.id`),
    [value]
  )
  return rows.map(row =>
    updateOfferQuantity.request({ offerId: row.id, stockVersion: row.version }, {
      connectionId: row.connectionId,
      key: quantityKey(row),
      requestId
    })
  )
}
