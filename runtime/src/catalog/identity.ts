import { v5 as uuidv5 } from 'uuid'

const namespace = '7c4f3d2e-2f0a-5f0e-9d43-1b1f2f8f6a10'

/** The id of a product of a master connection, the same at every reading. */
export function productIdOf (connectionId: string, externalId: string): string {
  return uuidv5(JSON.stringify(['product', connectionId, externalId]), namespace)
}

/** The id of a variant of that product. */
export function variantIdOf (connectionId: string, productExternalId: string, variantExternalId: string): string {
  return uuidv5(JSON.stringify(['variant', connectionId, productExternalId, variantExternalId]), namespace)
}
