import { RateLimitedError, TransientError, type AdapterError, type HttpClient, type NewOffer } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createHash } from 'node:crypto'
import type { MarketplaceContext } from '../config.ts'
import { readAnswer } from '../read-answer.ts'
import { toUpstreamOffer } from './new-offer.ts'
import { productPath } from './path.ts'
import { newOfferProblems, refuseIfAny } from './rules.ts'

/** Longer than the time for which the marketplace hides a new offer. */
const hiddenMs = 40 * 60_000
const askAgainMs = 120_000
/** Longer than `hiddenMs` and the attempts of a job after it. */
const rememberedSeconds = 2 * 3_600

/** The digest of the first offer that was sent, and since when it is known to block another one. */
const Attempt = Type.Object({ sent: Type.String(), inTheWaySince: Type.Optional(Type.String()) })
type Attempt = Static<typeof Attempt>

/**
 * Creates the offer under our key, which makes a repeat safe: 409 says that an earlier attempt
 * arrived, perhaps with other values.
 *
 *     POST ──202──▶ created
 *       └────409──▶ PATCH ──202──▶ created, with the present values
 *                     └─────404──▶ the marketplace does not show the offer yet
 *                                    ├──the earlier attempt sent the same values──▶ created
 *                                    └──it sent other values──▶ repeat when the offer is shown
 */
export async function createOffer (
  http: HttpClient,
  { config, kv, clock }: MarketplaceContext,
  offer: NewOffer
): Promise<void> {
  refuseIfAny(newOfferProblems(offer, config))
  const path = productPath(offer.externalId)
  const body = toUpstreamOffer(offer, config)
  const sent = digest(JSON.stringify(body))
  const key = `created:${digest(offer.externalId)}`
  const remember = async (attempt: Attempt): Promise<void> => kv.set(key, attempt, { ttlSeconds: rememberedSeconds })

  const remembered = await kv.get(key)
  const first = Value.Check(Attempt, remembered) ? remembered : undefined
  const isOther = first !== undefined && first.sent !== sent
  if (first === undefined) await remember({ sent })
  const answer = await http.request({ method: 'POST', path, body, idempotent: true, accept: [409] })
  if (answer.status === 409) {
    // An ended offer is archived and keeps its key, so it must be taken out of the archive.
    const patched = await http.request({ method: 'PATCH', path, body: { ...body, archived: false }, accept: [404] })
    if (patched.status === 404) {
      if (!isOther) return
      const { inTheWaySince = clock.now().toISOString() } = first
      if (first.inTheWaySince === undefined) await remember({ ...first, inTheWaySince })
      throw notShown(clock.now().getTime() - Date.parse(inTheWaySince))
    }
    readAnswer(patched)
  } else {
    readAnswer(answer)
  }
  if (isOther) await remember({ sent })
}

/**
 * Asks for a pause while the offer may be hidden: the ten attempts of a job would end before the
 * marketplace shows it.
 */
function notShown (sinceMs: number): AdapterError {
  const message = 'the marketplace has this offer from an earlier attempt with other values, ' +
    'and cannot change the offer until it shows it'
  return sinceMs < hiddenMs
    ? new RateLimitedError(message, { status: 404, retryAfterMs: askAgainMs })
    : new TransientError(message, { status: 404 })
}

function digest (text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
