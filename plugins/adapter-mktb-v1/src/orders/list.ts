import {
  pageSize,
  readRows,
  toPage,
  TransientError,
  type HttpClient,
  type Log,
  type Order,
  type Page,
  type PageRequest
} from '@linker/sdk'
import { readOrder } from './read.ts'

const largestPage = 200

/**
 * Lists one page of orders, the oldest change first. The cursor is the marketplace's own: a time as
 * cursor would lose rows that share it.
 */
export async function listOrders (
  http: HttpClient,
  log: Log,
  { cursor, limit: wanted, updatedSince }: PageRequest & { updatedSince?: string }
): Promise<Page<Order>> {
  const limit = pageSize(wanted, largestPage)
  const body = {
    pagination: { sortField: 'updated', order: 'ASC', limit, after: cursor },
    filter: updatedSince === undefined ? undefined : { field: 'updated', operator: '>=', value: updatedSince }
  }
  const rows = await http.json({ method: 'POST', path: 'orders/_search', body, idempotent: true })
  if (!Array.isArray(rows)) throw new TransientError('the marketplace answered a search without a list')

  const items = readRows(rows, readOrder, { log, what: 'an order' })
  return toPage(items, { cursor, nextCursor: textOf(rows.at(-1), 'cursor'), isLast: rows.length < limit })
}

function textOf (row: unknown, name: string): string | undefined {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}
