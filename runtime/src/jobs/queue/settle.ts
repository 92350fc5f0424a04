import type { Database, Query } from '../../database/database.ts'
import { prepared } from '../../database/prepared.ts'
import { isoOf } from '../../database/iso-of.ts'
import { createBatch } from '../../streams/batch.ts'
import type { ClaimedJob } from './claim.ts'
import { repeatOnConflict } from '../../database/conflict.ts'
import { isHeld } from '../holds/statements.ts'
import { groupOf } from '../identity.ts'
import type { Problem } from '../retry-policy.ts'
import type { EnqueueJobs } from '../enqueue.ts'
import type { DeathEffects, FindDeathEffects, JobOutcome } from '../running-job.ts'
import { toStorableJson } from '../../database/storable-json.ts'

/** How a run ended. */
export type End =
  | { kind: 'succeeded', outcome: JobOutcome }
  | { kind: 'dead', problem: Problem, isFailure: boolean }

/** Why a job goes back into the queue. */
export interface PutBack {
  delayMs: number
  /** Due at once while its group is held: it waits for that anyway. */
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

const attemptsWith = (error: string): string => `
  (
    case
      when jsonb_array_length(jobs.attempts) >= ${mostRecordedAttempts} then jobs.attempts - 0
      else jobs.attempts
    end
  ) || jsonb_strip_nulls(jsonb_build_object(
    'startedAt', ${isoOf('jobs.claimed_at')},
    'finishedAt', ${isoOf('now()')},
    'error', ${error}
  ))`

// The fence: a job that another worker was given since has had more claims. `$1` holds the same ids
// as the records, so that the planner always enters the table by its key.
const isOurClaim = (given: string): string => `
  jobs.id = any($1::uuid[]) and jobs.id = ${given}.id and jobs.claims = ${given}.claim and jobs.state = 'running'`

const endStatement = prepared(`
  update jobs
  set state = null, due_at = null, claimed_at = null, heartbeat_at = null,
    outcome = ended.outcome, result = ended.result, problem = ended.problem,
    adapter = coalesce(ended.adapter, jobs.adapter),
    failures = failures + ended."isFailure"::integer,
    attempts = ${attemptsWith('ended.error')},
    command_order = null,
    finished_at = now(),
    died_at = case ended.outcome when 'dead' then now() end
  from json_to_recordset($2) as ended (
    id uuid, claim integer, outcome text, "isFailure" boolean, result jsonb, problem jsonb, error jsonb, adapter text
  )
  where ${isOurClaim('ended')}
  returning jobs.id, ended.claim`)

// A run without a problem was only broken off and leaves no trace.
const putBackStatement = prepared(`
  update jobs
  set state = 'returned', heartbeat_at = null,
    due_at = now() + interval '1 millisecond' * (
      case
        when given."resumesWithConnection" and ${isHeld(groupOf('jobs'))} then 0
        else given."delayMs"
      end
    ),
    problem = coalesce(given.problem, jobs.problem),
    adapter = case when given.problem is null then jobs.adapter else coalesce(given.adapter, jobs.adapter) end,
    failures = failures + case when given.problem is null then 0 else given."isFailure"::integer end,
    attempts = case when given.problem is null then jobs.attempts else ${attemptsWith('given.error')} end
  from json_to_recordset($2) as given (
    id uuid, claim integer, "delayMs" integer, "resumesWithConnection" boolean, "isFailure" boolean,
    problem jsonb, error jsonb, adapter text
  )
  where ${isOurClaim('given')}
  returning jobs.id, given.claim`)

const touchStatement = `
  update jobs
  set heartbeat_at = now()
  from json_to_recordset($2) as given (id uuid, claim integer)
  where ${isOurClaim('given')}
  returning jobs.id, given.claim`

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
  return changeOurs(query, statement, settlings.map(settling => ({ job: settling.job, change: describe(settling) })))
}

/**
 * Tells the queue that these jobs are being worked on. Answers those that another worker was given.
 */
export async function touch (query: Query, jobs: readonly ClaimedJob[]): Promise<ClaimedJob[]> {
  const areOurs = await changeOurs(query, touchStatement, jobs.map(job => ({ job, change: {} })))
  return jobs.filter((_, index) => areOurs[index] !== true)
}

/** Changes jobs by the claims of this process. Answers for each whether the claim still held. */
async function changeOurs (
  query: Query,
  statement: string,
  changes: readonly { job: ClaimedJob, change: object }[]
): Promise<boolean[]> {
  const keyOf = ({ id, claim }: { id: string, claim: number }): string => `${id}:${claim}`
  const records = changes.map(({ job: { id, claim }, change }) => ({ id, claim, ...change }))
  const ids = records.map(({ id }) => id)
  const changed =
    new Set((await query<{ id: string, claim: number }>(statement, [ids, toStorableJson(records)])).map(keyOf))
  return records.map(record => changed.has(keyOf(record)))
}

function errorOf ({ code, message }: Problem): { code: string, message: string } {
  return { code, message }
}
