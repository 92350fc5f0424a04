import type { Database } from '@linker/runtime'

const selectTables = `
  select tablename as name
  from pg_tables
  where schemaname = 'public'
    and tablename not like '%migrations'
    and tablename not in ('figures', 'processes', 'samples')
  order by tablename`

/**
 * Counts the rows of every table of the hub, so that a test can show that no rows were left. Leaves
 * out figures, samples and signs of life, which come by the clock.
 */
export async function countRows (database: Database): Promise<Record<string, number>> {
  const tables = await database.query<{ name: string }>(selectTables)
  const counts = await Promise.all(tables.map(async ({ name }): Promise<[string, number]> => {
    const [row] = await database.query<{ count: number }>(`select count(*)::integer as count from ${name}`)
    return [name, row?.count ?? 0]
  }))
  return Object.fromEntries(counts)
}
