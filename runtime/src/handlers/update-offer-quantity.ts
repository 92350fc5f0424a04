import { RejectedError, type OfferWriteResult } from '@linker/sdk'
import type { OpenConnection } from '../connections/open-connection.ts'
import { CapabilityNotSupportedException } from '../errors.ts'
import { endOutdated } from '../jobs/operation/store.ts'
import type { JobOutcome } from '../jobs/running-job.ts'
import { defineSharedEffects } from '../jobs/shared-effects.ts'
import { updateOfferQuantity } from '../offers/jobs.ts'
import { quantityCapability } from '../offers/offer-capability.ts'
import { noteQuantityNotWritten } from '../offers/own-problems.ts'
import { objectKeyOf } from '../offers/quantity-jobs.ts'
import { knownBefore, replacedBy } from '../offers/replaced.ts'
import { lockOfferStock, storeWrittenQuantities, type OfferStock, type WrittenQuantity } from '../offers/store.ts'
import { explainMissing, visibleAfterMsOf } from '../offers/written-offer.ts'
import { offerWarnings, publishedQuantity } from '../stock/rules.ts'
import type { HandlerServices } from './call-adapter.ts'
import { implementJob, type CheckedJob } from './implement-job.ts'
import type { HandledJob } from './kept-effects.ts'
import { offerProblemOnDeath } from './offer-problem.ts'

// Forgets the quantity that the marketplace showed before: it says nothing about this write.
const quantityWritten = defineSharedEffects<WrittenQuantity>(async ({ query }, quantities) => {
  const mended = await storeWrittenQuantities(query, quantities)
  await endOutdated(query, mended.map(objectKeyOf), 'a later job has done its work')
  return []
})

/**
 * Writes the quantity that is current when the job runs, whatever was current when it was made. So
 * late and repeated jobs converge, and a version that was already written is not written again.
 * Stock that is known to be frozen is not sent. A later reading of the offer sees that it has
 * thawed, and makes the next job.
 */
export default implementJob(updateOfferQuantity, async (job, services) => {
  const arrive = services.stockWrites.expect(job.connectionId)
  try {
    return await writeCurrent(job, services, arrive)
  } finally {
    arrive()
  }
}, offerProblemOnDeath(noteQuantityNotWritten))

async function writeCurrent (
  job: CheckedJob<{ offerId: string, receivedAt?: string }>,
  services: HandlerServices,
  arrive: () => void
): Promise<JobOutcome> {
  const { offerId } = job.payload
  const offer = await readOffer(services, offerId)
  if (offer !== undefined && offer.connectionId !== job.connectionId) {
    throw new RejectedError(`offer ${offerId} does not belong to the connection of the job`)
  }
  if (offer === undefined || offer.status === 'ENDED') return { result: { skipped: 'the offer is gone' } }
  if (isNotCreated(offer)) return { result: { skipped: 'the offer is not created yet' } }
  if (offer.status === 'FAILED') return { result: { skipped: 'the offer could not be created' } }
  if (offer.sentVersion === offer.version && offer.sentLinkVersion === offer.linkVersion) {
    return { result: { skipped: 'this stock version was already written' } }
  }
  const quantity = publishedQuantity(offer, offer)
  const opened = await services.connections.openEnabled(offer.connectionId)
  arrive()
  const isSent = !offer.frozenFields.includes('stock')
  const written = isSent ? await write(services, job, { opened, offer, quantity }) : { applied: [], frozen: ['stock'] }
  const isFrozen = written.frozen.includes('stock')
  if (isSent && !isFrozen) services.onStockWritten(job.connectionId, ageOf(job.payload.receivedAt, services.now()))
  if (isFrozen) warn(services, job, offerId, offer)
  const replaced = isFrozen ? undefined : replacedBy(offer)
  const before = knownBefore(offer)
  return {
    result: {
      quantity,
      stockVersion: offer.version,
      ...written,
      ...before === undefined ? {} : { before },
      ...replaced === undefined ? {} : { replaced }
    },
    shared: quantityWritten({
      offerId,
      quantity,
      stockVersion: offer.version,
      linkVersion: offer.linkVersion,
      isFrozen,
      isSent
    })
  }
}

/** Milliseconds since a webhook. A payload may hold any text. */
function ageOf (receivedAt: string | undefined, now: Date): number | undefined {
  const ms = receivedAt === undefined ? Number.NaN : now.getTime() - Date.parse(receivedAt)
  return Number.isNaN(ms) ? undefined : ms
}

async function readOffer ({ database, offerReads }: HandlerServices, id: string): Promise<OfferStock | undefined> {
  const offer = await offerReads.stockOf(id)
  if (offer === undefined || !isNotCreated(offer)) return offer
  // The creation writes the stock that it finds at its end. If its end has read the stock and is
  // not committed yet, this job must write what changed since, so it waits for the commit.
  return lockOfferStock(database.query, id)
}

function isNotCreated ({ status, createdUpstreamAt }: OfferStock): boolean {
  return status === 'DRAFT' && createdUpstreamAt === null
}

/** Warns the operator about problems of the offer that the job cannot solve. */
function warn ({ log }: HandlerServices, job: HandledJob, offerId: string, offer: OfferStock): void {
  const warnings = offerWarnings({
    quantity: offer.sentQuantity,
    upstreamQuantity: offer.upstreamQuantity,
    frozenFields: ['stock'],
    sellsInactive: offer.sellsInactive
  }, offer)
  for (const { code, message } of warnings) {
    log.warn(
      { code, offerId, externalId: offer.externalId, connectionId: job.connectionId, requestId: job.requestId },
      message
    )
  }
}

interface Write {
  opened: OpenConnection
  offer: OfferStock
  quantity: number
}

async function write (
  services: HandlerServices,
  job: HandledJob,
  { opened, offer, quantity }: Write
): Promise<OfferWriteResult> {
  const { adapterKey } = opened.connection
  const capability = quantityCapability(opened.connection)
  if (capability === undefined) throw new CapabilityNotSupportedException(adapterKey, 'OfferManager')
  const { externalId, createdUpstreamAt } = offer
  return services.stockWrites.write(job, opened, capability, { externalId, quantity }).catch((error: unknown) => {
    throw explainMissing(error, { externalId, createdUpstreamAt }, visibleAfterMsOf(opened), services.now())
  })
}
