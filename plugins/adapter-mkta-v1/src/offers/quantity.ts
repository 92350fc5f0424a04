import type { HttpClient } from '@linker/sdk'
import type { MarketplaceContext } from '../config.ts'
import { fetchOffer } from './fetch.ts'
import { patchOffer, refuseFaults, type Operation } from './patch.ts'
import { isSoldOut, parseOffer } from './read.ts'
import { noteRepublish } from './republish.ts'

const rememberedSeconds = 90 * 24 * 3_600

/**
 * Writes a quantity to the offer itself. A command cannot do this in two cases: it refuses 0, and
 * it fails for an offer that has ended. Stock 0 ends an offer, and new stock alone does not bring
 * it back. Only an offer that ended because it sold out is started again, never one that the seller
 * ended.
 */
export async function writeOfferQuantity (
  http: HttpClient,
  context: MarketplaceContext,
  offerId: string,
  quantity: number
): Promise<Operation | undefined> {
  if (quantity === 0) {
    // Remember before sending: if the answer is lost, the next quantity must look at the offer.
    await rememberSoldOut(context, offerId)
    const patched = await patchOffer(http, offerId, { stock: { available: 0 } })
    if (patched.offer !== undefined) await noteRepublish(context.kv, patched.offer)
    return patched.operation
  }
  const offer = parseOffer(await fetchOffer(http, offerId))
  const { status } = offer.publication
  const isStarted = status === 'ACTIVE' || status === 'ACTIVATING' || isSoldOut(offer)
  if (!isStarted) {
    context.log.warn(
      { externalId: offerId, status },
      'the seller has taken this offer off sale: the stock is written and the offer stays off sale'
    )
  }
  const patched = await patchOffer(http, offerId, {
    stock: { available: quantity },
    publication: isStarted ? { status: 'ACTIVE' } : undefined
  })
  if (patched.operation !== undefined) return patched.operation
  refuseFaults(patched.offer)
  // An offer that comes back by itself comes with its first stock, and is written again then.
  if (isStarted || offer.publication.republish !== true) await forgetSoldOut(context, offerId)
  return undefined
}

/** Makes the next quantity of this offer look at the offer first. */
export async function rememberSoldOut ({ kv }: MarketplaceContext, offerId: string): Promise<void> {
  await kv.set(key(offerId), true, { ttlSeconds: rememberedSeconds })
}

export async function forgetSoldOut ({ kv }: MarketplaceContext, offerId: string): Promise<void> {
  await kv.delete(key(offerId))
}

export async function mayBeSoldOut ({ kv }: MarketplaceContext, offerId: string): Promise<boolean> {
  return await kv.get(key(offerId)) !== undefined
}

function key (offerId: string): string {
  return `sold-out/${offerId}`
}
