import { TransientError, type HttpClient, type Offer, type Page, type PageRequest } from '@linker/sdk'
import type { MarketplaceContext } from '../config.ts'
import { offerMembers, readOffer } from './read.ts'

const largestPage = 200

/**
 * Lists one page of the seller's offers, sorted by key. The cursor is the last key of the page
 * before: a position would move with every offer that is added.
 */
export async function listOffers (
  http: HttpClient,
  { log }: MarketplaceContext,
  { cursor, limit: wanted }: PageRequest
): Promise<Page<Offer>> {
  const limit = Math.min(Math.max(1, wanted), largestPage)
  const pagination = { sortField: 'externalId', order: 'ASC', limit, after: cursor }
  const rows = await http.json({
    method: 'POST',
    path: 'products/_search',
    body: { pagination, fields: offerMembers },
    idempotent: true
  })
  if (!Array.isArray(rows)) throw new TransientError('the marketplace answered a search without a list')

  const items = rows.flatMap((row: unknown) => {
    try {
      return [readOffer(row)]
    } catch (error) {
      log.warn(
        { externalId: externalIdOf(row), reason: error instanceof Error ? error.message : '' },
        'an offer that cannot be read is left out of the list'
      )
      return []
    }
  })
  if (rows.length < limit) return { items }

  const nextCursor = rows.map(externalIdOf).findLast(externalId => externalId !== undefined)
  // Without this check, the walk would ask for the same page forever.
  if (nextCursor === undefined || nextCursor === cursor) {
    throw new TransientError('the marketplace answered a full page without a position for the next page')
  }
  return { items, nextCursor }
}

function externalIdOf (row: unknown): string | undefined {
  const externalId: unknown = typeof row === 'object' && row !== null && 'externalId' in row
    ? row.externalId
    : undefined
  return typeof externalId === 'string' && externalId !== '' ? externalId : undefined
}
