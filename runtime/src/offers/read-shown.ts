import { AdapterErrorCode, ExternalId, isAdapterError, Offer } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { OpenConnection } from '../connections/connections.ts'
import type { Query } from '../database/database.ts'
import { CapabilityNotSupportedException } from '../errors.ts'
import { parseAnswer } from '../jobs/handlers/payload.ts'
import { compareOffers, defaultVisibleAfterMs, findSettled, listSettled, type Comparison } from './compare.ts'

export type CallMarketplace = (capability: 'OfferManager' | 'Marketplace', method: 'listOffers' | 'getOffer', argument: unknown) => Promise<unknown>

/** A page of offers beside what the marketplace shows of them, and where the next one begins. */
export interface ShownPage { comparisons: Comparison[], next?: string }

const pageSize = 200
const singlyAtOnce = 50
const OfferPage = Type.Object({ items: Type.Array(Offer), nextCursor: Type.Optional(ExternalId) })

/** Reads pages of what a marketplace shows: by its list, or offer by offer when it has none. */
export function createShownReader (query: Query, { connection, adapter }: OpenConnection, call: CallMarketplace): (position: string | undefined) => Promise<ShownPage> {
  const capability = (['OfferManager', 'Marketplace'] as const).find(name => connection.capabilities.includes(name))
  if (capability === undefined) throw new CapabilityNotSupportedException(connection.adapterKey, 'OfferManager')
  const { capabilities, offers } = adapter.description
  const visibleAfterMs = offers?.visibleAfterMs ?? defaultVisibleAfterMs
  const canList = capabilities[capability]?.includes('listOffers') === true

  async function readListed (cursor: string | undefined): Promise<ShownPage> {
    const answer = await call(capability ?? 'OfferManager', 'listOffers', { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) })
    const { items, nextCursor } = parseAnswer(OfferPage, `${capability}.listOffers`, answer)
    // After the answer: what was written while it was made is not settled.
    const settled = await findSettled(query, connection.id, visibleAfterMs, items.map(({ externalId }) => externalId))
    return { comparisons: compareOffers(settled, items), ...(nextCursor === undefined ? {} : { next: nextCursor }) }
  }

  async function readSingly (after: string | undefined): Promise<ShownPage> {
    const settled = await listSettled(query, connection.id, visibleAfterMs, after, singlyAtOnce)
    const shown = await Promise.all(settled.map(({ externalId }) => readOffer(externalId)))
    const last = settled.length < singlyAtOnce ? undefined : settled.at(-1)?.id
    return { comparisons: compareOffers(settled, shown.flat()), ...(last === undefined ? {} : { next: last }) }
  }

  async function readOffer (externalId: string): Promise<Offer[]> {
    try {
      return [parseAnswer(Offer, 'OfferManager.getOffer', await call('OfferManager', 'getOffer', externalId))]
    } catch (error) {
      if (isAdapterError(error) && error.code === AdapterErrorCode.notFound) return []
      throw error
    }
  }

  return canList || capability === 'Marketplace' ? readListed : readSingly
}
