import type { OfferExplanation } from '../offers/explanation/schemas.ts'
import type { OfferView } from '../offers/schemas.ts'
import { formatTable } from '../terminal/table.ts'
import { isUuid } from '../text-patterns.ts'
import { readConnectionNames } from './connection-name.ts'
import { completeId } from './find-id.ts'
import { HubError, type HubClient } from './hub-client.ts'

/** The argument of commands that work on one offer. */
export const offerArgument = [
  '<offer>',
  'id of the offer in the hub or its beginning, its id at the marketplace, or the SKU or EAN'
] as const

/** An offer, be it linked to a variant or not. */
type Found = Pick<OfferView, 'id' | 'connectionId' | 'externalId'> & { status: string }

/** The most offers that a question to the hub returns, and that an error lists. */
const most = 20

/**
 * Returns the id of the offer that a text names: by the hub's id or the marketplace's, or by the
 * SKU or EAN of its variant; an unlinked offer by the SKU or EAN that it shows. Throws when no
 * offer has the text, or when several have it.
 */
export async function findOffer (
  hub: HubClient,
  text: string,
  { connectionId, isLinked = false }: {
    connectionId?: string | undefined,
    /** Only an offer that is linked to a variant. */
    isLinked?: boolean
  } = {}
): Promise<string> {
  const ask = async (path: string, query: Record<string, string>): Promise<Found[]> =>
    await hub.list(path, { ...query, connectionId }, most) as Found[]
  const asked = await Promise.all([
    isUuid(text) ? findById(hub, text, isLinked) : [],
    ...['/offers', ...isLinked ? [] : ['/offers/unlinked']].flatMap(path =>
      ['externalId', 'sku', 'ean'].map(name => ask(path, { [name]: text }))
    )
  ])
  const known = asked.flat().filter(offer => connectionId === undefined || offer.connectionId === connectionId)
  const found = [...new Map(known.map(offer => [offer.id, offer])).values()]
  const [only, ...others] = found
  if (only === undefined) {
    const id = await completeId(hub, isLinked ? ['offer'] : ['offer', 'unlinked-offer'], text)
    if (id !== text) return id
    const where = connectionId === undefined ? '' : ' on this connection'
    throw new HubError(`no offer${where} has the id, SKU or EAN '${text}'`)
  }
  if (others.length > 0) throw await severalError(hub, text, found)
  return only.id
}

async function findById (hub: HubClient, id: string, isLinked: boolean): Promise<Found[]> {
  const linked = await readIfThere(hub, `/offers/${id}`) as Found | undefined
  if (linked !== undefined) return [linked]
  if (isLinked) return []
  const unlinked = await readIfThere(hub, `/offers/${id}/explanation`) as OfferExplanation | undefined
  if (unlinked === undefined) return []
  const { offerId, externalId, connection } = unlinked
  return [{ id: offerId, externalId, connectionId: connection.id, status: 'unlinked' }]
}

async function readIfThere (hub: HubClient, path: string): Promise<unknown> {
  try {
    return await hub.call('GET', path)
  } catch (error) {
    if (error instanceof HubError && error.problem?.code === 'LNK_OFFER_NOT_FOUND') return undefined
    throw error
  }
}

async function severalError (hub: HubClient, text: string, found: readonly Found[]): Promise<HubError> {
  const names = await readConnectionNames(hub)
  const rows = found.slice(0, most).map(({ id, connectionId, externalId, status }) => [
    id,
    names.get(connectionId) ?? connectionId,
    externalId,
    status
  ])
  const count = found.length >= most ? `at least ${found.length}` : String(found.length)
  return new HubError(`${count} offers have the id, SKU or EAN '${text}'; give the id of one:\n${
    formatTable(['offer', 'connection', 'at marketplace', 'status'], rows)
  }`)
}
