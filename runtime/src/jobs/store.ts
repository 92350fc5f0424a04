import { countRows } from '../database/count-rows.ts'
import type { Query } from '../database/database.ts'
import type { Position } from '../http/paging.ts'
import type { QueueFigures } from '../observability/metrics.ts'
import { conditionsOf, type JobConditions } from './conditions.ts'
import type { JobRecord, JobRequest, Lane, Outcome } from './job.ts'
import {
  addOutdated,
  cancelWaitingOf,
  countLive,
  countLiveByConnection,
  countOfConnection,
  countWaitingOf,
  insertCoalesced,
  insertQueued,
  positionCondition,
  removeStep,
  selectEnded,
  selectKnown,
  selectStatuses,
  selectLastEnds,
  selectManyDeadRows,
  selectJobsOfOperations,
  selectRecord,
  selectRecords,
  selectRunning,
  vacuum
} from './statements.ts'

export interface JobFilter extends JobConditions {
  limit: number
  /** Position after the last job of the page before. */
  after?: Position
  /** Whether the attempts have their requests to platforms. */
  calls?: boolean
}

/**
 * A job in its present state, or undefined. A coalesced job shows the state of the job that stands
 * for it.
 */
export async function getJob (query: Query, id: string): Promise<JobRecord | undefined> {
  const [record] = await query<JobRecord>(`${selectRecord} where jobs.id = $1`, [id])
  return record
}

/** Jobs by their ids; those that retention removed are not among them. */
export async function getJobs (query: Query, ids: readonly string[]): Promise<ReadonlyMap<string, JobRecord>> {
  const records = await query<JobRecord>(`${selectRecords} where jobs.id = any($1::uuid[])`, [ids])
  return new Map(records.map(record => [record.id, record]))
}

/** How a job about an object ended. */
export interface JobEnd {
  objectKey: string
  outcome: Outcome
  result: unknown
}

/** Returns how jobs about these objects ended within so many milliseconds, the oldest first. */
export async function listLastEnds (
  query: Query,
  objectKeys: readonly string[],
  withinMs: number
): Promise<JobEnd[]> {
  return query<JobEnd>(selectLastEnds, [objectKeys, withinMs])
}

/** Returns the jobs with ids from `first` to `last`. */
export async function listJobsBetween (
  query: Query,
  { first, last }: { first: string, last: string },
  limit: number
): Promise<JobRecord[]> {
  return query<JobRecord>(
    `${selectRecords} where jobs.id between $1 and $2 order by jobs.id limit $3`,
    [first, last, limit]
  )
}

/**
 * Newest first; jobs made in the same millisecond in the order of their ids. Their attempts lack
 * the requests to platforms unless `calls` is true.
 */
export async function listJobs (
  query: Query,
  { limit, after, calls = false, ...filter }: JobFilter
): Promise<JobRecord[]> {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = [
    ...conditionsOf(filter, value),
    ...(after === undefined ? [] : [positionCondition(value(after.createdAt), value(after.id))])
  ]
  return query<JobRecord>(
    `${calls ? selectRecord : selectRecords} where ${
      conditions.length === 0 ? 'true' : conditions.join(' and ')
    } order by jobs.created_at desc, jobs.id limit ${value(limit)}`,
    values
  )
}

/** At most `limit` jobs of a connection that run now. */
export async function runningJobs (
  query: Query,
  connectionId: string,
  limit: number
): Promise<Pick<JobRecord, 'id' | 'jobType'>[]> {
  return query(selectRunning, [connectionId, limit])
}

/** Returns how many jobs of a connection the ledger has. */
export async function countJobs (query: Query, connectionId: string): Promise<number> {
  return countRows(query, countOfConnection, [connectionId])
}

/** Returns how many jobs of a connection wait for a run. */
export async function countWaiting (query: Query, connectionId: string): Promise<number> {
  return countRows(query, countWaitingOf, [connectionId])
}

/** Ends the jobs of a connection that wait, as `cancelled` for this reason. */
export async function cancelWaiting (
  query: Query,
  connectionId: string,
  reason: { code: string, message: string }
): Promise<void> {
  await query(cancelWaitingOf, [connectionId, JSON.stringify(reason)])
}

/** Returns those of the ids that are jobs in the ledger. */
export async function findKnown (query: Query, ids: readonly string[]): Promise<Set<string>> {
  return idsOf(await query(selectKnown, [ids]))
}

/** Returns the status of those of the ids that are jobs in the ledger. */
export async function readStatuses (
  query: Query,
  ids: readonly string[]
): Promise<ReadonlyMap<string, JobRecord['status']>> {
  const rows = await query<Pick<JobRecord, 'id' | 'status'>>(selectStatuses, [ids])
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** A job with the operation that its payload names. Null: it names none. */
export interface JobOfOperation extends Pick<JobRecord, 'id' | 'status'> {
  operation: string | null
}

/** Returns the status of each of the jobs and its operation, by the id of the job. */
export async function readJobsOfOperations (
  query: Query,
  ids: readonly string[]
): Promise<ReadonlyMap<string, JobOfOperation>> {
  const rows = await query<JobOfOperation>(selectJobsOfOperations, [ids])
  return new Map(rows.map(row => [row.id, row]))
}

/** Returns the outcome of each of the jobs that has ended, by its id. */
export async function readEnded (query: Query, ids: readonly string[]): Promise<ReadonlyMap<string, Outcome>> {
  const rows = await query<{ id: string, outcome: Outcome }>(selectEnded, [ids])
  return new Map(rows.map(({ id, outcome }) => [id, outcome]))
}

/** Adds to the result of a job how many of its readings were older than what was stored. */
export async function noteOutdated (query: Query, jobId: string, outdated: number): Promise<void> {
  await query(addOutdated, [jobId, outdated])
}

/** A job that is about to enter the ledger. */
export interface Draft {
  id: string
  lane: Lane
  exclusionKey: string
  /** Its place in the batch. */
  position: number
  request: JobRequest
}

/**
 * Stores jobs, except those whose id is known or for which a waiting job stands. Returns the ids of
 * the stored ones.
 */
export async function storeQueued (query: Query, drafts: readonly Draft[]): Promise<Set<string>> {
  return idsOf(await query(insertQueued, [recordsOf(drafts)]))
}

/** Stores jobs for which a waiting job of the same object now stands, and returns their ids. */
export async function storeCoalesced (query: Query, drafts: readonly Draft[]): Promise<Set<string>> {
  if (drafts.length === 0) return new Set()
  const keys = [...new Set(drafts.map(draft => draft.exclusionKey))]
  return idsOf(await query(insertCoalesced, [recordsOf(drafts), keys]))
}

function idsOf (rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id))
}

function recordsOf (drafts: readonly Draft[]): string {
  return JSON.stringify(drafts.map(({ id, lane, exclusionKey, position, request }) => ({
    id,
    lane,
    exclusionKey,
    position,
    jobType: request.jobType,
    connectionId: request.connectionId,
    idempotencyKey: request.idempotencyKey,
    requestId: request.requestId,
    delayMs: request.delayMs,
    // Text inside the JSON: read as JSON at once, PostgreSQL would refuse escapes that a `json`
    // column takes.
    payload: JSON.stringify(request.payload)
  })))
}

/** How many jobs live, and how long the oldest due one has waited. */
export async function readFigures (query: Query): Promise<QueueFigures | undefined> {
  const [row] = await query<QueueFigures>(countLive)
  return row
}

/** Returns the live jobs of each connection that has some. Null: those of the hub itself. */
export async function readFiguresByConnection (query: Query): Promise<
  (QueueFigures & { connectionId: string | null })[]
> {
  return query(countLiveByConnection)
}

/** How long the ledger keeps jobs that have ended. */
export interface Retention {
  finishedDays: number
  deadDays: number
}

/** A part of the walk through the ledger that removes old jobs. */
export interface RemovedStep {
  removed: number
  /** The last job that the step read; undefined at the end of the ledger. */
  last: Position | undefined
}

/** Removes those of the `limit` oldest jobs after a position that ended long ago. */
export async function removeAfter (
  query: Query,
  after: Position,
  { finishedDays, deadDays }: Retention,
  limit: number
): Promise<RemovedStep> {
  const values = [after.createdAt, after.id, finishedDays, deadDays, limit]
  const [step] = await query<{ removed: string, createdAt: string, id: string | null }>(removeStep, values)
  return {
    removed: Number(step?.removed ?? 0),
    last: step === undefined || step.id === null ? undefined : { createdAt: step.createdAt, id: step.id }
  }
}

/** The tables of jobs whose rows change all the time. */
export type BusyTable = 'jobs' | 'redrives' | 'redrive_jobs'

/** Whether a table has more dead rows than `always` and this share of its living ones. */
export async function hasManyDeadRows (
  query: Query,
  table: BusyTable,
  { always, share }: { always: number, share: number }
): Promise<boolean> {
  return (await query(selectManyDeadRows, [always, share, table])).length > 0
}

/** Frees the space of dead rows of a table. */
export async function freeDeadRows (query: Query, table: BusyTable): Promise<void> {
  await query(vacuum(table))
}
