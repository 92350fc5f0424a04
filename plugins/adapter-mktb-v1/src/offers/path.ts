import { RejectedError } from '@linker/sdk'

const longestExternalId = 1_023

export function isExternalId (text: string): boolean {
  // A lone surrogate cannot be encoded. Dots are not escaped in a path, so `.` and `..` would leave
  // the collection.
  const isUsable = !['', '.', '..'].includes(text)
  return isUsable && text.isWellFormed() && text.length <= longestExternalId
}

export function productPath (externalId: string): string {
  if (!isExternalId(externalId)) {
    throw new RejectedError(`'${externalId.toWellFormed().slice(0, 64)}' cannot be the external id of an offer`)
  }
  return `products/${encodeURIComponent(externalId)}`
}
