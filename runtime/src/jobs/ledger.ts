import { setTimeout as sleep } from 'node:timers/promises'
import type { Query } from '../database/database.ts'
import { isoOf } from '../database/iso-of.ts'
import { isHeldUntilReleased } from './holds/statements.ts'
import { groupOf } from './identity.ts'
import type { JobRecord, JobStatus } from './job.ts'

export interface JobFilter {
  connectionId?: string
  jobType?: string
  /** A filter by status leaves out coalesced jobs and lists the job that stands for them. */
  status?: JobStatus
  requestId?: string
  /** ISO 8601: made at this time or later. */
  since?: string
  limit: number
  /** Position after the last job of the page before. */
  after?: { createdAt: string, id: string }
}

const firstLookMs = 25
const longestLookMs = 500

// `run` is the job that stands for this one: itself, unless it was coalesced.
const selectRecords = `
  select jobs.id, jobs.job_type as "jobType", jobs.connection_id as "connectionId",
    jobs.idempotency_key as "idempotencyKey", jobs.payload, jobs.request_id as "requestId",
    coalesce(run.outcome, case
      when run.state = 'running' then 'running'
      when run.due_at > now() or ${isHeldUntilReleased(groupOf('run'))} then 'waiting'
      else 'queued' end) as status,
    run.attempts, run.result, run.problem, run.adapter, jobs.coalesced_into as "coalescedInto",
    ${isoOf('jobs.created_at')} as "createdAt", ${isoOf('run.finished_at')} as "finishedAt"
  from jobs
    join jobs as run on run.id = coalesce(jobs.coalesced_into, jobs.id)`

const isHeld = isHeldUntilReleased(groupOf('jobs'))
const isNotRunning = "jobs.state in ('queued', 'returned')"

/** One condition per status. PostgreSQL answers each without reading the jobs that ended. */
const statusConditions: Readonly<Record<JobStatus, string>> = {
  queued: `${isNotRunning} and jobs.due_at <= now() and not ${isHeld}`,
  waiting: `${isNotRunning} and (jobs.due_at > now() or ${isHeld})`,
  running: "jobs.state = 'running'",
  dead: 'jobs.died_at is not null',
  succeeded: "jobs.outcome = 'succeeded'",
  cancelled: "jobs.outcome = 'cancelled'"
}

/**
 * A job in its present state, or undefined. A coalesced job shows the state of the job that stands
 * for it.
 */
export async function getJob (query: Query, id: string): Promise<JobRecord | undefined> {
  const [record] = await query<JobRecord>(`${selectRecords} where jobs.id = $1`, [id])
  return record
}

/** Jobs by their ids; those that retention removed are not among them. */
export async function getJobs (query: Query, ids: readonly string[]): Promise<ReadonlyMap<string, JobRecord>> {
  const records = await query<JobRecord>(`${selectRecords} where jobs.id = any($1::uuid[])`, [ids])
  return new Map(records.map(record => [record.id, record]))
}

/** The outcomes of those of these jobs that have ended, by id. */
export async function readOutcomes (query: Query, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ended = await query<{ id: string, outcome: string }>(
    'select id, outcome from jobs where id = any($1::uuid[]) and finished_at is not null',
    [ids]
  )
  return new Map(ended.map(({ id, outcome }) => [id, outcome]))
}

/** Newest first; jobs made in the same millisecond in the order of their ids. */
export async function listJobs (
  query: Query,
  { connectionId, jobType, status, requestId, since, limit, after }: JobFilter
): Promise<JobRecord[]> {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = [
    ...(connectionId === undefined ? [] : [`jobs.connection_id = ${value(connectionId)}`]),
    ...(jobType === undefined ? [] : [`jobs.job_type = ${value(jobType)}`]),
    ...(status === undefined ? [] : [`(${statusConditions[status]})`]),
    ...(requestId === undefined ? [] : [`jobs.request_id = ${value(requestId)}`]),
    ...(since === undefined ? [] : [`jobs.created_at >= ${value(since)}`]),
    ...(after === undefined ? [] : [positionCondition(value(after.createdAt), value(after.id))])
  ]
  return query<JobRecord>(
    `${selectRecords} where ${
      conditions.length === 0 ? 'true' : conditions.join(' and ')
    } order by jobs.created_at desc, jobs.id limit ${value(limit)}`,
    values
  )
}

// Not a row comparison, as the two columns are ordered in opposite directions; the first half is
// what the index is entered with.
function positionCondition (createdAt: string, id: string): string {
  return `jobs.created_at <= ${createdAt} and (jobs.created_at < ${createdAt} or jobs.id > ${id})`
}

/** At most `limit` jobs of a connection that run now. */
export async function runningJobs (
  query: Query,
  connectionId: string,
  limit: number
): Promise<Pick<JobRecord, 'id' | 'jobType'>[]> {
  return query(
    `
    select id, job_type as "jobType"
    from jobs
    where state = 'running' and ${groupOf('jobs')} = $1
    limit $2`,
    [connectionId, limit]
  )
}

/** Waits until a job has ended, for `milliseconds` at most, and answers it as it is then. */
export async function waitForJob (
  query: Query,
  id: string,
  milliseconds: number,
  signal: AbortSignal
): Promise<JobRecord | undefined> {
  let left = milliseconds
  for (let pause = firstLookMs;; pause = Math.min(longestLookMs, pause * 2)) {
    const record = await getJob(query, id)
    if (record === undefined || record.finishedAt !== null || left <= 0 || signal.aborted) return record
    const step = Math.min(pause, left)
    left -= step
    await sleep(step, undefined, { signal }).catch(() => undefined)
  }
}

/** Adds to the result of a job how many of its readings were older than what was stored. */
export async function noteOutdated (query: Query, jobId: string, outdated: number): Promise<void> {
  await query(
    `
    update jobs set result = jsonb_build_object('outdated', $2::integer) || case jsonb_typeof(result)
      when 'object' then result
      else jsonb_build_object('result', result)
    end
    where id = $1`,
    [jobId, outdated]
  )
}
