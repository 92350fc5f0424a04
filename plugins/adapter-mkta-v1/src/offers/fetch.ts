import { isAdapterError, RejectedError, type HttpClient } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { offerPath } from './path.ts'

const List = Type.Object({ offers: Type.Array(Type.Unknown()) })

export function fetchOffer (http: HttpClient, externalId: string): Promise<unknown> {
  const path = offerPath(externalId)
  return ofOwnOffer(http, externalId, () => http.json({ method: 'GET', path }))
}

/**
 * A 403 means one of two things: the token lacks a permission, which stops the whole connection, or
 * the offer belongs to another seller, which must not stop it. The list of the seller's own offers
 * tells which.
 */
export async function ofOwnOffer<Answer> (
  http: HttpClient,
  externalId: string,
  send: () => Promise<Answer>
): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    if (!isAdapterError(error) || error.status !== 403) throw error
    const query = { 'offer.id': externalId, limit: 1 }
    const { offers } = await http.get('sale/offers', { query, as: List })
    if (offers.length > 0) throw error
    throw new RejectedError(`offer ${externalId} belongs to another seller`, { status: 403, cause: error })
  }
}
