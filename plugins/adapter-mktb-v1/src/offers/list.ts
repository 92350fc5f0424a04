import {
  pageSize,
  readRows,
  toPage,
  TransientError,
  type HttpClient,
  type Offer,
  type Page,
  type PageRequest
} from '@linker/sdk'
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
  const limit = pageSize(wanted, largestPage)
  const pagination = { sortField: 'externalId', order: 'ASC', limit, after: cursor }
  const rows = await http.json({
    method: 'POST',
    path: 'products/_search',
    body: { pagination, fields: offerMembers },
    idempotent: true
  })
  if (!Array.isArray(rows)) throw new TransientError('the marketplace answered a search without a list')

  const items = readRows(rows, readOffer, { log, what: 'an offer', id: 'externalId' })
  const nextCursor = rows.map(externalIdOf).findLast(externalId => externalId !== undefined)
  return toPage(items, { cursor, nextCursor, isLast: rows.length < limit })
}

function externalIdOf (row: unknown): string | undefined {
  const externalId: unknown = typeof row === 'object' && row !== null && 'externalId' in row
    ? row.externalId
    : undefined
  return typeof externalId === 'string' && externalId !== '' ? externalId : undefined
}
