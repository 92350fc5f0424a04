import type { Query } from './database.ts'

/**
 * Returns the time by the clock of the database, which all processes share, as PostgreSQL writes
 * it. It has microseconds, like the rows that it is compared with.
 */
export async function readTime (query: Query): Promise<string> {
  const [row] = await query<{ now: string }>('select clock_timestamp()::text as now')
  if (row === undefined) throw new TypeError('the database has no clock')
  return row.now
}
