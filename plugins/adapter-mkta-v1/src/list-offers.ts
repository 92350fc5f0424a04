import { RejectedError, type HttpClient, type Log, type Offer, type Page, type PageRequest } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { parseAs } from './read-answer.ts'
import { readOffer } from './read-offer.ts'

const largestPage = 1_000
const furthestRow = 10_000_000
/** As many ids fit into one address. */
const idsAtOnce = 100

const List = Type.Object({ offers: Type.Array(Type.Unknown()), totalCount: Type.Optional(Type.Integer()) })

/**
 * One page of the seller's offers, whatever their status. The cursor is a position: while the list
 * changes, rows come twice or are missed.
 */
export async function listOffers (
  http: HttpClient,
  log: Log,
  { cursor = '0', limit: wanted }: PageRequest
): Promise<Page<Offer>> {
  if (!/^\d{1,8}$/.test(cursor)) {
    throw new RejectedError(`'${cursor.slice(0, 64)}' is no position in the list of offers`)
  }
  const offset = Number(cursor)
  const limit = Math.min(Math.max(1, wanted), largestPage, furthestRow - offset)
  if (limit < 1) return { items: [] }
  const { offers, totalCount = Number.POSITIVE_INFINITY } = parseAs(
    List,
    await http.json({ method: 'GET', path: 'sale/offers', query: { limit, offset } }),
    'its list of offers'
  )
  const next = offset + offers.length
  return {
    items: readAll(offers, log),
    ...(offers.length < limit || next >= totalCount ? {} : { nextCursor: String(next) })
  }
}

/** Those of the offers that there are. */
export async function readOffers (http: HttpClient, log: Log, ids: readonly string[]): Promise<Offer[]> {
  const found: Offer[] = []
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const query = { 'offer.id': ids.slice(first, first + idsAtOnce), limit: idsAtOnce }
    const { offers } = parseAs(
      List,
      await http.json({ method: 'GET', path: 'sale/offers', query }),
      'its list of offers'
    )
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
