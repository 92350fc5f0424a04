import type { Database, Query } from '../database/database.ts'
import { runRegularly, type RegularRuns } from '../run-regularly.ts'
import type { JobLog } from './log.ts'
import { freeDeadRows, hasManyDeadRows, type BusyTable } from './store.ts'

const deadRows = { always: 5_000, share: 0.1 }
const vacuumEveryMs = 60_000
const tables: readonly BusyTable[] = ['jobs', 'redrives', 'redrive_jobs']

/**
 * Returns a function that frees the space of dead rows in the ledger and the redrives, once a table
 * has so many that it pays, and returns the tables; everything waits meanwhile. PGlite forgets the
 * dead rows of earlier processes, so the first call does not count.
 */
export function createVacuum (query: Query): () => Promise<BusyTable[]> {
  const known = new Set<BusyTable>()
  return async () => {
    const freed: BusyTable[] = []
    for (const table of tables) {
      if (known.has(table) && !await hasManyDeadRows(query, table, deadRows)) continue
      await freeDeadRows(query, table)
      known.add(table)
      freed.push(table)
    }
    return freed
  }
}

/**
 * Vacuums the ledger and the redrives of an embedded database now and then, because PGlite has no
 * autovacuum: without this the ledger grows by some 4 MB for every 10 000 jobs that have long
 * ended.
 */
export function vacuumJobsRegularly ({ query, patiently }: Database, log: JobLog): RegularRuns {
  const vacuum = createVacuum(query)
  return runRegularly({
    run: () => patiently(vacuum),
    everyMs: vacuumEveryMs,
    warning: 'freeing the space of old jobs failed; trying again',
    log
  })
}
