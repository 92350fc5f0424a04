/** A variant that may be the one of an offer. */
export interface Candidate {
  variantId: string
  name: string | null
  sku: string | null
  ean: string | null
  /** Why the hub suggests it. Absent: a person searched for it. */
  because?: string
  isCertain?: boolean
}

interface Suggestion extends Pick<Candidate, 'variantId' | 'name' | 'sku' | 'ean'> {
  matchedBy: string
  certain: boolean
  reason: string
}

const matches: Readonly<Record<string, string>> = {
  reference: "the seller's own id matches",
  sku: 'the same SKU',
  ean: 'the same EAN'
}

const doubts: Readonly<Record<string, string>> = {
  'several-variants': 'other variants match, too',
  'several-offers': 'another unlinked offer matches as well or better',
  'variant-has-offer': 'another offer of this marketplace is linked to it',
  'matches-disagree': 'the SKU and the EAN name different variants',
  'other-ean': 'the EANs differ',
  'other-sku': 'the SKUs differ',
  'not-exact': 'not quite the same',
  'better-match': 'another variant matches better',
  'variant-missing': 'the shop does not have it any more',
  'unlinked-by-operator': 'somebody unlinked the offer from a variant'
}

/** Returns the suggestions of the hub for a person to choose from. */
export function toCandidates (suggestions: readonly Suggestion[]): Candidate[] {
  return suggestions.map(({ variantId, name, sku, ean, matchedBy, certain, reason }) => {
    const match = matches[matchedBy] ?? matchedBy
    const doubt = certain ? undefined : doubts[reason] ?? reason
    return {
      variantId,
      name,
      sku,
      ean,
      because: doubt === undefined ? match : `${match}, but ${doubt}`,
      isCertain: certain
    }
  })
}

/** A variant in one line, such as `Mug Red · SKU-27-R · EAN 5901234123457`. */
export function nameOfVariant ({ name, sku, ean }: Pick<Candidate, 'name' | 'sku' | 'ean'>): string {
  const parts = [name, sku, ean === null ? null : `EAN ${ean}`].filter(part => part !== null && part !== '')
  return parts.length === 0 ? 'a variant without a name' : parts.join(' · ')
}
