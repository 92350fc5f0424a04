import type { Offer } from '@linker/sdk'
import { offerWarnings, type Available, type ListingLimits, type OfferWarning } from '../stock/rules.ts'

/** How long a marketplace may show an offer as it was before a write, unless its adapter says. */
export const defaultVisibleAfterMs = 25 * 60_000

/**
 * An offer without a pending write. Its last write was long enough ago for the marketplace to show
 * it.
 */
export interface SettledOffer extends Available, ListingLimits {
  id: string
  externalId: string
  sent: number | null
  frozenFields: string[]
}

/** A settled offer beside what the marketplace shows of it. */
export interface Comparison {
  offer: SettledOffer
  upstreamQuantity: number
  isFrozen: boolean
}

const largestQuantity = 2_147_483_647

/**
 * Returns a quantity that fits its column. A number beyond the range would fail the statement, and
 * with it the other offers of the page.
 */
export function storableQuantity (quantity: number | undefined): number | undefined {
  return quantity === undefined ? undefined : Math.max(-largestQuantity, Math.min(largestQuantity, quantity))
}

/** Pairs offers with what the marketplace shows. Leaves out offers without a shown quantity. */
export function compareOffers (settled: readonly SettledOffer[], shown: readonly Offer[]): Comparison[] {
  const upstream = new Map(shown.map(offer => [offer.externalId, offer]))
  return settled.flatMap(offer => {
    const { quantity, frozenFields = [] } = upstream.get(offer.externalId) ?? {}
    const upstreamQuantity = storableQuantity(quantity)
    return upstreamQuantity === undefined ? [] : [{ offer, upstreamQuantity, isFrozen: frozenFields.includes('stock') }]
  })
}

/**
 * Whether the hub has to write the offer again. It cannot write frozen stock. It writes thawed
 * stock, because changes during the freeze were never sent.
 */
export function isDifferent ({ offer, upstreamQuantity, isFrozen }: Comparison): boolean {
  const hasThawed = offer.frozenFields.includes('stock') && !isFrozen
  return !isFrozen && (hasThawed || offer.sent !== upstreamQuantity)
}

export function warningsOf ({ offer, upstreamQuantity, isFrozen }: Comparison): OfferWarning[] {
  const { sent: quantity, sellsInactive } = offer
  return offerWarnings({ quantity, upstreamQuantity, frozenFields: isFrozen ? ['stock'] : [], sellsInactive }, offer)
}
