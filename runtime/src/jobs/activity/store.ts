import type { Query } from '../../database/database.ts'
import { hubGroup } from '../identity.ts'
import type { JobRecord } from '../job.ts'
import type { Problem } from '../retry-policy.ts'
import type { Wait } from '../waits/explain-wait.ts'
import { selectLastRuns, selectLate, selectWaiting } from './statements.ts'

// Looking at more would take longer than a person waits for an answer.
const most = 10_000
const mostPassed = 100_000

/** The last run of a job type that ended so. */
export interface LastRun {
  jobId: string
  jobType: string
  hasSucceeded: boolean
  /** A schedule asked for it. */
  isScheduled: boolean
  /** When it ended, ISO 8601. */
  at: string
  /** Why it failed; null when it succeeded. */
  problem: JobRecord['problem']
  /** How many jobs of the type ended so, this one included. */
  count: number
}

export interface LastRuns {
  /** The latest first. */
  runs: LastRun[]
  /** The connection may have older runs, at which nobody looked. */
  atMost: boolean
}

/**
 * Finds the last run of each job type of a connection that succeeded, and the last that failed,
 * among its newest jobs that ran. Passes over 100 000 jobs at most, those that never ran included.
 */
export async function readLastRuns (query: Query, connectionId: string, limit = most): Promise<LastRuns> {
  const values = [connectionId, limit, Math.max(limit, mostPassed)]
  const [row] = await query<{ runs: LastRun[], isCut: boolean }>(selectLastRuns, values)
  return { runs: row?.runs ?? [], atMost: row?.isCut === true }
}

/** Jobs of one type that do not run yet, for the same reason. */
export interface WaitingGroup {
  jobType: string
  /** Code of the problem for which they were put back. */
  code: string | null
  /** The part of a group that they wait for. */
  part: string | null
  isDue: boolean
  /** Due, but another job of the same object comes first. */
  isBehind: boolean
  count: number
  /** When the oldest was made, ISO 8601. */
  oldestAt: string
  /** When the first is or was due. Null: at the end of a pause that has no end yet. */
  dueAt: string | null
  /** When the last of them is or was due. */
  lastDueAt: string | null
  /** The problem of the oldest. */
  problem: Problem | null
  /** The oldest. */
  sampleJobId: string
}

export interface WaitingJobs {
  /** The largest first. */
  groups: WaitingGroup[]
  /** Why no job of the connection begins. */
  holds: Wait['holds']
  /** More jobs wait than were counted. */
  atMost: boolean
}

/** Counts the jobs of a connection that do not run yet, up to a limit for each lane. */
export async function readWaiting (query: Query, connectionId: string, limit = most): Promise<WaitingJobs> {
  const [row] = await query<WaitingJobs>(selectWaiting, [connectionId, limit])
  return row ?? { groups: [], holds: [], atMost: false }
}

/** Jobs of a connection that should run and do not. */
export interface LateJobs {
  /** Null: jobs of the hub itself. */
  connectionId: string | null
  count: number
  /** When the first of them became due, ISO 8601. */
  since: string
  sampleJobId: string
}

const mostLate = 1_000

/**
 * Finds jobs of connections, and of the hub, that have been due for `lateMs` although nothing keeps
 * them. Counts up to a limit for each lane.
 */
export async function readLate (
  query: Query,
  connectionIds: readonly string[],
  lateMs: number,
  limit = mostLate
): Promise<LateJobs[]> {
  const rows = await query<Omit<LateJobs, 'connectionId'> & { groupId: string }>(
    selectLate,
    [[...connectionIds, hubGroup], lateMs, limit]
  )
  return rows.map(({ groupId, ...late }) => ({ connectionId: groupId === hubGroup ? null : groupId, ...late }))
}
