import { pageSize, positionOf, TransientError, type Log, type PageRequest } from '@linker/sdk'
import { anyOf, type ListQuery, type ShopClient } from '../client.ts'
import { integer, reference, type Row } from './row.ts'

const largestPage = 100
// The shop loads its records one by one: an answer with many thousands of them would time out, or
// fill the memory of its PHP.
const rowsPerRequest = 1_000
// The ids stand in the URL, and web servers limit a URL to 4 KiB or more.
const idsPerRequest = 200

export interface RowPage {
  rows: Row[]
  nextCursor?: string
}

/**
 * Reads one page of `resource` in the order of ids, after the id in the cursor. An offset would
 * skip a row for each row that is deleted during the walk. `limit` counts from the start of the
 * remaining rows.
 */
export async function readPage (
  client: ShopClient,
  resource: string,
  request: PageRequest,
  query: ListQuery,
  log: Log
): Promise<RowPage> {
  const after = positionOf(request.cursor)
  const count = pageSize(request.limit, largestPage)
  const received = await client.list(resource, { ...query, ...window(after, count) })
  // The shop ignores an unknown filter: without this check its first page would repeat forever.
  const rows = rowsAfter(after, received)
  if (received.length > 0 && rows.length === 0) {
    log.warn({ resource, after }, 'the shop repeats a page, the listing ends here')
  }
  if (received.length < count || rows.length === 0) return { rows }
  return { rows, nextCursor: String(largestId(rows)) }
}

/**
 * Reads every row that a filter selects, in as few requests as the shop can bear. The filter must
 * not be one of ids.
 */
export async function readAll (client: ShopClient, resource: string, query: ListQuery): Promise<Row[]> {
  const all: Row[] = []
  for (let after = 0;; after = largestId(all)) {
    const received = await client.list(resource, { ...query, ...window(after, rowsPerRequest) })
    const rows = rowsAfter(after, received)
    // Half of the rows must not pass as an answer: a product would lose combinations, and its row 0
    // would pass for its stock.
    if (received.length > 0 && rows.length === 0) {
      throw new TransientError(`the shop repeats a page of ${resource}, so not all of them can be read`)
    }
    all.push(...rows)
    if (received.length < rowsPerRequest) return all
  }
}

/** Reads the rows of some ids. An id that the shop does not have is missing from the answer. */
export async function readByIds (
  client: ShopClient,
  resource: string,
  ids: readonly string[],
  query: ListQuery
): Promise<Row[]> {
  const all: Row[] = []
  for (let from = 0; from < ids.length; from += idsPerRequest) {
    const some = ids.slice(from, from + idsPerRequest)
    const wanted = new Set(some)
    const received = await client.list(resource, { ...query, 'filter[id]': anyOf(some) })
    all.push(...received.filter(row => wanted.has(reference(row.id))))
  }
  return all
}

function window (after: number, count: number): ListQuery {
  return { 'filter[id]': after === 0 ? undefined : `>[${after}]`, sort: '[id_ASC]', limit: `0,${count}` }
}

function rowsAfter (after: number, rows: readonly Row[]): Row[] {
  return rows.filter(row => (integer(row.id) ?? 0) > after)
}

function largestId (rows: readonly Row[]): number {
  return rows.reduce((largest, row) => Math.max(largest, integer(row.id) ?? 0), 0)
}
