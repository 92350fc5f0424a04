import type { SuggestionReason } from './schemas.ts'

/** By what an offer and a variant belong together. `reference`: the offer names the hub's id. */
export type MatchedBy = 'reference' | 'sku' | 'ean'

/** The facts about an unlinked offer by which the hub looks for its variant. */
export interface UnlinkedIdentity {
  reference: string | null
  sku: string | null
  ean: string | null
  /** Whether an operator unlinked it. */
  isReleased: boolean
}

/** A variant that may be the one of an offer. */
export interface Candidate {
  variantId: string
  name: string | null
  sku: string | null
  ean: string | null
  matchedBy: MatchedBy
  /** Whether its shop does not have it any more. */
  isMissing: boolean
  /** Whether another offer of the marketplace sells it. */
  hasOffer: boolean
  /** Whether another unlinked offer of the marketplace matches it as well or better. */
  hasRival: boolean
}

export interface Suggestion extends Pick<Candidate, 'variantId' | 'name' | 'sku' | 'ean' | 'matchedBy'> {
  certain: boolean
  reason: SuggestionReason
}

const ranks: Readonly<Record<MatchedBy, number>> = { reference: 0, sku: 1, ean: 2 }
const mostSuggestions = 5

/**
 * Proposes variants for an offer, the best first. A proposal is certain when exactly one variant
 * and one offer match and nothing contradicts; otherwise its reason says what a person has to look
 * at. The hub's own id counts more than an SKU, and an SKU more than an EAN.
 */
export function suggestVariants (offer: UnlinkedIdentity, candidates: readonly Candidate[]): Suggestion[] {
  const sorted = candidates.toSorted((a, b) =>
    Number(a.isMissing) - Number(b.isMissing) || ranks[a.matchedBy] - ranks[b.matchedBy]
  )
  const variants = sorted.filter(({ variantId }, index) =>
    sorted.findIndex(other => other.variantId === variantId) === index
  )
  return variants.slice(0, mostSuggestions).map(candidate => {
    const { variantId, name, sku, ean, matchedBy } = candidate
    const reason = reasonOf(candidate, { offer, sorted, variants })
    return { variantId, name, sku, ean, matchedBy, certain: reason === 'only-match', reason }
  })
}

interface Judged {
  offer: UnlinkedIdentity
  /** All matches: a variant once for each value that matches it. */
  sorted: readonly Candidate[]
  /** Each variant once, with the best of its matches. */
  variants: readonly Candidate[]
}

function reasonOf (candidate: Candidate, { offer, sorted, variants }: Judged): SuggestionReason {
  if (offer.isReleased) return 'unlinked-by-operator'
  if (candidate.isMissing) return 'variant-missing'
  const present = variants.filter(({ isMissing }) => !isMissing)
  const best = present.filter(({ matchedBy }) => matchedBy === present[0]?.matchedBy)
  if (!best.includes(candidate)) return disagree(best, sorted) ? 'matches-disagree' : 'better-match'
  if (best.length > 1) return 'several-variants'
  if (disagree(best, sorted)) return 'matches-disagree'
  if (candidate.hasOffer) return 'variant-has-offer'
  if (candidate.hasRival) return 'several-offers'
  return contradictionOf(candidate, offer) ?? 'only-match'
}

/** Whether the SKU of an offer names one variant and its EAN names others. */
function disagree (best: readonly Candidate[], sorted: readonly Candidate[]): boolean {
  if (best[0]?.matchedBy !== 'sku') return false
  const byEan = sorted.filter(({ matchedBy, isMissing, ean }) => matchedBy === 'ean' && !isMissing && eanOf(ean) !== '')
  return byEan.length > 0 && !byEan.some(({ variantId }) => best.some(other => other.variantId === variantId))
}

function contradictionOf (candidate: Candidate, offer: UnlinkedIdentity): SuggestionReason | undefined {
  switch (candidate.matchedBy) {
    // The hub gave the offer this id itself; the shop may have changed the SKU since.
    case 'reference':
      return undefined
    case 'sku':
      if (areDifferent(eanOf(candidate.ean), eanOf(offer.ean))) return 'other-ean'
      return isWritten(candidate.sku, [offer.sku, offer.reference]) ? undefined : 'not-exact'
    case 'ean':
      // People also write texts such as 'N/A' in the place of an EAN.
      if (!hasSameEan(candidate, offer)) return 'not-exact'
      // A pack of several pieces often has the EAN of the piece, and another SKU.
      return areDifferent(textOf(candidate.sku), textOf(offer.sku)) ? 'other-sku' : undefined
  }
}

/** Whether one of the texts is exactly the wanted one, apart from blanks around it. */
function isWritten (wanted: string | null, texts: readonly (string | null)[]): boolean {
  return wanted !== null && texts.some(text => text?.trim() === wanted.trim())
}

function areDifferent (one: string, other: string): boolean {
  return one !== '' && other !== '' && one !== other
}

function textOf (text: string | null): string {
  return (text ?? '').trim().toLowerCase()
}

/**
 * Returns an EAN without the zeros before it, because a UPC is an EAN with a zero before it. Empty:
 * the text is no EAN.
 */
function eanOf (text: string | null): string {
  const ean = (text ?? '').trim()
  return /^\d{8,14}$/.test(ean) ? ean.replace(/^0+/, '') : ''
}

function hasSameEan (candidate: Candidate, { ean, reference }: UnlinkedIdentity): boolean {
  const wanted = eanOf(candidate.ean)
  return wanted !== '' && [ean, reference].some(text => eanOf(text) === wanted)
}
