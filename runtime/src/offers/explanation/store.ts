import type { Query } from '../../database/database.ts'
import type { OfferFacts, ShopFacts, StockFacts, UnlinkedOfferFacts, VariantFacts } from './facts.ts'
import { selectExplained, selectUnlinkedOffer } from './statements.ts'

/** An offer with its variant, the stock of that, and its shop. */
export interface ExplainedRow {
  checkedAt: string
  offer: OfferFacts
  variant: VariantFacts
  /** Null: it was never read. */
  stock: StockFacts | null
  shop: Pick<ShopFacts, 'id' | 'name' | 'deletedAt'>
}

/** Reads a linked offer. Undefined: no offer has this id. */
export async function readExplained (query: Query, id: string): Promise<ExplainedRow | undefined> {
  const [row] = await query<ExplainedRow>(selectExplained, [id])
  return row
}

/** Reads an offer that is linked to no variant. */
export async function readUnlinkedOffer (
  query: Query,
  id: string
): Promise<{ checkedAt: string, offer: UnlinkedOfferFacts } | undefined> {
  const [row] = await query<{ checkedAt: string, offer: UnlinkedOfferFacts }>(selectUnlinkedOffer, [id])
  return row
}
