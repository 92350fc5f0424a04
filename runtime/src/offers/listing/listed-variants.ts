import type { Query } from '../../database/database.ts'
import { isOnSale, publishedQuantity } from '../../stock/rules.ts'
import type { ListedVariant } from './new-offer.ts'
import { readVariants, type VariantRow } from './store.ts'

/**
 * Returns variants by id, with all that an offer of a connection is made of. Leaves out variants
 * that the master does not have any more.
 */
export async function readListed (
  query: Query,
  connectionId: string,
  variantIds: readonly string[]
): Promise<ReadonlyMap<string, ListedVariant>> {
  const rows = await readVariants(query, connectionId, variantIds)
  return new Map(rows.map(row => [row.variantId, toListed(row)]))
}

function toListed ({ stock, reserved, isCounted, isSellable, confirmedQuantity, sellsInactive, ...row }:
  VariantRow): ListedVariant
{
  const variant = { ...row, isOnSale: isOnSale({ isSellable }, { sellsInactive }) }
  if (stock === null) return { ...variant, quantity: null }
  const available = { quantity: stock, reserved: reserved ?? 0, isCounted, isSellable, confirmedQuantity }
  return { ...variant, quantity: publishedQuantity(available, { buffer: 0, maxListed: null, sellsInactive }) }
}
