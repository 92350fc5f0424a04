import { RejectedError } from '@linker/sdk'

export function orderPath (externalId: string): string {
  // A text that is not one path segment would address another resource.
  if (!externalId.isWellFormed() || ['', '.', '..'].includes(externalId)) {
    throw new RejectedError(`'${externalId.toWellFormed().slice(0, 64)}' cannot be the id of an order`)
  }
  return `orders/${encodeURIComponent(externalId)}`
}
