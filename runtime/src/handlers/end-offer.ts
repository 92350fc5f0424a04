import { AdapterErrorCode, isAdapterError } from '@linker/sdk'
import { endOffer } from '../offers/jobs.ts'
import { noteNotEnded } from '../offers/own-problems.ts'
import { markEnded } from '../offers/store.ts'
import { callForOffer, requireOffer } from './call-for-offer.ts'
import { implementJob } from './implement-job.ts'
import { offerProblemOnDeath } from './offer-problem.ts'

/** Takes the offer off the marketplace. */
export default implementJob(endOffer, async (job, services) => {
  const { offerId } = job.payload
  const offer = await requireOffer(job, services, offerId)
  if (offer.status === 'ENDED') return { result: { skipped: 'the offer has ended' } }
  await callForOffer(services, job, offer, 'endOffer').catch(ignoreGone)
  return {
    result: { externalId: offer.externalId },
    async effects ({ query }) {
      await markEnded(query, offerId)
      return undefined
    }
  }
}, offerProblemOnDeath(noteNotEnded))

/** Treats an offer that the marketplace does not have any more as ended. */
function ignoreGone (error: unknown): void {
  if (!isAdapterError(error) || error.code !== AdapterErrorCode.notFound) throw error
}
