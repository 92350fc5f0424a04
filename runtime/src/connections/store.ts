import type { Pinned } from '../adapters/view.ts'
import type { Query } from '../database/database.ts'

/** Counts the connections of each adapter key and version. */
export async function countPins (query: Query): Promise<Pinned[]> {
  return query<Pinned>(`
    select adapter_key as "adapterKey", adapter_version as "adapterVersion", count(*)::integer as count
    from connections
    group by adapter_key, adapter_version`)
}

const selectCancelsWithShop = `
  select config -> 'cancelOrdersWithShop' = 'true'::jsonb as "isWanted"
  from connections
  where id = $1`

/** Whether the hub cancels orders at a marketplace when the shop cancels them. */
export async function isCancellingWithShop (query: Query, id: string): Promise<boolean> {
  const [row] = await query<{ isWanted: boolean | null }>(selectCancelsWithShop, [id])
  return row?.isWanted === true
}
