/**
 * The stock of a variant, and the part of it that marketplace orders reserve: those of all variants
 * that share the stock. `isCounted`: whether the master counts it. Default true.
 */
export interface Pieces {
  quantity: number
  reserved: number
  isCounted?: boolean | null
  /** Takes the place of a quantity that has jumped, until a person confirms it. */
  confirmedQuantity?: number | null
}

/**
 * `isSellable`: whether the master sells the variant, whatever its stock. False while the product
 * is switched off or not for order. Default true.
 */
export interface Available extends Pieces {
  isSellable?: boolean | null
}

/**
 * The pieces that the hub takes for a stock that the master does not count. A marketplace wants a
 * number, and each sale lowers it until the hub has written it again: so many are not sold between
 * two writes. It is no more, because the master may begin to count, and all of them could be sold
 * before the hub learns of it.
 */
export const uncountedPieces = 100

/** Whether a marketplace goes on selling what the master has switched off. Default false. */
export interface SaleRule {
  sellsInactive?: boolean
}

/**
 * The operator's limits on the quantity that a marketplace shows: `buffer` pieces less than the
 * stock, and never more than `maxListed`.
 */
export interface ListingLimits extends SaleRule {
  buffer: number
  maxListed: number | null
}

/** Whether an offer may sell the variant at all. */
export function isOnSale ({ isSellable }: Pick<Available, 'isSellable'>, { sellsInactive }: SaleRule): boolean {
  return isSellable !== false || sellsInactive === true
}

/** Returns the pieces left to sell. A master that counts backorders below zero has none. */
export function sellable ({ quantity, reserved, isCounted, confirmedQuantity }: Pieces): number {
  return Math.max(0, isCounted === false ? quantity : (confirmedQuantity ?? quantity) - reserved)
}

/**
 * Returns the quantity that an offer shows: none of a variant that the master has switched off,
 * unless the marketplace `sellsInactive`.
 */
export function publishedQuantity (stock: Available, limits: ListingLimits): number {
  return isOnSale(stock, limits) ? quantityWithin(stock, limits) : 0
}

/**
 * Returns the pieces that the limits leave. Nothing is held back of a stock that the master does
 * not count, and its `maxListed` may be larger than the pieces that the hub takes for it. Zero
 * pieces mean that the variant is gone.
 */
export function quantityWithin (stock: Pieces, { buffer, maxListed }: ListingLimits): number {
  if (stock.isCounted === false) return stock.quantity > 0 ? maxListed ?? stock.quantity : 0
  const listed = Math.max(0, (stock.confirmedQuantity ?? stock.quantity) - stock.reserved - buffer)
  return maxListed === null ? listed : Math.min(maxListed, listed)
}

/** The quantity of an offer, as far as the hub knows it. */
export interface ShownQuantity extends SaleRule {
  /** The quantity of the last write. */
  quantity: number | null
  /** The quantity of the last reading that could see the last write. */
  upstreamQuantity: number | null
  frozenFields: readonly string[]
}

export interface OfferWarning {
  code: 'stock-frozen' | 'oversell'
  message: string
}

/**
 * Returns warnings for the operator: the hub cannot write the stock of an offer, and the offer
 * sells more than the master has.
 */
export function offerWarnings (offer: ShownQuantity, stock: Available | undefined): OfferWarning[] {
  if (!offer.frozenFields.includes('stock')) return []
  const warnings: OfferWarning[] = [{
    code: 'stock-frozen',
    message: 'the seller froze the stock at the marketplace; the hub does not write it'
  }]
  const shown = offer.upstreamQuantity ?? offer.quantity
  if (shown === null || stock === undefined) return warnings
  const left = isOnSale(stock, offer) ? sellable(stock) : 0
  if (shown <= left) return warnings
  return [...warnings, {
    code: 'oversell',
    message: `the marketplace offers ${shown} but the master has ${left} left to sell`
  }]
}

const mostMissingShare = 0.5
const mostMissing = 20

/**
 * Whether missing variants look like a wrong answer of the shop rather than like deleted products.
 * That is so when a sweep saw nothing at all, or when more than twenty variants and more than half
 * of the known ones are missing.
 */
export function isSuspicious ({ known, missing, seen }: { known: number, missing: number, seen: number }): boolean {
  if (missing === 0) return false
  return seen === 0 || (missing > mostMissing && missing > known * mostMissingShare)
}
