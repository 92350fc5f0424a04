import type { Offer } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import { storableQuantity } from '../compare.ts'
import { marketplaceProblems, type OfferProblem } from '../problem-codes.ts'
import { storeLinks } from './store.ts'

/** An offer that exists at the marketplace and is to follow the stock of a variant. */
export interface NewLink {
  id: string
  variantId: string
  externalId: string
  buffer?: number | undefined
  maxListed?: number | null | undefined
  /** The offer as the marketplace shows it; absent when the hub did not look. */
  shown?: Offer | undefined
  /** Problems that the hub notes itself. */
  problems?: readonly OfferProblem[] | undefined
}

/** Links offers to variants, as the marketplace shows them. Returns the ids of the new links. */
export async function insertLinked (query: Query, connectionId: string, links: readonly NewLink[]): Promise<string[]> {
  return storeLinks(
    query,
    connectionId,
    links.map(({ shown, problems = [], buffer = 0, ...link }) => ({
      ...link,
      buffer,
      isSeen: shown !== undefined,
      reference: shown?.reference,
      sku: shown?.sku,
      ean: shown?.ean,
      status: shown?.status ?? 'ACTIVE',
      upstreamStatus: shown?.upstreamStatus,
      title: shown?.title,
      price: shown?.price,
      upstreamQuantity: storableQuantity(shown?.quantity),
      frozenFields: shown?.frozenFields ?? [],
      problems: [...marketplaceProblems(shown?.problems ?? []), ...problems]
    }))
  )
}
