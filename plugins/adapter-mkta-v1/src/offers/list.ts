import {
  pageSize,
  positionOf,
  readRows,
  toPage,
  type HttpClient,
  type Offer,
  type Page,
  type PageRequest
} from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { MarketplaceContext } from '../config.ts'
import { readOffer } from './read.ts'
import { listRepublished } from './republish.ts'

const largestPage = 1_000
const furthestRow = 10_000_000
/** The most ids that fit into one URL. */
const idsAtOnce = 100

const List = Type.Object({ offers: Type.Array(Type.Unknown()), totalCount: Type.Optional(Type.Integer()) })

/**
 * Lists one page of the seller's offers of any status. The cursor is a position: while the list
 * changes, a row may come twice or be missed.
 */
export async function listOffers (
  http: HttpClient,
  context: Pick<MarketplaceContext, 'kv' | 'log'>,
  { cursor, limit: wanted }: PageRequest
): Promise<Page<Offer>> {
  const offset = positionOf(cursor, { last: furthestRow })
  const limit = Math.min(pageSize(wanted, largestPage), furthestRow - offset)
  if (limit < 1) return { items: [] }
  const { offers, totalCount = Number.POSITIVE_INFINITY } = await http.get('sale/offers', {
    query: { limit, offset },
    as: List
  })
  const next = offset + offers.length
  const isLast = offers.length < limit || next >= totalCount
  return toPage(readAll(offers, context, await listRepublished(context.kv)), {
    cursor,
    nextCursor: String(next),
    isLast
  })
}

/** Reads the offers with these ids. An id that the marketplace does not know is left out. */
export async function readOffers (
  http: HttpClient,
  context: Pick<MarketplaceContext, 'kv' | 'log'>,
  ids: readonly string[]
): Promise<Offer[]> {
  if (ids.length === 0) return []
  const republished = await listRepublished(context.kv)
  const found: Offer[] = []
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const query = { 'offer.id': ids.slice(first, first + idsAtOnce), limit: idsAtOnce }
    const { offers } = await http.get('sale/offers', { query, as: List })
    found.push(...readAll(offers, context, republished))
  }
  return found
}

function readAll (
  rows: readonly unknown[],
  { log }: Pick<MarketplaceContext, 'log'>,
  republished: ReadonlySet<string>
): Offer[] {
  return readRows(rows, row => readOffer(row, republished), { log, what: 'an offer' })
}
