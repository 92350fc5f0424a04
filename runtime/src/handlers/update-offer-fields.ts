import { AdapterErrorCode, isAdapterError, OfferPatch, OfferWriteResult, RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { requireOfferCapability } from '../offers/offer-capability.ts'
import { storeEnded, storeWrittenFields } from '../offers/store-writes.ts'
import { explainMissing, readWritten, visibleAfterMsOf, type WrittenOffer } from '../offers/written-offer.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { callCapability, type CoreHandler, type HandlerServices } from './call-adapter.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { Id, parsePayload } from './payload.ts'
import type { HandledJob } from './kept-effects.ts'

const Payload = Type.Object({ offerId: Id, fields: OfferPatch })
const EndPayload = Type.Object({ offerId: Id })

/**
 * `marketplace.offer.updateFields`: writes what the operator asked for. A field that the seller
 * froze is left out and the job succeeds; one that is known to be frozen is not sent.
 */
export const updateOfferFields: CoreHandler = async (job, services) => {
  const { offerId, fields } = parsePayload(Payload, job.jobType, job.payload)
  const offer = await requireOffer(job, services, offerId)
  const open = withoutFrozen(fields, offer)
  const leftOut = Object.keys(fields).filter(field => !(field in open))
  if (Object.keys(open).length === 0) return { result: { applied: [], frozen: leftOut } }
  const opened = await services.connections.openEnabled(offer.connectionId)
  const answer = await callFor(services, job, opened, offer, 'updateOffer', open)
  const written = parseAnswer(OfferWriteResult, 'updateOffer', answer)
  return {
    result: { applied: written.applied, frozen: [...leftOut, ...written.frozen] },
    async effects ({ query }) {
      await storeWrittenFields(query, { offerId, price: fields.price, title: fields.title, ...written })
      return undefined
    }
  }
}

/** The members whose fields are not known to be frozen. */
function withoutFrozen ({ price, title, description }: OfferPatch, { frozenFields }: WrittenOffer): OfferPatch {
  const isFrozen = (field: keyof OfferPatch): boolean => frozenFields.includes(field)
  return {
    ...(price === undefined || isFrozen('price') ? {} : { price }),
    ...(title === undefined || isFrozen('title') ? {} : { title }),
    ...(description === undefined || isFrozen('description') ? {} : { description })
  }
}

/** `marketplace.offer.end`: takes the offer off the marketplace. */
export const endOffer: CoreHandler = async (job, services) => {
  const { offerId } = parsePayload(EndPayload, job.jobType, job.payload)
  const offer = await requireOffer(job, services, offerId)
  if (offer.status === 'ENDED') return { result: { skipped: 'the offer has ended' } }
  const opened = await services.connections.openEnabled(offer.connectionId)
  await callFor(services, job, opened, offer, 'endOffer').catch(ignoreGone)
  return {
    result: { externalId: offer.externalId },
    async effects ({ query }) {
      await storeEnded(query, offerId)
      return undefined
    }
  }
}

/** Treats an offer that the marketplace does not have any more as ended. */
function ignoreGone (error: unknown): void {
  if (!isAdapterError(error) || error.code !== AdapterErrorCode.notFound) throw error
}

async function requireOffer (job: HandledJob, { database }: HandlerServices, offerId: string): Promise<WrittenOffer> {
  const offer = await readWritten(database.query, offerId)
  if (offer === undefined) throw new RejectedError('the offer was unlinked')
  if (offer.connectionId !== job.connectionId) {
    throw new RejectedError(`offer ${offerId} belongs to another connection than the job`)
  }
  if (offer.status === 'FAILED') throw new RejectedError('the offer is not at the marketplace: its creation failed')
  return offer
}

async function callFor (
  services: HandlerServices,
  job: HandledJob,
  opened: OpenConnection,
  offer: WrittenOffer,
  method: 'updateOffer' | 'endOffer',
  ...args: unknown[]
): Promise<unknown> {
  const capability = requireOfferCapability(opened, method)
  try {
    return await callCapability(services, job, opened, capability, method, offer.externalId, ...args)
  } catch (error) {
    throw explainMissing(error, offer, visibleAfterMsOf(opened), services.now())
  }
}
