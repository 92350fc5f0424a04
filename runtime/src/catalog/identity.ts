import { hash } from 'node:crypto'

const namespace = Buffer.from('7c4f3d2e2f0a5f0e9d431b1f2f8f6a10', 'hex')

/** The id of a product of a master connection, the same at every reading. */
export function productIdOf (connectionId: string, externalId: string): string {
  return nameBasedId(JSON.stringify(['product', connectionId, externalId]))
}

/** The id of a variant of a product, the same at every reading. */
export function variantIdOf (connectionId: string, productExternalId: string, variantExternalId: string): string {
  return nameBasedId(JSON.stringify(['variant', connectionId, productExternalId, variantExternalId]))
}

/** The id of a stock that variants of a master connection share, the same at every reading. */
export function sharedStockIdOf (connectionId: string, sharedStockId: string): string {
  return nameBasedId(JSON.stringify(['stock', connectionId, sharedStockId]))
}

/**
 * A UUID of version 5 (RFC 9562). The package `uuid` would leave a buffer outside the heap with
 * each id, which only a full collection removes; a sweep makes an id for each variant of a shop.
 */
function nameBasedId (name: string): string {
  const hex = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32)
  ]
  return parts.join('-')
}
