import type { Query } from './database.ts'

/** Runs a statement that answers one row with `count`. */
export async function countRows (query: Query, statement: string, values: readonly unknown[] = []): Promise<number> {
  const [row] = await query<{ count: number }>(statement, values)
  return row?.count ?? 0
}
