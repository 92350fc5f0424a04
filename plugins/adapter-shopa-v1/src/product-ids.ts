import { RejectedError } from '@linker/sdk'

/** The id as the shop writes it. Anything else could widen the filter that it goes into (`1|2`). */
export function productId (externalId: string): string {
  if (!isProductId(externalId)) {
    throw new RejectedError(`'${externalId.slice(0, 64)}' is no product id of this shop: a positive integer is expected`)
  }
  return externalId
}

export function isProductId (externalId: string): boolean {
  return /^[1-9][0-9]{0,9}$/.test(externalId)
}

/** External id of the only variant of a product without combinations. Combinations go by their own id. */
export function simpleVariantId (id: string): string {
  return `product:${id}`
}
