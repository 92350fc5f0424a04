/** What a variant has, and what its marketplace orders already took of it. */
export interface Available {
  quantity: number
  reserved: number
}

/**
 * What the operator lets a marketplace show: `buffer` pieces less than there are, never more than
 * `maxListed`.
 */
export interface ListingLimits {
  buffer: number
  maxListed: number | null
}

/** Pieces that can still be sold. A master that counts backorders below zero has none. */
export function sellable ({ quantity, reserved }: Available): number {
  return Math.max(0, quantity - reserved)
}

/** The quantity that an offer shows. */
export function publishedQuantity (stock: Available, { buffer, maxListed }: ListingLimits): number {
  const listed = Math.max(0, stock.quantity - stock.reserved - buffer)
  return maxListed === null ? listed : Math.min(maxListed, listed)
}

/** The same in SQL, over rows of `stock` and `offers`; a test holds both together. */
export const publishedQuantitySql =
  'least(offers.max_listed, greatest(0, stock.quantity::bigint - stock.reserved - offers.buffer))::integer'

/** What is known of the quantity that an offer shows. */
export interface ShownQuantity {
  /** Written last. */
  quantity: number | null
  /** Read last, after what was written could be seen. */
  upstreamQuantity: number | null
  frozenFields: readonly string[]
}

export interface OfferWarning {
  code: 'stock-frozen' | 'oversell'
  message: string
}

/**
 * What an operator should know of an offer: the hub cannot write its stock, and it sells what the
 * master does not have.
 */
export function offerWarnings (offer: ShownQuantity, stock: Available | undefined): OfferWarning[] {
  if (!offer.frozenFields.includes('stock')) return []
  const warnings: OfferWarning[] = [{
    code: 'stock-frozen',
    message: 'the seller froze the stock at the marketplace; the hub does not write it'
  }]
  const shown = offer.upstreamQuantity ?? offer.quantity
  const left = stock === undefined ? undefined : sellable(stock)
  if (shown === null || left === undefined || shown <= left) return warnings
  return [...warnings, {
    code: 'oversell',
    message: `the marketplace offers ${shown} and the master has ${left} left to sell`
  }]
}

const mostMissingShare = 0.5
const mostMissing = 20

/**
 * Whether what a sweep did not see is more likely an answer that is wrong than a shop that deleted
 * so much: nothing was seen at all, or more than twenty and more than half of what was known is
 * gone.
 */
export function isSuspicious ({ known, missing, seen }: { known: number, missing: number, seen: number }): boolean {
  if (missing === 0) return false
  return seen === 0 || (missing > mostMissing && missing > known * mostMissingShare)
}
