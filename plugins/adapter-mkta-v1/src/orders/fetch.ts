import { isAdapterError, RejectedError, type HttpClient } from '@linker/sdk'
import { orderPath } from './path.ts'

export function fetchOrder (http: HttpClient, externalId: string): Promise<unknown> {
  const path = orderPath(externalId)
  return ofOwnOrder(http, externalId, () => http.get(path))
}

/**
 * Reads a part of an order. A 403 means one of two things: the token lacks a permission, which
 * stops the whole connection, or the order belongs to another seller, which must not stop it. A
 * token that may list the seller's orders has the permission to read. A 403 for a write that
 * follows a read is about the permission to write.
 */
export async function ofOwnOrder<Answer> (
  http: HttpClient,
  externalId: string,
  read: () => Promise<Answer>
): Promise<Answer> {
  try {
    return await read()
  } catch (error) {
    if (!isAdapterError(error) || error.status !== 403) throw error
    await http.get('order/checkout-forms', { query: { limit: 1 } })
    throw new RejectedError(`order ${externalId} belongs to another seller`, { status: 403, cause: error })
  }
}
