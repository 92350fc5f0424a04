import type { Offer } from '@linker/sdk'
import { judgeOffers } from '../../../src/offers/marketplace/judge-offers.ts'
import { findOffered } from '../../../src/offers/marketplace/store.ts'
import { storeUnlinked } from '../../../src/offers/unlinked/store.ts'
import type { Jobs } from '../../jobs/support.ts'
import { openMarket, type Market } from '../market.ts'

export interface Stand extends Market {
  /** Gives a variant names. */
  name(variant: string, names: { name?: string, sku?: string, ean?: string }): Promise<void>
  /** Has the marketplace show an offer that no variant is linked to. */
  show(externalId: string, more?: Partial<Offer>): Promise<void>
  /** The state of an offer, and the variant and reason of each suggestion. */
  judge(externalId: string): Promise<[state: string, ...suggestions: string[]]>
}

/** A marketplace with unlinked offers, and a shop with named variants of one product. */
export async function openStand (jobs: Jobs, variants: readonly [string, ...string[]] = ['v', 'w']): Promise<Stand> {
  const { query } = jobs.database
  const place = await openMarket(jobs, variants)
  const names = new Map(variants.map(variant => [place.variantIdOf(variant), variant]))
  return {
    ...place,
    async name (variant, { name = null, sku = null, ean = null }: Record<string, string | null> = {}) {
      await query('update variants set name = $2, sku = $3, ean = $4 where id = $1', [
        place.variantIdOf(variant),
        name,
        sku,
        ean
      ])
    },
    show: (externalId, more) =>
      storeUnlinked(query, place.market, [{
        externalId,
        status: 'ACTIVE',
        frozenFields: [],
        problems: [],
        ...more
      }]),
    async judge (externalId) {
      const rows = await findOffered(query, place.market, [externalId])
      const [judged] = await judgeOffers(query, place.market, rows)
      if (judged === undefined) throw new Error(`the marketplace does not show ${externalId}`)
      return [
        judged.state,
        ...judged.suggestions.map(({ variantId, matchedBy, reason }) =>
          `${names.get(variantId)} ${matchedBy} ${reason}`
        )
      ]
    }
  }
}
