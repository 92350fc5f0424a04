import type { FieldError, NewOffer } from '@linker/sdk'
import type { Static } from '@sinclair/typebox'
import type { OpenConnection } from '../../connections/open-connection.ts'
import type { Query } from '../../database/database.ts'
import type { ProblemDetail } from '../../http/problem.ts'
import type { RequestIds } from '../../http/request-ids.ts'
import type { OfferChecks } from '../check-offers.ts'
import type { createOffer } from '../jobs.ts'
import { refuse } from '../refuse.ts'
import { readListed } from './listed-variants.ts'
import { draftOffer, toListingPointer } from './new-offer.ts'
import type { Listing } from './schemas.ts'

/** A variant to list. */
export interface Wanted {
  variantId: string
  listing: Listing
  /** Pointer to the member of the request that names the variant. */
  subject: string
  /** Translates a pointer into the listing to a pointer into the request. */
  locate(pointer: string): string
}

/** An offer that may be created, and its job. */
export interface Prepared {
  variantId: string
  offer: NewOffer
  /** The key of the job that creates the offer. */
  key: string
  payload: Omit<CreationPayload, 'offerId'>
}

type CreationPayload = Static<typeof createOffer.payload>

/**
 * Returns the offers of variants. Throws `InvalidOfferError` when a variant is unknown, or when the
 * hub or the adapter finds a problem.
 */
export async function prepareOffers (
  { query, checks }: { query: Query, checks: OfferChecks },
  opened: OpenConnection,
  wanted: readonly Wanted[],
  request: RequestIds
): Promise<Prepared[]> {
  const variants = await readListed(query, opened.connection.id, wanted.map(({ variantId }) => variantId))
  const drafts = wanted.flatMap(item => {
    const variant = variants.get(item.variantId)
    return variant === undefined ? [] : [{ item, ...draftOffer(variant, item.listing) }]
  })
  const unknown = wanted.filter(({ variantId }) => !variants.has(variantId))
  const offers = drafts.map(({ offer }) => offer)
  const found = offers.length === 0 ? [] : await checks.ofNew(opened, offers, request.requestId)
  refuse([
    ...unknown.map(unknownVariant),
    ...drafts.flatMap(({ item, problems }, index) => locateProblems(item, problems, found[index] ?? []))
  ])
  return drafts.map(({ item: { variantId, listing }, offer }) => ({
    variantId,
    offer,
    key: creationKey(request.operationId, variantId),
    payload: creationPayload(listing, offer)
  }))
}

/** The idempotency key of a creation: a repeated request makes no second job for an offer. */
export function creationKey (operationId: string, variantId: string): string {
  return `api:offer-create:${operationId}:${variantId}`
}

/** Without a quantity of the operator, the job reads the stock when it creates the offer. */
function creationPayload (
  listing: Listing,
  { externalId: _key, quantity, ...offer }: NewOffer
): Omit<CreationPayload, 'offerId'> {
  return { offer, quantity: listing.stock === undefined ? undefined : quantity }
}

function unknownVariant ({ variantId, subject }: Wanted): ProblemDetail {
  return { pointer: subject, code: 'unknown', message: `the catalog has no variant '${variantId}'` }
}

/** Returns the problems that the hub and the adapter found, with pointers into the request. */
function locateProblems (item: Wanted, own: readonly FieldError[], found: readonly FieldError[]): ProblemDetail[] {
  const { listing, subject, locate } = item
  // Ignore what the adapter says of a stand-in: the hub reports the missing value itself.
  const isStandIn = (pointer: string): boolean => {
    return pointer !== '' && own.some(known => isWithin(known.pointer, pointer) || isWithin(pointer, known.pointer))
  }
  const others = found.flatMap(problem => {
    const pointer = toListingPointer(problem.pointer, listing)
    const member = problem.pointer.slice(1)
    if (pointer === undefined) return [{ ...problem, pointer: subject, message: `${member}: ${problem.message}` }]
    return isStandIn(pointer) ? [] : [{ ...problem, pointer: locate(pointer) }]
  })
  return [...own.map(problem => ({ ...problem, pointer: locate(problem.pointer) })), ...others]
}

function isWithin (inner: string, outer: string): boolean {
  return `${inner}/`.startsWith(`${outer}/`)
}
