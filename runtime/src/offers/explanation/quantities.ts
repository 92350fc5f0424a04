import { publishedQuantity } from '../../stock/rules.ts'
import type { LinkedFacts, OfferFacts } from './facts.ts'
import { momentOf } from './finding.ts'

/** The quantities of an offer, and whether they belong together. */
export interface Quantities {
  /** The quantity that the offer should show. Null: the stock was never read. */
  wanted: number | null
  /** The quantity that the hub last wrote. */
  written: number | null
  /** The quantity that the marketplace showed since then. */
  shown: number | null
  /** Whether the last version of the stock and of the link was written. */
  isCurrent: boolean
  /** Whether the request that created the offer chose another quantity, which still holds. */
  isChosen: boolean
  /** Whether the hub waits for the offer to be made at the marketplace, or could not make it. */
  isUnmade: boolean
  /** Whether the marketplace refused the last quantity, at once or later. */
  isRefused: boolean
  /** Whether the marketplace shows another quantity than the hub wrote. */
  isChanged: boolean
}

export function quantitiesOf ({ offer, stock }: LinkedFacts): Quantities {
  const { quantity: written, upstreamQuantity: shown } = offer
  const isFrozen = offer.frozenFields.includes('stock')
  const listed = stock === null ? null : publishedQuantity(stock, offer)
  const isCurrent = stock !== null && offer.stockVersion === stock.version &&
    offer.sentLinkVersion === offer.linkVersion
  const isChosen = isCurrent && !isFrozen && written !== null && written !== listed
  const expected = written ?? (isCurrent ? listed : null)
  return {
    wanted: isChosen ? written : listed,
    written,
    shown,
    isCurrent,
    isChosen,
    isUnmade: isUnmade(offer),
    isRefused: written === null && offer.problems.some(({ code }) => code === 'quantity-refused'),
    isChanged: !isFrozen && shown !== null && expected !== null && shown !== expected
  }
}

/** Whether the hub waits for an offer to be made at the marketplace, or could not make it. */
export function isUnmade ({ status, createdUpstreamAt }: OfferFacts): boolean {
  return status === 'FAILED' || (status === 'DRAFT' && createdUpstreamAt === null)
}

/** Until when the marketplace may show the state before the last write. Null: no longer. */
export function endOfLag ({ offer: { lastSyncedAt }, visibleAfterMs, checkedAt }: LinkedFacts): string | null {
  if (lastSyncedAt === null) return null
  const endMs = Date.parse(lastSyncedAt) + visibleAfterMs
  return endMs > Date.parse(checkedAt) ? new Date(endMs).toISOString() : null
}

/** Tells the quantity that was read since the write and may be from before it, if there is one. */
export function readWithinLag ({ offer: { lagQuantity, lagReadAt }, checkedAt }: LinkedFacts): string | undefined {
  return lagQuantity === null || lagReadAt === null
    ? undefined
    : `read at ${momentOf(lagReadAt, checkedAt)}: ${lagQuantity}, which may be from before the write`
}

/**
 * Since when the quantity in the shop is confirmed. A complete sweep confirms every variant that
 * the hub knew when it began, and writes only those that changed.
 */
export function confirmedAt ({ stock, variant, shop: { lastCompleteSweep } }: LinkedFacts): string | null {
  if (stock === null) return null
  const sweptAt = lastCompleteSweep?.startedAt ?? ''
  return sweptAt > stock.readAt && sweptAt > variant.createdAt ? sweptAt : stock.readAt
}
