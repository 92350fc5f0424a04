import { RejectedError, type Log, type PageRequest } from '@linker/sdk'
import type { ListQuery, ShopClient } from './client.ts'
import { integer, type Row } from './records.ts'

const largestPage = 100

export interface RowPage { rows: Row[], nextCursor?: string }

/**
 * One page of `resource` in the order of ids, after the id in the cursor. An offset would skip a row
 * for every one that is deleted during the walk; `limit` counts from the start of what is left.
 */
export async function readPage (client: ShopClient, resource: string, request: PageRequest, query: ListQuery, log: Log): Promise<RowPage> {
  const after = lastId(request.cursor)
  const count = Math.min(Math.max(request.limit, 1), largestPage)
  const received = await client.list(resource, {
    ...query,
    ...(after === 0 ? {} : { 'filter[id]': `>[${after}]` }),
    sort: '[id_ASC]',
    limit: `0,${count}`
  })
  // The shop ignores a filter that it does not understand: without this check its first page would repeat for ever.
  const rows = received.filter(row => (integer(row.id) ?? 0) > after)
  if (received.length > 0 && rows.length === 0) log.warn({ resource, after }, 'the shop repeats a page, the listing ends here')
  if (received.length < count || rows.length === 0) return { rows }
  return { rows, nextCursor: String(Math.max(...rows.map(row => integer(row.id) ?? 0))) }
}

function lastId (cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (!/^[0-9]{1,15}$/.test(cursor)) throw new RejectedError(`'${cursor.slice(0, 64)}' is no cursor of this adapter`)
  return Number(cursor)
}
