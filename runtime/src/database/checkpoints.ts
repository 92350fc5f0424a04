import { runRegularly, type RegularRuns } from '../run-regularly.ts'

// `database.ts` imports this file: importing its `Query` here would close a circle.
type Query = (text: string, values?: readonly unknown[]) => Promise<readonly object[]>

/** The write-ahead log may grow to about twice this size. */
const mostBytes = 64 * 1024 ** 2
const lookEveryMs = 10_000

const selectGrown = `
  select from pg_control_checkpoint()
  where pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > $1`

/**
 * Lets PostgreSQL use its write-ahead log again from the start, once it has grown. Returns whether
 * it did.
 */
export async function checkpoint (query: Query, grownBytes = mostBytes): Promise<boolean> {
  if ((await query(selectGrown, [grownBytes])).length === 0) return false
  await query('checkpoint')
  return true
}

/**
 * Makes checkpoints of an embedded database now and then, because PGlite has no process for them:
 * without this the write-ahead log would grow until the hub stops, and fill the disk.
 */
export function checkpointRegularly (
  query: Query,
  log: { warn(fields: object, message: string): void }
): RegularRuns {
  return runRegularly({
    run: () => checkpoint(query),
    everyMs: lookEveryMs,
    warning: 'the checkpoint of the embedded database failed; trying again',
    log
  })
}
