import type { Query } from './with-database.ts'

interface Due {
  table: string
  vacuums: boolean
  analyzes: boolean
}

/** SQL: a setting of a table, or that of the server. */
const setting = (name: string): string => `
  coalesce(
    (select option_value from pg_options_to_table(reloptions) where option_name = '${name}'),
    current_setting('${name}')
  )::float8`

const limit = (kind: string): string =>
  `${setting(`autovacuum_${kind}_threshold`)} + ${setting(`autovacuum_${kind}_scale_factor`)} * greatest(reltuples, 0)`

const selectDue = `
  select * from (
    select relid::regclass::text as table,
      n_dead_tup > ${limit('vacuum')} or n_ins_since_vacuum > ${limit('vacuum_insert')} as vacuums,
      n_mod_since_analyze > ${limit('analyze')} as analyzes
    from pg_stat_user_tables join pg_class on pg_class.oid = relid
  ) as tables
  where vacuums or analyzes`

/**
 * Vacuums and analyzes what the autovacuum of PostgreSQL would now. The server's own one comes once
 * a minute, which may be a day of a simulation.
 */
export async function runAutovacuum (query: Query): Promise<void> {
  for (const { table, vacuums, analyzes } of await query<Due>(selectDue)) {
    const options = vacuums && analyzes ? ' (analyze)' : ''
    await query(`${vacuums ? `vacuum${options}` : 'analyze'} ${table}`)
  }
}
