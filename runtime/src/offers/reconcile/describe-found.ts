import type { Money, Offer } from '@linker/sdk'
import type { OfferStatus } from '../entity.ts'
import type { RefreshedOffer } from './store.ts'

/** A reading of one offer, beside what the hub knew of the offer. */
export interface FoundOffer {
  externalId: string
  readAt: string
  /** Whether the marketplace has the offer. */
  exists: boolean
  status: Offer['status'] | null
  upstreamStatus: string | null
  /** Null: the marketplace does not tell it. */
  quantity: number | null
  price: Money | null
  frozenFields: string[]
  /** The values that the hub last wrote, or saw when it wrote nothing. */
  hub: {
    status: OfferStatus,
    quantity: number | null,
    price: Money | null,
    /** When the quantity was written. */
    writtenAt: string | null
  }
  /**
   * The members in which the marketplace and the hub differ. A member that one of them does not
   * tell is never named.
   */
  differs: ('status' | 'quantity' | 'price')[]
  /**
   * Until when the marketplace may show the state before the last write. The hub writes nothing
   * again before. Null: no longer.
   */
  staleUntil: string | null
  /**
   * Whether the quantity differs only because it may be from before the last write. False for one
   * that neither the hub wrote nor the marketplace showed shortly before: somebody changed it.
   */
  quantityMayBeOlder: boolean
}

/**
 * Compares an offer with what the marketplace shows of it. Undefined: it does not have it.
 * `mayBeOlder`: whether the quantity may be from before the last write, if the hub found out.
 */
export function describeFound (
  offer: RefreshedOffer,
  shown: Offer | undefined,
  now: Date,
  mayBeOlder: boolean = offer.staleUntil !== null
): FoundOffer {
  const { externalId, status, quantity, price, writtenAt, staleUntil } = offer
  const there = {
    status: shown?.status ?? null,
    quantity: shown?.quantity ?? null,
    price: shown?.price ?? null
  }
  const hasOtherQuantity = isOther(quantity, there.quantity)
  // A draft is an offer that the marketplace was not seen to show yet.
  const hasOtherStatus = there.status !== null && status !== 'DRAFT' && there.status !== status
  return {
    externalId,
    readAt: now.toISOString(),
    exists: shown !== undefined,
    ...there,
    upstreamStatus: shown?.upstreamStatus ?? null,
    frozenFields: shown?.frozenFields ?? [],
    hub: { status, quantity, price, writtenAt },
    differs: [
      ...hasOtherStatus ? ['status' as const] : [],
      ...hasOtherQuantity ? ['quantity' as const] : [],
      ...isOther(amountOf(price), amountOf(there.price)) ? ['price' as const] : []
    ],
    staleUntil,
    quantityMayBeOlder: hasOtherQuantity && mayBeOlder
  }
}

function isOther<Value> (ours: Value | null, theirs: Value | null): boolean {
  return ours !== null && theirs !== null && ours !== theirs
}

/** Returns a price as a text that is the same for `9.9` and `9.90`. */
function amountOf (price: Money | null): string | null {
  if (price === null) return null
  const amount = price.amount.includes('.') ? price.amount.replace(/\.?0+$/, '') : price.amount
  return `${amount} ${price.currency}`
}
