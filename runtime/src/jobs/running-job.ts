import type { Transaction } from '../database/database.ts'
import type { JobRequest, UpstreamCall } from './job.ts'
import type { Problem } from './retry-policy.ts'
import type { SharedEffects } from './shared-effects.ts'

/** The job, as its handler sees it. */
export interface RunningJob {
  id: string
  jobType: string
  connectionId: string | null
  payload: Readonly<Record<string, unknown>>
  requestId?: string
  /**
   * The time of the claim, by the clock of the database, which all processes share. Nothing that
   * the run reads is older.
   */
  claimedAt: string
  /** Aborts at the deadline, when the worker stops, and when another worker was given the job. */
  signal: AbortSignal
  /** When the signal aborts, in milliseconds since 1970. */
  deadline: number
  /**
   * Names the adapter (`adapterKey@version`) before it is called, so that the job shows it although
   * the run fails or never ends.
   */
  servedBy(adapter: string): void
  /** Keeps a request to a platform with the attempt. Undefined: this hub keeps none. */
  noteCall?: ((call: UpstreamCall) => void) | undefined
}

/**
 * The outcome of a finished run. One transaction stores all of it with the end of the job. When
 * another worker has the job by then, nothing is stored.
 */
export interface JobOutcome {
  result?: unknown
  adapter?: string
  followUps?: JobRequest[]
  /**
   * Writes inside that transaction; answers jobs that follow from what was written. May run again
   * after it was rolled back.
   */
  effects?: ((transaction: Transaction) => Promise<JobRequest[] | undefined>) | undefined
  /** Effects that the job stores together with other jobs of its kind. */
  shared?: SharedEffects | undefined
}

/** Writes the consequences of a job's death, whatever its cause, in the transaction of its end. */
export type DeathEffects = (transaction: Transaction, job: DeadJob, problem: Problem) => Promise<void>
export type DeadJob = Pick<RunningJob, 'id' | 'connectionId' | 'payload'>
export type FindDeathEffects = (jobType: string) => DeathEffects | undefined

/**
 * Takes back the consequences of a job's death when an operator runs it again, in the same
 * transaction. Answers jobs that follow.
 */
export type RetryEffects = (
  transaction: Transaction,
  job: DeadJob,
  requestId: string | undefined
) => Promise<JobRequest[]>
export type FindRetryEffects = (jobType: string) => RetryEffects | undefined

export type JobHandler = (job: RunningJob) => Promise<JobOutcome>

/**
 * `later`: the adapter of the type is not loaded now, so the job waits. Undefined: the type is
 * unknown, so the job is dead.
 */
export type FindHandler = (jobType: string, connectionId: string | null) => JobHandler | 'later' | undefined
