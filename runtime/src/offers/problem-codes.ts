import { Type, type Static } from '@sinclair/typebox'

/** Tells people that an offer needs attention. People read `detail`, the hub reads `code`. */
export interface OfferProblem {
  code: OfferProblemCode
  detail: string
  /** When the hub first noted it, ISO 8601. Only `quantity-refused` has it. */
  since?: string
}

export const OfferProblemCode = Type.Union([
  // The marketplace shows it with the offer.
  Type.Literal('marketplace'),
  Type.Literal('never-shown'),
  Type.Literal('unknown-at-marketplace'),
  // The hub notes it itself.
  Type.Literal('not-created'),
  Type.Literal('not-looked-up'),
  Type.Literal('quantity-refused'),
  Type.Literal('quantity-not-written'),
  Type.Literal('change-not-written'),
  Type.Literal('not-ended')
])
export type OfferProblemCode = Static<typeof OfferProblemCode>

export function marketplaceProblems (details: readonly string[]): OfferProblem[] {
  return details.map(detail => ({ code: 'marketplace', detail }))
}
