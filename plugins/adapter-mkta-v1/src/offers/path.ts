import { RejectedError } from '@linker/sdk'

// At most fifty characters: one stored command holds a thousand ids.
const pattern = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,50}$/

/** Whether the text can be an offer id. The marketplace's own ids are digits. */
export function isOfferId (externalId: string): boolean {
  return pattern.test(externalId)
}

export function offerPath (externalId: string): string {
  if (!isOfferId(externalId)) {
    throw new RejectedError(`'${externalId.toWellFormed().slice(0, 64)}' cannot be the id of an offer`)
  }
  return `sale/product-offers/${externalId}`
}
