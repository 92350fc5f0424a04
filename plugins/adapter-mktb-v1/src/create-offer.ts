import { TransientError, type HttpClient, type NewOffer } from '@linker/sdk'
import { createHash } from 'node:crypto'
import type { MarketplaceContext } from './config.ts'
import { toUpstreamOffer } from './new-offer.ts'
import { newOfferProblems, refuseIfAny } from './offer-rules.ts'
import { productPath } from './product-path.ts'
import { readAnswer } from './write-answer.ts'

/** Longer than the marketplace hides a new offer. */
const rememberedSeconds = 3_600

/**
 * Creates the offer under our key, which makes a repeat safe: 409 says that an earlier attempt arrived, perhaps with other values.
 *
 *     POST ──202──▶ created
 *       └────409──▶ PATCH ──202──▶ created, with the values of now
 *                     └─────404──▶ not shown yet: created if the earlier attempt carried the same, else to be repeated
 */
export async function createOffer (http: HttpClient, { config, kv }: MarketplaceContext, offer: NewOffer): Promise<void> {
  refuseIfAny(newOfferProblems(offer, config.defaultDispatchTime))
  const path = productPath(offer.externalId)
  const body = toUpstreamOffer(offer, config.defaultDispatchTime)
  const sent = digest(JSON.stringify(body))
  const key = `created:${digest(offer.externalId)}`
  const remember = async (): Promise<void> => kv.set(key, sent, { ttlSeconds: rememberedSeconds })

  const firstSent = await kv.get(key)
  if (firstSent === undefined) await remember()
  const answer = await http.request({ method: 'POST', path, body, idempotent: true, accept: [409] })
  if (answer.status === 409) {
    // An offer that was ended is archived, and its key taken.
    const patched = await http.request({ method: 'PATCH', path, body: { ...body, archived: false }, accept: [404] })
    if (patched.status === 404 && firstSent !== undefined && firstSent !== sent) {
      throw new TransientError('the marketplace has this offer from an earlier attempt with other values, and cannot change it before it shows it', { status: 404 })
    }
    if (patched.status === 404) return
    readAnswer(patched)
  } else {
    readAnswer(answer)
  }
  if (firstSent !== undefined && firstSent !== sent) await remember()
}

function digest (text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
