import { RejectedError, type HttpClient, type Log, type Offer, type Page, type PageRequest } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { readOffer } from './read.ts'

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
  log: Log,
  { cursor = '0', limit: wanted }: PageRequest
): Promise<Page<Offer>> {
  if (!/^\d{1,8}$/.test(cursor)) {
    throw new RejectedError(`'${cursor.slice(0, 64)}' is not a position in the list of offers`)
  }
  const offset = Number(cursor)
  const limit = Math.min(Math.max(1, wanted), largestPage, furthestRow - offset)
  if (limit < 1) return { items: [] }
  const { offers, totalCount = Number.POSITIVE_INFINITY } = await http.get('sale/offers', {
    query: { limit, offset },
    as: List
  })
  const next = offset + offers.length
  return {
    items: readAll(offers, log),
    nextCursor: offers.length < limit || next >= totalCount ? undefined : String(next)
  }
}

/** Reads the offers with these ids. An id that the marketplace does not know is left out. */
export async function readOffers (http: HttpClient, log: Log, ids: readonly string[]): Promise<Offer[]> {
  const found: Offer[] = []
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const query = { 'offer.id': ids.slice(first, first + idsAtOnce), limit: idsAtOnce }
    const { offers } = await http.get('sale/offers', { query, as: List })
    found.push(...readAll(offers, log))
  }
  return found
}

function readAll (rows: readonly unknown[], log: Log): Offer[] {
  return rows.flatMap(row => {
    try {
      return [readOffer(row)]
    } catch (error) {
      log.warn(
        { externalId: idOf(row), reason: error instanceof Error ? error.message : '' },
        'an offer that cannot be read is left out of the list'
      )
      return []
    }
  })
}

function idOf (row: unknown): unknown {
  return typeof row === 'object' && row !== null ? Reflect.get(row, 'id') : undefined
}
