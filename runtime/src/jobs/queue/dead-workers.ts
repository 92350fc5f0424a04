import type { Database } from '../../database/database.ts'
import { runRegularly, type RegularRuns } from '../../run-regularly.ts'
import type { JobLog } from '../log.ts'
import { returnSilentJobs } from './store.ts'

/** A worker that is silent for this long is taken for dead, and its jobs run again. */
const silentSeconds = 20
const lookEveryMs = 10_000

/**
 * Looks for dead workers until it is stopped. Embedded, it first returns all claimed jobs at once:
 * the directory lock proves that no other process runs on this database, so their process has died.
 */
export async function watchForDeadWorkers ({ database, log }: {
  database: Pick<Database, 'mode' | 'query' | 'notify'>,
  log: Pick<JobLog, 'warn'>
}): Promise<RegularRuns> {
  if (database.mode === 'embedded') await returnSilentJobs(database.query, 0)
  return runRegularly({
    async run () {
      if (await returnSilentJobs(database.query, silentSeconds) > 0) database.notify('jobs')
    },
    everyMs: lookEveryMs,
    warning: 'looking for jobs of dead workers failed; trying again',
    log
  })
}
