import { RejectedError } from '@linker/sdk'

// Fifty characters, of which a thousand fit into one record of a command.
const pattern = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,50}$/

/** Whether it can be the id of an offer, which the marketplace makes of digits. */
export function isOfferId (externalId: string): boolean {
  return pattern.test(externalId)
}

export function offerPath (externalId: string): string {
  if (!isOfferId(externalId)) {
    throw new RejectedError(`'${externalId.toWellFormed().slice(0, 64)}' cannot be the id of an offer`)
  }
  return `sale/product-offers/${externalId}`
}
