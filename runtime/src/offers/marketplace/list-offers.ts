import { readNames } from '../../catalog/store.ts'
import type { Query } from '../../database/database.ts'
import { contains, judgeOffers, type JudgedOffer } from './judge-offers.ts'
import type { MarketplaceOffer, MarketplaceOfferQuery } from './schemas.ts'
import { listOffered, type OfferedRow } from './store.ts'

export interface MarketplaceOfferPage {
  offers: MarketplaceOffer[]
  /** The id after which the next page begins; undefined when there is none. */
  next: string | undefined
}

type Filter = Pick<MarketplaceOfferQuery, 'state' | 'q' | 'limit'> & { after?: string | undefined }

const readAtOnce = 500
/** Offers that one page looks at. */
const mostScanned = 10_000

/**
 * Lists the offers that a marketplace showed at its last comparison, by their ids there. A page
 * that a filter makes short may still have a next one.
 */
export async function listMarketplaceOffers (
  query: Query,
  connectionId: string,
  { state, q, limit, after = '' }: Filter
): Promise<MarketplaceOfferPage> {
  const only = partOf(state)
  const isFiltered = q !== undefined || (state !== undefined && state !== only)
  const atOnce = isFiltered ? readAtOnce : limit
  const found: JudgedOffer[] = []
  let reached = after
  for (let scanned = 0; scanned < mostScanned; scanned += atOnce) {
    const rows = await listOffered(query, connectionId, { after: reached, limit: atOnce, only })
    const wanted = q === undefined ? rows : rows.filter(row => contains(row, q))
    const judged = await judgeOffers(query, connectionId, wanted)
    found.push(...judged.filter(offer => state === undefined || state === only || offer.state === state))
    reached = rows.at(-1)?.externalId ?? reached
    const isEnd = rows.length < atOnce
    if (found.length >= limit || isEnd) {
      const page = found.slice(0, limit)
      const hasMore = !isEnd || found.length > limit
      return { offers: await describe(query, page), next: hasMore ? page.at(-1)?.offer.externalId : undefined }
    }
  }
  return { offers: await describe(query, found), next: reached }
}

/** The part of the offers in which those of a state are. */
function partOf (state: MarketplaceOfferQuery['state']): 'linked' | 'unlinked' | undefined {
  if (state === undefined || state === 'linked') return state
  return 'unlinked'
}

async function describe (query: Query, judged: readonly JudgedOffer[]): Promise<MarketplaceOffer[]> {
  const names = await readNames(query, judged.flatMap(({ offer }) => offer.variantId ?? []))
  return judged.map(({ offer, state, suggestions }) => ({
    ...shownOf(offer),
    link: {
      state,
      offerId: offer.offerId,
      variant: offer.variantId === null ? null : names.get(offer.variantId) ?? null,
      suggestions
    }
  }))
}

function shownOf (row: OfferedRow): Omit<MarketplaceOffer, 'link'> {
  const { offerId: _offerId, variantId: _variantId, isReleased: _isReleased, ...shown } = row
  return shown
}
