import type { Query } from '../database/database.ts'
import { exclusionKeyOf } from '../jobs/identity.ts'
import type { JobRequest } from '../jobs/job.ts'
import type { Cause } from '../stock/record-stock.ts'
import { updateOfferQuantity } from './jobs.ts'
import { raiseVersionsOfSwitchedOff, readVersions, type OfferVersion } from './store.ts'

/** One job writes one version of an offer's stock and link. */
export function quantityKey ({ id, connectionId, version, linkVersion }: Omit<OfferVersion, 'variantId'>): string {
  return `quantity:${connectionId}:${id}:${version}.${linkVersion}`
}

/** The object of the quantity jobs of an offer. */
export function objectKeyOf ({ id: offerId, connectionId }: Pick<OfferVersion, 'id' | 'connectionId'>): string {
  return exclusionKeyOf(updateOfferQuantity, updateOfferQuantity.request({ offerId }, { connectionId, key: '' }))
}

/**
 * The quantity jobs for some offers, at the stock version that is current now. Offers that ended
 * get none. The key also carries the version of the link: another buffer is another quantity.
 */
export async function quantityJobs (
  query: Query,
  of: { offerIds: readonly string[] },
  requestId?: string
): Promise<JobRequest[]> {
  return quantityJobsOf(await readVersions(query, of), { requestId })
}

/**
 * The quantity jobs for a connection's offers of what the shop switched off. Call it when the
 * connection begins or ceases to sell that.
 */
export async function switchedOffJobs (query: Query, connectionId: string): Promise<JobRequest[]> {
  return quantityJobs(query, { offerIds: await raiseVersionsOfSwitchedOff(query, connectionId) })
}

/** The quantity jobs for offers whose versions were read. */
export function quantityJobsOf (offers: readonly OfferVersion[], { requestId, receivedAt }: Cause): JobRequest[] {
  return offers.map(offer =>
    updateOfferQuantity.request({
      offerId: offer.id,
      stockVersion: offer.version,
      ...(receivedAt === undefined ? {} : { receivedAt })
    }, {
      connectionId: offer.connectionId,
      key: quantityKey(offer),
      requestId
    })
  )
}
