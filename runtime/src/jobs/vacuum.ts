import type { Database, Query } from '../database/database.ts'
import type { JobLog } from './log.ts'
import { freeDeadRows, hasManyDeadRows } from './store.ts'

const deadRows = { always: 5_000, share: 0.1 }
const vacuumEveryMs = 60_000

/**
 * Frees the space of dead rows in the ledger, once there are so many that it pays; everything waits
 * meanwhile. Returns whether it did.
 */
export async function vacuumJobs (query: Query): Promise<boolean> {
  if (!await hasManyDeadRows(query, deadRows)) return false
  await freeDeadRows(query)
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
