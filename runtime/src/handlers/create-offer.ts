import { RejectedError } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import { Id } from '../jobs/define-job.ts'
import type { DeathEffects, RetryEffects } from '../jobs/running-job.ts'
import { createOffer } from '../offers/jobs.ts'
import { noteNotCreated } from '../offers/own-problems.ts'
import { quantityJobs } from '../offers/quantity-jobs.ts'
import { readWritten, revive, storeCreated, type WrittenOffer } from '../offers/store.ts'
import { isOnSale, publishedQuantity } from '../stock/rules.ts'
import { callCapability } from './call-adapter.ts'
import { implementJob } from './implement-job.ts'

/**
 * Creates the offer with the present stock. A repeat finds the offer created. The key is the hub's,
 * so the marketplace recognises an attempt whose answer was lost. The offer stays a draft until the
 * marketplace shows it.
 */
const implementation = implementJob(createOffer, async (job, services) => {
  const { offerId, offer, quantity: wished } = job.payload
  const row = await readWritten(services.database.query, offerId)
  if (row === undefined) return { result: { skipped: 'the offer was unlinked' } }
  if (row.connectionId !== job.connectionId) {
    throw new RejectedError(`offer ${offerId} does not belong to the connection of the job`)
  }
  if (row.createdUpstreamAt !== null || row.status !== 'DRAFT') {
    return { result: { skipped: 'the offer was already created' } }
  }
  const quantity = firstQuantity(row, wished)
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
}, failOffer)

export default { ...implementation, onRetry: reviveOffer }

/** The shop may have switched the variant off after the operator wished a quantity. */
function firstQuantity (row: WrittenOffer, wished: number | undefined): number {
  if (wished === undefined) return currentQuantity(row)
  return isOnSale(row, row) ? wished : 0
}

function currentQuantity ({ quantity, reserved, ...offer }: WrittenOffer): number {
  if (quantity === null) throw new RejectedError('the stock of the variant is not known')
  return publishedQuantity({ ...offer, quantity, reserved: reserved ?? 0 }, offer)
}

/** Marks an offer whose creation died as failed, with the reason. */
async function failOffer (...[{ query }, { id, payload }, { message, fields = [] }]: Parameters<DeathEffects>): Promise<
  void
> {
  // The job may have died because of its payload.
  if (!Value.Check(Id, payload.offerId)) return
  const problems = fields.length === 0
    ? [message]
    : fields.map(field => field.pointer === '' ? field.message : `${field.pointer}: ${field.message}`)
  await noteNotCreated(query, payload.offerId, id, problems)
}

/** The job makes only an offer that is a draft. */
async function reviveOffer (...[{ query }, { id, payload }]: Parameters<RetryEffects>): Promise<[]> {
  if (Value.Check(Id, payload.offerId)) await revive(query, payload.offerId, id)
  return []
}
