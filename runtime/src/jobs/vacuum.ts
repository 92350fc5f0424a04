import type { Database, Query } from '../database/database.ts'
import type { JobLog } from './log.ts'

const deadRowsAlways = 5_000
const deadRowsShare = 0.1
const vacuumEveryMs = 60_000

/**
 * Frees the space of dead rows in the ledger, once there are so many that it pays; everything waits
 * meanwhile. Answers whether it did.
 */
export async function vacuumJobs (query: Query): Promise<boolean> {
  const [due] = await query(
    `
    select from pg_stat_user_tables
    where relid = 'jobs'::regclass and n_dead_tup > $1 + $2::float8 * n_live_tup`,
    [deadRowsAlways, deadRowsShare]
  )
  if (due === undefined) return false
  await query('vacuum (analyze) jobs')
  return true
}

/**
 * Vacuums the ledger of an embedded database now and then, because PGlite has no autovacuum:
 * without this the ledger grows by some 4 MB for every 10 000 jobs that have long ended.
 */
export function vacuumJobsRegularly ({ query, patiently }: Database, log: JobLog): { stop(): void } {
  const timer = setInterval(vacuum, vacuumEveryMs)
  timer.unref()

  function vacuum (): void {
    patiently(() => vacuumJobs(query)).catch((error: unknown) => {
      log.warn({ err: error }, 'freeing the space of old jobs failed; trying again')
    })
  }

  return {
    stop () {
      clearInterval(timer)
    }
  }
}
