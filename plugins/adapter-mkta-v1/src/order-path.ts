import { RejectedError } from '@linker/sdk'

export function orderPath (externalId: string): string {
  // What is no name of one segment would address something else.
  if (!externalId.isWellFormed() || ['', '.', '..'].includes(externalId)) {
    throw new RejectedError(`'${externalId.toWellFormed().slice(0, 64)}' cannot be the id of an order`)
  }
  return `order/checkout-forms/${encodeURIComponent(externalId)}`
}
