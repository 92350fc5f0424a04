import type { HttpClient } from '@linker/sdk'
import type { MarketplaceContext } from './config.ts'
import { fetchOffer } from './fetch-offer.ts'
import { patchOffer, refuseFaults, type Operation } from './patch-offer.ts'
import { isSoldOut, parseOffer } from './read-offer.ts'

const rememberedSeconds = 90 * 24 * 3_600

/**
 * Writes a quantity to the offer itself, which a command cannot do in two cases: it refuses 0, and
 * fails for an offer that has ended. Stock 0 ends an offer; stock alone does not bring it back.
 * Only one that ended for want of stock is started again, never one that the seller ended.
 */
export async function writeOfferQuantity (
  http: HttpClient,
  context: MarketplaceContext,
  offerId: string,
  quantity: number
): Promise<Operation | undefined> {
  if (quantity === 0) {
    // Before it is sent: should the answer be lost, the next quantity looks at the offer.
    await rememberSoldOut(context, offerId)
    return (await patchOffer(http, offerId, { stock: { available: 0 } })).operation
  }
  const offer = parseOffer(await fetchOffer(http, offerId))
  const { status } = offer.publication
  const isStarted = status === 'ACTIVE' || status === 'ACTIVATING' || isSoldOut(offer)
  if (!isStarted) {
    context.log.warn(
      { externalId: offerId, status },
      "this offer is not for sale by the seller's own wish: its stock is written, and it stays as it is"
    )
  }
  const patched = await patchOffer(http, offerId, {
    stock: { available: quantity },
    ...(isStarted ? { publication: { status: 'ACTIVE' } } : {})
  })
  if (patched.operation !== undefined) return patched.operation
  refuseFaults(patched.offer)
  await forgetSoldOut(context, offerId)
  return undefined
}

/** Keeps in mind that the offer has to be looked at before its next quantity is written. */
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
