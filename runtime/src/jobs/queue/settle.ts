import { repeatOnConflict } from '../../database/conflict.ts'
import type { Database, Query } from '../../database/database.ts'
import { createBatch } from '../../streams/batch.ts'
import type { EnqueueJobs } from '../enqueue.ts'
import type { Problem } from '../retry-policy.ts'
import type { DeathEffects, FindDeathEffects, JobOutcome } from '../running-job.ts'
import type { ClaimedJob } from './claim.ts'
import { endJobs, putBackJobs, type Claim, type EndRow, type PutBack } from './store.ts'

/** How a run ended. */
export type End =
  | { kind: 'succeeded', outcome: JobOutcome }
  | { kind: 'dead', problem: Problem, isFailure: boolean }

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
  return endJobs(query, settlings.map(({ job, what, adapter }) => ({ ...claimOf(job), ...endRowOf(what, adapter) })))
}

function endRowOf (end: End, adapter: string | undefined): Omit<EndRow, keyof Claim> {
  if (end.kind === 'dead') return { outcome: 'dead', isFailure: end.isFailure, problem: end.problem, adapter }
  const { result, adapter: served = adapter } = end.outcome
  return { outcome: 'succeeded', isFailure: false, result, adapter: served }
}

function putBackAll (query: Query, settlings: readonly Settling<PutBack>[]): Promise<boolean[]> {
  return putBackJobs(query, settlings.map(({ job, what, adapter }) => ({ ...claimOf(job), ...what, adapter })))
}

function claimOf ({ id, claim }: ClaimedJob): Claim {
  return { id, claim }
}
