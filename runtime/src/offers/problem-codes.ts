/** Tells people that an offer needs attention. People read `detail`, the hub reads `code`. */
export interface OfferProblem {
  code: OfferProblemCode
  detail: string
}

export type OfferProblemCode =
  // The marketplace shows it with the offer.
  | 'marketplace'
  | 'never-shown'
  | 'unknown-at-marketplace'
  // The hub notes it itself.
  | 'not-created'
  | 'not-looked-up'
  | 'quantity-refused'
  | 'quantity-not-written'
  | 'change-not-written'
  | 'not-ended'

export function marketplaceProblems (details: readonly string[]): OfferProblem[] {
  return details.map(detail => ({ code: 'marketplace', detail }))
}
