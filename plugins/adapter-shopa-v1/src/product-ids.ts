import { RejectedError } from '@linker/sdk'

/** The id of a product. Anything else could widen the filter that it goes into (`1|2`). */
export function productId (externalId: string): string {
  if (!isShopId(externalId)) {
    throw new RejectedError(`'${
      externalId.slice(0, 64)
    }' is no product id of this shop: a positive integer is expected`)
  }
  return externalId
}

/** Whether it is an id as the shop writes it. */
export function isShopId (externalId: string): boolean {
  return /^[1-9][0-9]{0,9}$/.test(externalId)
}

/**
 * External id of the only variant of a product without combinations. Combinations go by their own
 * id.
 */
export function simpleVariantId (id: string): string {
  return `product:${id}`
}

/** The shop's id of a variant in its stock rows: 0 for a product without combinations. */
export function attributeId (variantExternalId: string, product: string): string {
  if (variantExternalId === simpleVariantId(product)) return '0'
  if (!isShopId(variantExternalId)) {
    throw new RejectedError(`'${variantExternalId.slice(0, 64)}' is no variant of product ${product}`)
  }
  return variantExternalId
}
