import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Query } from '../database/database.ts'
import { ConnectionBusyError, ConnectionMovingError } from '../errors.ts'
import type { JobRecord } from '../jobs/job.ts'
import { runningJobs } from '../jobs/ledger.ts'

export interface DrainOptions {
  connectionId: string
  /** How long jobs that run may take to end. */
  waitMs: number
}

/**
 * The mark of this move, as the database wrote it. The database refuses a move that holds an older
 * mark.
 */
type Mark = string

/**
 * Removes the mark in the transaction that changes the connection, so that jobs begin when the
 * change is committed. Throws when the mark has lapsed, because jobs may run again.
 */
export type EndMark = (query: Query) => Promise<void>

interface Limits {
  /** How long a mark stands unless it is renewed. */
  markMs: number
  renewMs: number
  /** The time that the mark must still last when the change is about to be committed. */
  commitMs: number
}

const defaults: Limits = { markMs: 60_000, renewMs: 10_000, commitMs: 10_000 }
const firstLookMs = 20
const longestLookMs = 250
const mostNamed = 10

/**
 *     mark ──▶ nobody claims jobs of the connection ──▶ its jobs end ──▶ work ──▶ mark removed
 *       │                                                 └── not in time ──▶ mark removed, refused
 *       └── the process dies: the mark lapses, nothing has changed
 *
 * A worker may begin to claim a job before the mark and end after the last look here. Its run then
 * reads the connection. It either sees the mark and goes back into the queue (`openEnabled`), or
 * sees the changed connection.
 */
export function createDrain (
  database: Pick<Database, 'query' | 'notify'>,
  { markMs, renewMs, commitMs }: Limits = defaults
) {
  const { query } = database

  async function waitForJobs (
    { connectionId, waitMs }: DrainOptions,
    mark: Mark,
    onRenewed: (mark: Mark) => void
  ): Promise<void> {
    const startedAt = performance.now()
    let [current, renewedAt] = [mark, startedAt]
    for (let pause = firstLookMs;; pause = Math.min(longestLookMs, pause * 2)) {
      const running = await runningJobs(query, connectionId, mostNamed)
      if (running.length === 0) return
      const elapsed = performance.now() - startedAt
      if (elapsed >= waitMs) throw busyError(connectionId, waitMs, running)
      if (performance.now() - renewedAt >= renewMs) {
        current = await renewMark(query, connectionId, current, markMs)
        renewedAt = performance.now()
        onRenewed(current)
      }
      await sleep(Math.min(pause, waitMs - elapsed))
    }
  }

  /** Calls `work` when no job of the connection runs, and none will begin. */
  return async function drain<Result> (
    options: DrainOptions,
    work: (endMark: EndMark) => Promise<Result>
  ): Promise<Result> {
    const { connectionId } = options
    let mark = await setMark(query, connectionId, markMs)
    try {
      await waitForJobs(options, mark, renewed => {
        mark = renewed
      })
      return await work(query => endMark(query, connectionId, mark, commitMs))
    } finally {
      // A mark that cannot be removed lapses.
      await query('update connections set moving_until = null where id = $1 and moving_until = $2::timestamptz', [
        connectionId,
        mark
      ]).catch(() => undefined)
      database.notify('jobs')
    }
  }
}

export type Drain = ReturnType<typeof createDrain>

async function setMark (query: Query, connectionId: string, markMs: number): Promise<Mark> {
  return markOf(
    connectionId,
    await query<{ mark: Mark }>(
      `
    update connections
    set moving_until = clock_timestamp() + interval '1 millisecond' * $2
    where id = $1 and (moving_until is null or moving_until <= clock_timestamp())
    returning moving_until::text as mark`,
      [connectionId, markMs]
    )
  )
}

async function renewMark (query: Query, connectionId: string, mark: Mark, markMs: number): Promise<Mark> {
  return markOf(
    connectionId,
    await query<{ mark: Mark }>(
      `
    update connections
    set moving_until = clock_timestamp() + interval '1 millisecond' * $3
    where id = $1 and moving_until = $2::timestamptz and moving_until > clock_timestamp()
    returning moving_until::text as mark`,
      [connectionId, mark, markMs]
    )
  )
}

async function endMark (query: Query, connectionId: string, mark: Mark, commitMs: number): Promise<void> {
  markOf(
    connectionId,
    await query<{ mark: Mark }>(
      `
    update connections
    set moving_until = null
    where id = $1
      and moving_until = $2::timestamptz
      and moving_until > clock_timestamp() + interval '1 millisecond' * $3
    returning $2 as mark`,
      [connectionId, mark, commitMs]
    )
  )
}

/** No row means that another move has marked the connection, or that our mark has lapsed. */
function markOf (connectionId: string, [row]: readonly { mark: Mark }[]): Mark {
  if (row === undefined) throw new ConnectionMovingError(connectionId)
  return row.mark
}

function busyError (
  connectionId: string,
  waitMs: number,
  running: readonly Pick<JobRecord, 'id' | 'jobType'>[]
): Error {
  const errors = running.map(({ id, jobType }) => ({
    pointer: `/jobs/${id}`,
    code: 'running',
    message: `${jobType} still runs`
  }))
  return Object.assign(
    new ConnectionBusyError(
      connectionId,
      waitMs / 1_000,
      running.map(({ id, jobType }) => `${id} (${jobType})`).join(', ')
    ),
    { errors }
  )
}
