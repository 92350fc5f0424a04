import type { Query } from './query.ts'

/**
 * Whether the database has all of these tables. A new database, or that of another program, has
 * none of them.
 */
export async function hasTables (query: Query, names: readonly string[]): Promise<boolean> {
  const [found] = await query<{ areThere: boolean }>(
    'select bool_and(to_regclass(name) is not null) as "areThere" from unnest($1::text[]) as name',
    [names]
  )
  return found?.areThere === true
}
