import { asError } from '../../as-error.ts'
import { repeatOnConflict } from '../../database/conflict.ts'
import type { Database, Query } from '../../database/database.ts'
import { isInfrastructureError } from '../../database/infrastructure-error.ts'
import { createBatch, type Batch } from '../../streams/batch.ts'
import type { EnqueueJobs } from '../enqueue.ts'
import type { Cancellation, KeptCalls } from '../job.ts'
import type { Problem } from '../retry-policy.ts'
import type { DeathEffects, FindDeathEffects, JobOutcome } from '../running-job.ts'
import type { SharedEffects } from '../shared-effects.ts'
import { storeOutcomes } from '../store-outcomes.ts'
import type { ClaimedJob } from './claim.ts'
import { endJobs, findCancellations, putBackJobs, type Claim, type EndRow, type PutBack } from './store.ts'

/** How a run ended, and the requests to platforms that its attempt keeps. */
export type End =
  & { kept?: KeptCalls | undefined }
  & (
    | { kind: 'succeeded', outcome: JobOutcome }
    | { kind: 'dead', problem: Problem, isFailure: boolean }
    | { kind: 'cancelled', problem: Problem }
  )

/**
 * Each function answers whether the job still belonged to this claim. If it did not, nothing was
 * stored.
 */
export interface Settle {
  /** `isAlone`: a success shares its transaction with no other job. */
  end(job: ClaimedJob, end: End, adapter: string | undefined, isAlone?: boolean): Promise<boolean>
  /** Answers false, too, when somebody cancelled the job: it must end. */
  putBack(job: ClaimedJob, back: PutBack, adapter: string | undefined): Promise<boolean>
  /** Who cancelled the job while this claim holds, if somebody did. */
  cancellationOf(job: ClaimedJob): Promise<Cancellation | undefined>
}

export interface SettleOptions {
  database: Database
  enqueueJobs: EnqueueJobs
  findDeathEffects?: FindDeathEffects | undefined
  /** Whether several handlers of this process run, whose ends will come. Default: they do not. */
  isMoreExpected?: () => boolean
  /**
   * While more runs are expected to end, each kind of end has at most one small transaction in this
   * time: what a job costs is mostly the number of statements.
   */
  gatherMs?: number
}

type Success = Settling<End & { kind: 'succeeded' }>

interface Settling<What> {
  job: ClaimedJob
  what: What
  adapter: string | undefined
}

const mostInOneStatement = 200
// A transaction locks what it writes until its end.
const mostInOneTransaction = 50
const mostWaiting = 100_000

/**
 * Ends jobs and puts them back. One statement settles all jobs that end in the same turn of the
 * event loop, or within some milliseconds when more are running. Those with follow-ups or shared
 * effects share a transaction; a run with effects of its own has one of its own.
 */
export function createSettle (options: SettleOptions): Settle {
  const { database, enqueueJobs, findDeathEffects = () => undefined, isMoreExpected = () => false, gatherMs = 20 } =
    options
  const batchLimits = {
    maxRunning: 2,
    maxWaiting: mostWaiting,
    gather: { ms: gatherMs, isMoreExpected }
  }
  const ends = createBatch({
    ...batchLimits,
    maxItems: mostInOneStatement,
    run: (items: readonly Settling<End>[]) => endAll(database.query, items)
  })
  // One batch for each kind of shared effects, so that a transaction locks rows of one kind, and a
  // locked row holds up one kind. `undefined`: jobs that have follow-ups only.
  const successes = new Map<SharedEffects['storeAll'] | undefined, Batch<Success, boolean>>()
  const backs = createBatch({
    ...batchLimits,
    maxItems: mostInOneStatement,
    run: (items: readonly Settling<PutBack>[]) => putBackAll(database.query, items)
  })

  function successesOf (storeAll: SharedEffects['storeAll'] | undefined): Batch<Success, boolean> {
    const known = successes.get(storeAll)
    if (known !== undefined) return known
    const batch = createBatch({ ...batchLimits, maxItems: mostInOneTransaction, run: endTogether })
    successes.set(storeAll, batch)
    return batch
  }

  /**
   * Ends jobs in one transaction. When it fails, each has one of its own, so that a bad one does
   * not fail the others.
   */
  async function endTogether (settlings: readonly Success[]): Promise<(boolean | Error)[]> {
    try {
      return await endWithEffects(settlings)
    } catch (error) {
      if (settlings.length === 1 || isInfrastructureError(error)) throw error
      return Promise.all(settlings.map(settling => endAlone(settling).catch(asError)))
    }
  }

  async function endAlone (settling: Success): Promise<boolean> {
    const [isOurs] = await endWithEffects([settling])
    return isOurs === true
  }

  async function endWithEffects (settlings: readonly Success[]): Promise<boolean[]> {
    const { areOurs, hasFollowUps } = await repeatOnConflict(() =>
      database.transaction(async transaction => {
        const areOurs = await endAll(transaction.query, settlings)
        const outcomes = settlings.filter((_, index) => areOurs[index] === true).map(({ what }) => what.outcome)
        const requests = await storeOutcomes(transaction, outcomes)
        await enqueueJobs(requests, transaction)
        return { areOurs, hasFollowUps: requests.length > 0 }
      })
    )
    if (hasFollowUps) database.notify('jobs')
    return areOurs
  }

  /** Ends a job without a success. */
  async function endUndone (settling: Settling<End>, problem: Problem, effects: DeathEffects): Promise<boolean> {
    return repeatOnConflict(() =>
      database.transaction(async transaction => {
        const [isOurs] = await endAll(transaction.query, [settling])
        if (isOurs === true) await effects(transaction, settling.job, problem)
        return isOurs === true
      })
    )
  }

  function endSuccess (settling: Success, isAlone: boolean): Promise<boolean> {
    const { effects, shared, followUps = [] } = settling.what.outcome
    if (effects !== undefined || isAlone) return endAlone(settling)
    const isSimple = shared === undefined && followUps.length === 0
    return isSimple ? ends.add(settling) : successesOf(shared?.storeAll).add(settling)
  }

  return {
    end (job, what, adapter, isAlone = false) {
      if (what.kind === 'succeeded') return endSuccess({ job, what, adapter }, isAlone)
      const settling = { job, what, adapter }
      const effects = findDeathEffects(job.jobType)
      return effects === undefined ? ends.add(settling) : endUndone(settling, what.problem, effects)
    },
    putBack: (job, what, adapter) => backs.add({ job, what, adapter }),
    cancellationOf: async job => (await findCancellations(database.query, [job])).get(job)
  }
}

function endAll (query: Query, settlings: readonly Settling<End>[]): Promise<boolean[]> {
  return endJobs(query, settlings.map(({ job, what, adapter }) => ({ ...claimOf(job), ...endRowOf(what, adapter) })))
}

function endRowOf (end: End, adapter: string | undefined): Omit<EndRow, keyof Claim> {
  const { kind: outcome, kept } = end
  if (end.kind === 'dead') return { outcome, isFailure: end.isFailure, problem: end.problem, adapter, kept }
  if (end.kind === 'cancelled') return { outcome, isFailure: false, problem: end.problem, adapter, kept }
  const { result, adapter: served = adapter } = end.outcome
  return { outcome, isFailure: false, result, adapter: served, kept }
}

function putBackAll (query: Query, settlings: readonly Settling<PutBack>[]): Promise<boolean[]> {
  return putBackJobs(query, settlings.map(({ job, what, adapter }) => ({ ...claimOf(job), ...what, adapter })))
}

function claimOf ({ id, claim }: ClaimedJob): Claim {
  return { id, claim }
}
