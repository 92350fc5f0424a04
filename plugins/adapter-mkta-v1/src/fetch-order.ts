import { isAdapterError, RejectedError, type HttpClient } from '@linker/sdk'
import { orderPath } from './order-path.ts'

/** An order as the marketplace describes it. */
export function fetchOrder (http: HttpClient, externalId: string): Promise<unknown> {
  const path = orderPath(externalId)
  return ofOwnOrder(http, externalId, () => http.json({ method: 'GET', path }))
}

/**
 * Reads something of an order. A 403 says that the token lacks a permission, which stops the whole
 * connection, or that the order is another seller's, which must not. Whoever may list the seller's
 * orders has the permission. After a read, a 403 for a write is about the permission to write.
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
    await http.json({ method: 'GET', path: 'order/checkout-forms', query: { limit: 1 } })
    throw new RejectedError(`order ${externalId} belongs to another seller`, { status: 403, cause: error })
  }
}
