import type { SchemaProblem } from '@linker/sdk/host'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Query } from '../database/database.ts'
import { ConnectionBusyError, ConnectionMovingError } from '../errors.ts'
import { endHold, holdFor, renewHold, type HoldMark } from '../jobs/holds/store.ts'
import type { JobRecord } from '../jobs/job.ts'
import { runningJobs } from '../jobs/store.ts'

export interface DrainOptions {
  connectionId: string
  /** How long jobs that run may take to end. */
  waitMs: number
}

/**
 * Ends the hold in the transaction that changes the connection, so that jobs begin when the change
 * is committed. Throws when the hold has lapsed, because jobs may run again.
 */
export type EndHold = (query: Query) => Promise<void>

interface Limits {
  /** How long a hold stands unless it is renewed. */
  holdMs: number
  renewMs: number
  /** The time that the hold must still last when the change is about to be committed. */
  commitMs: number
}

const defaults: Limits = { holdMs: 60_000, renewMs: 10_000, commitMs: 10_000 }
const firstLookMs = 20
const longestLookMs = 250
/** How many running jobs an answer names. */
export const mostNamed = 10

/**
 *     hold ──▶ nobody claims jobs of the connection ──▶ its jobs end ──▶ work ──▶ hold ended
 *       │                                                 └── not in time ──▶ hold ended, refused
 *       └── the process dies: the hold lapses, nothing has changed
 *
 * A worker may begin to claim a job before the hold and end after the last look here. Its run then
 * reads the connection. It either sees the hold and goes back into the queue (`openEnabled`), or
 * sees the changed connection.
 */
export function createDrain (
  database: Pick<Database, 'query' | 'notify'>,
  { holdMs, renewMs, commitMs }: Limits = defaults
) {
  const { query } = database

  async function waitForJobs (
    { connectionId, waitMs }: DrainOptions,
    mark: HoldMark,
    onRenewed: (mark: HoldMark) => void
  ): Promise<void> {
    const startedAt = performance.now()
    let [current, renewedAt] = [mark, startedAt]
    for (let pause = firstLookMs;; pause = Math.min(longestLookMs, pause * 2)) {
      const running = await runningJobs(query, connectionId, mostNamed)
      if (running.length === 0) return
      const elapsed = performance.now() - startedAt
      if (elapsed >= waitMs) throw busyError(connectionId, waitMs, running)
      if (performance.now() - renewedAt >= renewMs) {
        current = ours(connectionId, await renewHold(query, connectionId, 'moving', current, holdMs))
        renewedAt = performance.now()
        onRenewed(current)
      }
      await sleep(Math.min(pause, waitMs - elapsed))
    }
  }

  /** Calls `work` when no job of the connection runs, and none will begin. */
  return async function drain<Result> (
    options: DrainOptions,
    work: (endHold: EndHold) => Promise<Result>
  ): Promise<Result> {
    const { connectionId } = options
    let mark = ours(connectionId, await holdFor(query, connectionId, 'moving', holdMs))
    try {
      await waitForJobs(options, mark, renewed => {
        mark = renewed
      })
      return await work(async query => {
        if (!await endHold(query, connectionId, 'moving', mark, commitMs)) throw new ConnectionMovingError(connectionId)
      })
    } finally {
      // A hold that cannot be ended lapses.
      await endHold(query, connectionId, 'moving', mark).catch(() => undefined)
      database.notify('jobs')
    }
  }
}

export type Drain = ReturnType<typeof createDrain>

/** No mark means that another move holds the connection, or that our hold has lapsed. */
function ours (connectionId: string, mark: HoldMark | undefined): HoldMark {
  if (mark === undefined) throw new ConnectionMovingError(connectionId)
  return mark
}

function busyError (
  connectionId: string,
  waitMs: number,
  running: readonly Pick<JobRecord, 'id' | 'jobType'>[]
): Error {
  return Object.assign(
    new ConnectionBusyError(
      connectionId,
      waitMs / 1_000,
      running.map(({ id, jobType }) => `${id} (${jobType})`).join(', ')
    ),
    { errors: describeRunning(running) }
  )
}

/** One problem for each job that runs. */
export function describeRunning (running: readonly Pick<JobRecord, 'id' | 'jobType'>[]): SchemaProblem[] {
  return running.map(({ id, jobType }) => ({
    pointer: `/jobs/${id}`,
    code: 'running',
    message: `${jobType} still runs: wait for its end, or cancel it with \`linker jobs cancel ${id}\` or ` +
      `POST /jobs/${id}/cancel`
  }))
}
