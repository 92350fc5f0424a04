import { PgBoss, type QueuePolicy } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { isSuspect } from './claim.ts'
import { hubGroup } from './identity.ts'
import { vacuumJobs } from './vacuum.ts'

/** The part of a logger that the job engine uses. */
export interface JobLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface JobEngine {
  readonly boss: PgBoss
  close(): Promise<void>
}

// A worker that is silent for this long is taken for dead and its jobs run again.
const heartbeatSeconds = 20
const superviseSeconds = 10
// The ledger decides how often a job is tried and how long it waits; these keep pg-boss from ending
// or deleting one by itself.
const queue = {
  heartbeatSeconds,
  expireInSeconds: 86_400,
  retentionSeconds: 315_360_000,
  retryLimit: 1_000_000,
  retryDelay: 0,
  warningQueueSize: 1_000_000
}
const startLock = 7_201_612
const vacuumIntervalMs = 60_000

/**
 * Starts pg-boss on the database of the hub: two queues, and the supervision that gives back the
 * jobs of dead workers. Its tables are the live queue; the table `jobs` holds the history of each
 * job.
 */
export async function startJobEngine ({ database, log }: { database: Database, log: JobLog }): Promise<JobEngine> {
  const isEmbedded = database.mode === 'embedded'
  const boss = new PgBoss({
    db: database.boss,
    schema: 'pgboss',
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    flowIntervalSeconds: 3_600,
    reindex: !isEmbedded,
    monitorVacuum: !isEmbedded
  })
  boss.on('error', error => {
    log.warn({ err: error }, 'the job queue reported an error')
  })
  boss.on('warning', ({ message, data }) => {
    log.warn({ data }, message)
  })
  await database.patiently(() => boss.start())
  try {
    await openQueue(boss, 'state', 'stately')
    await openQueue(boss, 'command', 'key_strict_fifo')
    await database.patiently(() => createClaimIndexes(database))
    if (isEmbedded) await giveBackOrphans(boss, database)
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  const vacuuming = isEmbedded ? setInterval(vacuum, vacuumIntervalMs) : undefined
  vacuuming?.unref()

  function vacuum (): void {
    database.patiently(() => vacuumJobs(database.query)).catch((error: unknown) => {
      log.warn({ err: error }, 'freeing the space of old jobs failed; it is tried again')
    })
  }

  return {
    boss,
    async close () {
      clearInterval(vacuuming)
      await boss.stop({ graceful: false })
    }
  }
}

/**
 * Gives back all claimed jobs at once: the directory lock proves that no other process runs on this
 * database, so their process has died.
 */
async function giveBackOrphans (boss: PgBoss, database: Database): Promise<void> {
  const orphans = await database.query<
    { id: string, name: string }
  >("select id, name from pgboss.job where name in ('command', 'state') and state = 'active'")
  for (const [name, jobs] of Map.groupBy(orphans, job => job.name)) {
    await boss.fail(name, jobs.map(job => job.id), { message: 'the process that ran it died' })
  }
}

async function openQueue (boss: PgBoss, name: string, policy: QueuePolicy): Promise<void> {
  await boss.createQueue(name, { policy, ...queue })
  await boss.updateQueue(name, queue)
  // pg-boss remembers a queue when it first uses it, reading it over a connection of its own.
  // Inside a transaction of ours that would wait for ever, embedded.
  await boss.findJobs(name, { id: hubGroup })
}

/**
 * Makes the indexes that claims walk. Without them a claim reads the whole backlog of connections
 * that have used up their share, and all of it again to find suspects.
 */
async function createClaimIndexes (database: Database): Promise<void> {
  await database.transaction(async ({ query }) => {
    await query('select pg_advisory_xact_lock($1)', [startLock])
    await query('create index if not exists linker_turn on pgboss.job (name, group_id, start_after) where group_id ' +
      "is not null and state < 'active' and not blocked")
    await query(`create index if not exists linker_suspects on pgboss.job (name, start_after) where ${isSuspect}`)
  })
}
