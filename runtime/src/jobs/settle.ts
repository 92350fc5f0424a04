import type { Database, Query } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import { createBatch } from '../streams/batch.ts'
import type { ClaimedJob } from './claim.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import type { Problem } from './retry-policy.ts'
import type { EnqueueJobs } from './enqueue.ts'
import type { DeathEffects, FindDeathEffects, JobOutcome } from './running-job.ts'
import { toStorableJson } from '../database/storable-json.ts'

/** How a run ended. */
export type End =
  | { kind: 'succeeded', outcome: JobOutcome }
  | { kind: 'dead', problem: Problem, isFailure: boolean }

/** Why a job goes back into the queue. */
export interface PutBack {
  delayMs: number
  /** Due at once while its connection is not active: it waits for that anyway. */
  resumesWithConnection: boolean
  /** Uses an attempt. */
  isFailure: boolean
  /** Absent when the run was only broken off: it leaves no trace. */
  problem?: Problem
}

/**
 * Each function answers whether the job still belonged to this claim. If it did not, nothing was
 * stored.
 */
export interface Settle {
  end(job: ClaimedJob, end: End, adapter: string | undefined): Promise<boolean>
  putBack(job: ClaimedJob, back: PutBack, adapter: string | undefined): Promise<boolean>
}

interface Settling<What> {
  job: ClaimedJob
  what: What
  adapter: string | undefined
}

const mostInOneStatement = 200
const mostWaiting = 100_000
const mostRecordedAttempts = 20

const isoOf = (time: string): string => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const withAttempt = (settled: string): string => `
  (
    case
      when jsonb_array_length(jobs.attempts) >= ${mostRecordedAttempts} then jobs.attempts - 0
      else jobs.attempts
    end
  ) || jsonb_strip_nulls(jsonb_build_object(
    'startedAt', ${isoOf(`${settled}.started_on`)},
    'finishedAt', ${isoOf('now()')},
    'error', ${settled}.error
  ))`

// The fence: a row that another worker was given since has a higher retry_count.
const isOurClaim = `
  name in ('command', 'state')
  and id = any($1::uuid[])
  and state = 'active'
  and (id::text || ':' || retry_count::text) = any($2::text[])`

const endStatement = prepared(`
  with gone as (
    delete from pgboss.job
    where ${isOurClaim}
    returning id, retry_count as claim, started_on
  ),
  settled as (
    select *
    from gone
    join json_to_recordset($3) as ended (
      id uuid, claim integer, outcome text, "isFailure" boolean, result jsonb, problem jsonb,
      error jsonb, adapter text
    ) using (id, claim)
  )
  update jobs
  set outcome = settled.outcome, result = settled.result, problem = settled.problem,
    adapter = coalesce(settled.adapter, jobs.adapter),
    failures = failures + settled."isFailure"::integer,
    attempts = ${withAttempt('settled')},
    command_order = null,
    finished_at = now(),
    died_at = case settled.outcome when 'dead' then now() end
  from settled
  where jobs.id = settled.id
  returning jobs.id, settled.claim`)

const putBackStatement = prepared(`
  with given as (
    select *
    from json_to_recordset($3) as given (
      id uuid, claim integer, "delayMs" integer, "resumesWithConnection" boolean,
      "isFailure" boolean, problem jsonb, error jsonb, adapter text
    )
  ),
  returned as (
    update pgboss.job
    set state = 'retry', heartbeat_on = null,
      output = jsonb_build_object('released', retry_count::text),
      start_after = now() + interval '1 millisecond' * (
        select case
          when "resumesWithConnection"
            and (select status from connections where connections.id = job.group_id::uuid) <> 'active'
          then 0
          else "delayMs"
        end
        from given
        where given.id = job.id and given.claim = job.retry_count
      )
    where ${isOurClaim}
    returning id, retry_count as claim, started_on
  ),
  settled as (
    select * from returned join given using (id, claim)
  ),
  ran as (
    update jobs
    set problem = settled.problem,
      adapter = coalesce(settled.adapter, jobs.adapter),
      failures = failures + settled."isFailure"::integer,
      attempts = ${withAttempt('settled')}
    from settled
    where jobs.id = settled.id and settled.problem is not null
  )
  select id, claim from settled`)

/**
 * Ends jobs and puts them back. One statement settles all jobs that end in the same turn of the
 * event loop; a run with effects or follow-ups has a transaction of its own.
 */
export function createSettle ({ database, enqueueJobs, findDeathEffects = () => undefined }: {
  database: Database,
  enqueueJobs: EnqueueJobs,
  findDeathEffects?: FindDeathEffects | undefined
}): Settle {
  const ends = createBatch({
    maxItems: mostInOneStatement,
    maxRunning: 2,
    maxWaiting: mostWaiting,
    run: (items: readonly Settling<End>[]) => endAll(database.query, items)
  })
  const backs = createBatch({
    maxItems: mostInOneStatement,
    maxRunning: 2,
    maxWaiting: mostWaiting,
    run: (items: readonly Settling<PutBack>[]) => putBackAll(database.query, items)
  })

  async function endWithEffects (settling: Settling<End>, { effects, followUps = [] }: JobOutcome): Promise<boolean> {
    const [isDone, hasFollowUps] = await repeatOnConflict(() =>
      database.transaction(async transaction => {
        const [isOurs] = await endAll(transaction.query, [settling])
        if (isOurs !== true) return [false, false]
        const requests = [...followUps, ...await effects?.(transaction) ?? []]
        await enqueueJobs(requests, transaction)
        return [true, requests.length > 0]
      })
    )
    if (hasFollowUps) database.notify('jobs')
    return isDone
  }

  async function endDead (settling: Settling<End>, problem: Problem, effects: DeathEffects): Promise<boolean> {
    return repeatOnConflict(() =>
      database.transaction(async transaction => {
        const [isOurs] = await endAll(transaction.query, [settling])
        if (isOurs === true) await effects(transaction, settling.job, problem)
        return isOurs === true
      })
    )
  }

  return {
    end (job, what, adapter) {
      const settling = { job, what, adapter }
      const deathEffects = what.kind === 'dead' ? findDeathEffects(job.jobType) : undefined
      if (what.kind === 'dead' && deathEffects !== undefined) return endDead(settling, what.problem, deathEffects)
      const hasEffects = what.kind === 'succeeded' &&
        (what.outcome.effects !== undefined || (what.outcome.followUps ?? []).length > 0)
      return hasEffects ? endWithEffects(settling, what.outcome) : ends.add(settling)
    },
    putBack: (job, what, adapter) => backs.add({ job, what, adapter })
  }
}

function endAll (query: Query, settlings: readonly Settling<End>[]): Promise<boolean[]> {
  return settleAll(query, endStatement, settlings, ({ what, adapter }) =>
    what.kind === 'succeeded'
      ? {
        outcome: 'succeeded',
        isFailure: false,
        result: what.outcome.result,
        adapter: what.outcome.adapter ?? adapter
      }
      : { outcome: 'dead', isFailure: what.isFailure, problem: what.problem, error: errorOf(what.problem), adapter })
}

function putBackAll (query: Query, settlings: readonly Settling<PutBack>[]): Promise<boolean[]> {
  return settleAll(
    query,
    putBackStatement,
    settlings,
    ({ what, adapter }) => ({
      ...what,
      ...(what.problem === undefined ? {} : { error: errorOf(what.problem) }),
      adapter
    })
  )
}

async function settleAll<What> (
  query: Query,
  statement: string,
  settlings: readonly Settling<What>[],
  describe: (settling: Settling<What>) => object
): Promise<boolean[]> {
  const { ids, claims } = claimsOf(settlings.map(({ job }) => job))
  const rows = settlings.map(settling => ({ id: settling.job.id, claim: settling.job.claim, ...describe(settling) }))
  const settled =
    new Set((await query<{ id: string, claim: number }>(statement, [ids, claims, toStorableJson(rows)])).map(
      ({ id, claim }) => `${id}:${claim}`
    ))
  return claims.map(claim => settled.has(claim))
}

/**
 * Tells the queue that these jobs are being worked on. Answers those that another worker was given.
 */
export async function touch (query: Query, jobs: readonly ClaimedJob[]): Promise<ClaimedJob[]> {
  const { ids, claims } = claimsOf(jobs)
  const rows = await query<{ id: string, claim: number }>(
    `update pgboss.job set heartbeat_on = now() where ${isOurClaim} returning id, retry_count as claim`,
    [ids, claims]
  )
  const kept = new Set(rows.map(({ id, claim }) => `${id}:${claim}`))
  return jobs.filter((_, index) => !kept.has(claims[index] ?? ''))
}

/** The two parameters of the fence. */
function claimsOf (jobs: readonly ClaimedJob[]): { ids: string[], claims: string[] } {
  return { ids: jobs.map(job => job.id), claims: jobs.map(job => `${job.id}:${job.claim}`) }
}

function errorOf ({ code, message }: Problem): { code: string, message: string } {
  return { code, message }
}
