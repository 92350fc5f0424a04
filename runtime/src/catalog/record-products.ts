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

/**
 * Inserts products and variants that a stock reading names and the catalog does not know yet.
 * Returns the external ids of new products and the ids of new variants.
 */
export async function recordReferences (
  { query }: Writer,
  connectionId: string,
  references: readonly { productExternalId: string, variantExternalId: string }[]
): Promise<{ newProducts: string[], newVariants: ReadonlySet<string> }> {
  const products = [...new Set(references.map(reference => reference.productExternalId))].map(externalId => ({
    id: productIdOf(connectionId, externalId),
    external_id: externalId
  }))
  const variants = references.map(reference => ({
    id: variantIdOf(connectionId, reference.productExternalId, reference.variantExternalId),
    product_id: productIdOf(connectionId, reference.productExternalId),
    external_id: reference.variantExternalId
  }))
  return {
    newProducts: await addProducts(query, connectionId, products),
    newVariants: new Set(await addVariants(query, variants))
  }
}
