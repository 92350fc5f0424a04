import { OfferWriteResult, type OfferPatch } from '@linker/sdk'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { updateOfferFields } from '../offers/jobs.ts'
import { noteChangeNotWritten } from '../offers/own-problems.ts'
import { storeWrittenFields, type WrittenOffer } from '../offers/store.ts'
import { callForOffer, requireOffer } from './call-for-offer.ts'
import { implementJob } from './implement-job.ts'
import { offerProblemOnDeath } from './offer-problem.ts'

/**
 * Writes the fields that the operator asked for. Does not send a field that is known to be frozen.
 * The job succeeds even when the seller froze a field.
 */
export default implementJob(updateOfferFields, async (job, services) => {
  const { offerId, fields } = job.payload
  const offer = await requireOffer(job, services, offerId)
  const open = withoutFrozen(fields, offer)
  const leftOut = Object.keys(fields).filter(field => !(field in open))
  if (Object.keys(open).length === 0) return { result: { applied: [], frozen: leftOut } }
  const written = parseAnswer(
    OfferWriteResult,
    'updateOffer',
    await callForOffer(services, job, offer, 'updateOffer', open)
  )
  return {
    result: { applied: written.applied, frozen: [...leftOut, ...written.frozen] },
    async effects ({ query }) {
      await storeWrittenFields(query, { offerId, price: fields.price, title: fields.title, ...written })
      return undefined
    }
  }
}, offerProblemOnDeath(noteChangeNotWritten))

/** Returns the members that are not known to be frozen. */
function withoutFrozen ({ price, title, description }: OfferPatch, { frozenFields }: WrittenOffer): OfferPatch {
  const isFrozen = (field: keyof OfferPatch): boolean => frozenFields.includes(field)
  return {
    ...(price === undefined || isFrozen('price') ? {} : { price }),
    ...(title === undefined || isFrozen('title') ? {} : { title }),
    ...(description === undefined || isFrozen('description') ? {} : { description })
  }
}
