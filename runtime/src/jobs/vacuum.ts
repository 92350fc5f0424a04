import type { Query } from '../database/database.ts'

const deadRowsAlways = 5_000
const deadRowsShare = 0.1

/**
 * Frees the space of dead rows in the queue and the ledger, once there are so many that it pays;
 * everything waits meanwhile. PGlite has no autovacuum: without this the queue grows by some 4 MB
 * for every 10 000 jobs that have long ended. Answers the tables it vacuumed.
 */
export async function vacuumJobs (query: Query): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
    where (schemaname = 'pgboss' or relname = 'jobs') and n_dead_tup > $1 + $2::float8 * n_live_tup order by 1`,
    [deadRowsAlways, deadRowsShare]
  )
  for (const { name } of tables) await query(`vacuum (analyze) ${name}`)
  return tables.map(({ name }) => name)
}
