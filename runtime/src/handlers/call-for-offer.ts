import { RejectedError } from '@linker/sdk'
import { requireOfferCapability } from '../offers/offer-capability.ts'
import { readWritten, type WrittenOffer } from '../offers/store.ts'
import { explainMissing, visibleAfterMsOf } from '../offers/written-offer.ts'
import { callCapability, type HandlerServices } from './call-adapter.ts'
import type { HandledJob } from './kept-effects.ts'

/** The offer that a command is about. Throws `RejectedError` when it is not at the marketplace. */
export async function requireOffer (
  job: HandledJob,
  { database }: HandlerServices,
  offerId: string
): Promise<WrittenOffer> {
  const offer = await readWritten(database.query, offerId)
  if (offer === undefined) throw new RejectedError('the offer was unlinked')
  if (offer.connectionId !== job.connectionId) {
    throw new RejectedError(`offer ${offerId} does not belong to the connection of the job`)
  }
  if (offer.status === 'FAILED') throw new RejectedError('the offer is not at the marketplace: its creation failed')
  return offer
}

/**
 * Calls a method for an offer. When the marketplace does not know the offer, the error says whether
 * it may only not show it yet.
 */
export async function callForOffer (
  services: HandlerServices,
  job: HandledJob,
  offer: WrittenOffer,
  method: 'updateOffer' | 'endOffer',
  ...args: unknown[]
): Promise<unknown> {
  const opened = await services.connections.openEnabled(offer.connectionId)
  const capability = requireOfferCapability(opened, method)
  try {
    return await callCapability(services, job, opened, capability, method, offer.externalId, ...args)
  } catch (error) {
    throw explainMissing(error, offer, visibleAfterMsOf(opened), services.now())
  }
}
