import { ConfigurationError, NotFoundError, TransientError, type StockLevel } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import { simpleVariantId } from '../products/ids.ts'
import { integer, reference, type Row } from '../webservice/row.ts'

export interface StockReading {
  /** Whether the shop has any stock row of the product. */
  hasRows: boolean
  levels: StockLevel[]
  /** Variants whose quantity the shop does not say, with the reason. Unknown is not zero. */
  unknown: { productExternalId: string, variantExternalId: string, reason: string }[]
}

/**
 * Reads the stock of one product's variants from its stock rows. For a product with combinations,
 * only their rows count: its row 0 is their sum, and as a variant it would sell every piece twice.
 */
export function readStockLevels (
  productId: string,
  rows: readonly Row[],
  combinationIds: readonly string[],
  shopId: string | undefined
): StockReading {
  const reading: StockReading = { hasRows: rows.length > 0, levels: [], unknown: [] }
  for (const attribute of combinationIds.length === 0 ? ['0'] : combinationIds) {
    const variantExternalId = attribute === '0' ? simpleVariantId(productId) : attribute
    const candidates = rows.filter(row => reference(row.id_product_attribute) === attribute)
    const row = rowOfShop(productId, candidates, shopId)
    const quantity = integer(row?.quantity)
    if (row === undefined) {
      const reason = shopId === undefined ? 'no stock row' : `no stock row for shop ${shopId}`
      reading.unknown.push({ productExternalId: productId, variantExternalId, reason })
    } else if (quantity === undefined) {
      reading.unknown.push({ productExternalId: productId, variantExternalId, reason: 'its stock row has no quantity' })
    } else {
      reading.levels.push({ productExternalId: productId, variantExternalId, quantity })
    }
  }
  return reading
}

/**
 * Chooses the row of the shop itself, or else the row that its group shares. A sum over shops would
 * sell the same piece in each of them.
 */
export function rowOfShop (productId: string, rows: readonly Row[], shopId: string | undefined): Row | undefined {
  if (shopId !== undefined) {
    const shared = rows.filter(row => reference(row.id_shop) === '0')
    return rows.find(row => reference(row.id_shop) === shopId) ?? (shared.length === 1 ? shared[0] : undefined)
  }
  if (rows.length > 1) {
    const shops = rows.map(row => reference(row.id_shop)).join(', ')
    const remedy = 'set config.shopId to the one that counts'
    throw new ConfigurationError(`product ${productId} has stock in several shops (${shops}): ${remedy}`)
  }
  return rows[0]
}

/**
 * Throws the reason for missing rows, which do not mean zero: the product is gone, or the shop has
 * a gap that it may fill.
 */
export async function explainMissingRows (client: ShopClient, productId: string): Promise<never> {
  if (await client.get('products', productId) === undefined) {
    throw new NotFoundError(`product ${productId} does not exist in the shop`)
  }
  throw new TransientError(`stock rows missing: the shop has product ${productId} but no stock of it`)
}
