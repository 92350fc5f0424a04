import { RejectedError } from '@linker/sdk'

/** Checks the id of a product. Another text could widen the filter that it goes into (`1|2`). */
export function productId (externalId: string): string {
  if (!isShopId(externalId)) {
    const given = externalId.slice(0, 64)
    throw new RejectedError(`'${given}' is not a product id of this shop: it must be a positive integer`)
  }
  return externalId
}

/** Whether the text has the form of the shop's ids. */
export function isShopId (externalId: string): boolean {
  return /^[1-9][0-9]{0,9}$/.test(externalId)
}

/** The external id of a product's only variant. A combination has its own id. */
export function simpleVariantId (id: string): string {
  return `product:${id}`
}

/** Returns the shop's id of a variant in its stock rows: 0 for a product without combinations. */
export function attributeId (variantExternalId: string, product: string): string {
  if (variantExternalId === simpleVariantId(product)) return '0'
  if (!isShopId(variantExternalId)) {
    throw new RejectedError(`'${variantExternalId.slice(0, 64)}' is not a variant of product ${product}`)
  }
  return variantExternalId
}
