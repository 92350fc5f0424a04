import { NewOffer, RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readWritten, type WrittenOffer } from '../offers/written-offer.ts'
import { publishedQuantity } from '../stock/rules.ts'
import type { DeathEffects } from '../jobs/running-job.ts'
import { callCapability, type CoreHandler } from './call-adapter.ts'
import { Id, parsePayload } from './payload.ts'
import { quantityJobs } from '../offers/quantity-jobs.ts'
import { storeCreated, storeFailedCreation } from '../offers/store-writes.ts'

const Payload = Type.Object({
  offerId: Id,
  offer: Type.Omit(NewOffer, ['externalId', 'quantity']),
  quantity: Type.Optional(Type.Integer({ minimum: 0 }))
})

/**
 * `marketplace.offer.create`: creates the offer with the present stock. A repeat finds the offer
 * created. The key is the hub's, so the marketplace recognises an attempt whose answer was lost.
 * The offer stays a draft until the marketplace shows it.
 */
export const createOffer: CoreHandler = async (job, services) => {
  const { offerId, offer, quantity: wished } = parsePayload(Payload, job.jobType, job.payload)
  const row = await readWritten(services.database.query, offerId)
  if (row === undefined) return { result: { skipped: 'the offer was unlinked' } }
  if (row.connectionId !== job.connectionId) {
    throw new RejectedError(`offer ${offerId} belongs to another connection than the job`)
  }
  if (row.createdUpstreamAt !== null || row.status !== 'DRAFT') {
    return { result: { skipped: 'the offer was created before' } }
  }
  const quantity = wished ?? currentQuantity(row)
  const opened = await services.connections.openEnabled(row.connectionId)
  await callCapability(services, job, opened, 'OfferManager', 'createOffer', {
    ...offer,
    externalId: row.externalId,
    quantity
  })
  return {
    result: { externalId: row.externalId, quantity },
    async effects ({ query }) {
      const isOutdated = await storeCreated(query, {
        offerId,
        quantity,
        title: offer.title,
        price: offer.price,
        stockVersion: row.stockVersion,
        linkVersion: row.linkVersion
      })
      return isOutdated ? quantityJobs(query, { offerIds: [offerId] }, job.requestId) : []
    }
  }
}

function currentQuantity ({ quantity, reserved, buffer, maxListed }: WrittenOffer): number {
  if (quantity === null) throw new RejectedError('the stock of the variant is not known')
  return publishedQuantity({ quantity, reserved: reserved ?? 0 }, { buffer, maxListed })
}

/** An offer whose creation died has failed, and says why. */
export const failOffer: DeathEffects = async ({ query }, { id, payload }, { message, fields = [] }) => {
  // The job may have died because of its payload.
  if (!Value.Check(Id, payload.offerId)) return
  const problems = fields.length === 0
    ? [message]
    : fields.map(field => field.pointer === '' ? field.message : `${field.pointer}: ${field.message}`)
  await storeFailedCreation(query, payload.offerId, id, problems)
}
