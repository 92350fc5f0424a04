import type { Database } from '../../database/database.ts'
import type { JobLog } from '../log.ts'

/** A worker that is silent for this long is taken for dead, and its jobs run again. */
const silentSeconds = 20
const lookEveryMs = 10_000

/**
 * Puts the jobs of workers that were silent for so long back into the queue, as suspects: one of
 * them may have killed its worker. Answers how many.
 */
export async function returnJobsOfDeadWorkers ({ query }: Pick<Database, 'query'>, seconds = silentSeconds): Promise<
  number
> {
  const returned = await query(
    `
    update jobs
    set state = 'returned', is_suspect = true, due_at = now(), heartbeat_at = null
    where state = 'running' and heartbeat_at <= now() - interval '1 second' * $1
    returning id`,
    [seconds]
  )
  return returned.length
}

/**
 * Looks for dead workers until it is stopped. Embedded, it first returns all claimed jobs at once:
 * the directory lock proves that no other process runs on this database, so their process has died.
 */
export async function watchForDeadWorkers ({ database, log }: { database: Database, log: JobLog }): Promise<
  { stop(): void }
> {
  if (database.mode === 'embedded') await returnJobsOfDeadWorkers(database, 0)
  const timer = setInterval(look, lookEveryMs)
  timer.unref()

  function look (): void {
    returnJobsOfDeadWorkers(database).then(count => {
      if (count > 0) database.notify('jobs')
    }).catch((error: unknown) => {
      log.warn({ err: error }, 'looking for jobs of dead workers failed; trying again')
    })
  }

  return {
    stop () {
      clearInterval(timer)
    }
  }
}
