import type { Query } from '../../database/database.ts'
import type { LinkState } from './schemas.ts'
import { findCandidates, type OfferedRow } from './store.ts'
import { suggestVariants, type Suggestion } from './suggest.ts'

/** An offer of a marketplace, with the variants that may be its own. */
export interface JudgedOffer {
  offer: OfferedRow
  state: LinkState
  suggestions: Suggestion[]
}

/** Proposes variants for those of the offers that are linked to none. */
export async function judgeOffers (
  query: Query,
  connectionId: string,
  offers: readonly OfferedRow[]
): Promise<JudgedOffer[]> {
  const unlinked = offers.filter(({ offerId }) => offerId === null)
  const candidates = await findCandidates(query, connectionId, unlinked)
  return offers.map(offer => {
    if (offer.offerId !== null) return { offer, state: 'linked', suggestions: [] }
    const suggestions = suggestVariants(offer, candidates.get(offer.externalId) ?? [])
    return { offer, state: stateOf(suggestions), suggestions }
  })
}

function stateOf (suggestions: readonly Suggestion[]): LinkState {
  if (suggestions.some(({ certain }) => certain)) return 'certain'
  return suggestions.length === 0 ? 'none' : 'ambiguous'
}

/** Whether a text occurs in what people know an offer of a marketplace by. */
export function contains ({ externalId, title, reference, sku, ean }: OfferedRow, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return [externalId, title, reference, sku, ean].some(value => value?.toLowerCase().includes(wanted) === true)
}
