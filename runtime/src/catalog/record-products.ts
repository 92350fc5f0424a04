import type { Product } from '@linker/sdk'
import type { Transaction } from '../database/database.ts'
import { toStorable } from '../database/storable-json.ts'
import { productIdOf, variantIdOf } from './identity.ts'
import { addProducts, addVariants, storeProduct, storeVariants } from './store.ts'

type Writer = Pick<Transaction, 'query'>

/**
 * Writes the products of a master shop. The last reading wins and leaves the offers alone
 * (specification, section 1.6).
 */
export async function recordProducts (
  { query }: Writer,
  connectionId: string,
  products: readonly Product[]
): Promise<void> {
  for (const product of toStorable(products)) {
    const id = productIdOf(connectionId, product.externalId)
    await storeProduct(query, { id, connectionId }, product)
    // A statement must not write a row twice. When a variant is named twice, the last one counts.
    const idOf = (externalId: string): string => variantIdOf(connectionId, product.externalId, externalId)
    const variants = new Map(product.variants.map(variant => [idOf(variant.externalId), variant]))
    await storeVariants(query, id, variants)
  }
}

/** A variant as a stock reading names it. */
export interface Reference {
  connectionId: string
  productExternalId: string
  variantExternalId: string
}

/**
 * Inserts products and variants that stock readings name and the catalog does not know yet. Returns
 * the ids of the new ones.
 */
export async function recordReferences (
  { query }: Writer,
  references: readonly Reference[]
): Promise<{ newProducts: ReadonlySet<string>, newVariants: ReadonlySet<string> }> {
  const rows = references.map(({ connectionId, productExternalId, variantExternalId }) => ({
    product: {
      id: productIdOf(connectionId, productExternalId),
      connection_id: connectionId,
      external_id: productExternalId
    },
    variantId: variantIdOf(connectionId, productExternalId, variantExternalId),
    variantExternalId
  }))
  const products = new Map(rows.map(({ product }) => [product.id, product]))
  const newProducts = await addProducts(query, [...products.values()])
  const newVariants = await addVariants(
    query,
    rows.map(({ product, variantId, variantExternalId }) => ({
      id: variantId,
      product_id: product.id,
      external_id: variantExternalId
    }))
  )
  return { newProducts: new Set(newProducts), newVariants: new Set(newVariants) }
}
