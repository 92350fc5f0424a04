import type { Product } from '@linker/sdk'
import type { Transaction } from '../database/database.ts'
import { toStorable } from '../database/storable-json.ts'
import { productIdOf, variantIdOf } from './identity.ts'
import { addProducts, addVariants, storeProduct, storeVariants, type ToldVariant } from './store.ts'

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
    await storeVariants(query, id, variantsById(connectionId, product))
  }
}

/**
 * Returns the variants of a product by their ids. When a variant is named twice, the last one
 * counts: a statement must not write a row twice.
 */
export function variantsById (
  connectionId: string,
  { externalId, isActive, variants }: Product
): ReadonlyMap<string, ToldVariant> {
  return new Map(variants.map(variant => [
    variantIdOf(connectionId, externalId, variant.externalId),
    { ...variant, sellable: variant.sellable ?? isActive }
  ]))
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
