import type { Pinned } from '../adapters/view.ts'
import type { Query } from '../database/database.ts'

/** Counts the connections of each adapter key and version. */
export async function countPins (query: Query): Promise<Pinned[]> {
  return query<Pinned>(`
    select adapter_key as "adapterKey", adapter_version as "adapterVersion", count(*)::integer as count
    from connections
    group by adapter_key, adapter_version`)
}
