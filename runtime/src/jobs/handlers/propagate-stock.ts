import { Type } from '@sinclair/typebox'
import type { Query } from '../../database/database.ts'
import { prepared } from '../../database/prepared.ts'
import type { JobRequest } from '../job.ts'
import type { CoreHandler } from './handler.ts'
import { Id, parsePayload } from './payload.ts'

const Payload = Type.Object({ variantId: Id })

/** `inventory.propagateToMarketplaces`: one quantity job for each offer that sells the variant. */
export const propagateStock: CoreHandler = async (job, services) => {
  const { variantId } = parsePayload(Payload, job.jobType, job.payload)
  const followUps = await quantityJobs(services.database.query, { variantId }, job.requestId)
  return { result: { offers: followUps.length }, followUps }
}

/**
 * The quantity jobs for the offers of a variant, or for some offers, at the stock version that is current now. Offers that ended get none.
 * The key also carries the version of the link: another buffer is another quantity.
 */
export async function quantityJobs (query: Query, of: { variantId: string } | { offerIds: readonly string[] }, requestId?: string): Promise<JobRequest[]> {
  const [condition, value] = 'variantId' in of ? ['offers.variant_id = $1', of.variantId] : ['offers.id = any($1::uuid[])', of.offerIds]
  const rows = await query<{ id: string, connection_id: string, version: number, link_version: number }>(prepared(`
    select offers.id, offers.connection_id, stock.version, offers.link_version from offers join stock on stock.variant_id = offers.variant_id
    where ${condition} and offers.status not in ('ENDED', 'FAILED') order by offers.id`), [value])
  return rows.map(row => ({
    jobType: 'marketplace.offerQuantity.update',
    connectionId: row.connection_id,
    payload: { offerId: row.id, stockVersion: row.version },
    idempotencyKey: `quantity:${row.connection_id}:${row.id}:${row.version}.${row.link_version}`,
    ...(requestId === undefined ? {} : { requestId })
  }))
}
