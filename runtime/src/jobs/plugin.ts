import fp from 'fastify-plugin'
import { cleanRegularly } from '../database/clean-regularly.ts'
import { JobNotFoundError } from '../errors.ts'
import type { RequestIds } from '../http/request-ids.ts'
import { createEnqueue, type EnqueueJobs } from './enqueue.ts'
import type { JobRecord, JobType } from './job.ts'
import { createKeysOf, type ObjectNames, type ObjectKeysOf } from './object-keys.ts'
import { createCancel, type CancelOptions, type CancelRequest } from './operation/cancel.ts'
import { createRetry, type RetryOptions } from './operation/retry.ts'
import { watchForDeadWorkers } from './queue/dead-workers.ts'
import { removeOldJobs } from './retention.ts'
import { getJob, listJobs, type JobFilter } from './store.ts'
import { vacuumJobsRegularly } from './vacuum.ts'
import { waitForJob } from './wait-for-job.ts'

declare module 'fastify' {
  interface FastifyInstance {
    jobs: Jobs
  }
}

export interface Jobs {
  enqueueJobs: EnqueueJobs
  /**
   * Returns the job without the secrets of its connection. Throws `LNK_JOB_NOT_FOUND`. With
   * `waitMs` it answers when the job has ended, or after that time.
   */
  get(id: string, waitMs: number, signal: AbortSignal): Promise<JobRecord>
  list(filter: ListFilter): Promise<JobRecord[]>
  /** Runs a dead or cancelled job again. Throws when its status does not allow it. */
  retry(id: string, request: RequestIds): Promise<void>
  /** Cancels a job. One that runs ends a moment later. Throws when it has ended. */
  cancel(id: string, request: CancelRequest): Promise<void>
}

/** A filter that also names the objects of the jobs. */
export interface ListFilter extends Omit<JobFilter, 'objectKeys'>, ObjectNames {
  objectKey?: string
}

const retention = { finishedDays: 14, deadDays: 30 }
const cleaningIntervalMs = 3_600_000

/** The text of this problem is the hub's own. It stays readable when all other texts are hidden. */
const connectionDeleted = 'LNK_CONNECTION_DELETED'

/** Takes the secrets of a connection out of a value. */
export type Redact = (value: unknown) => unknown

export interface JobsOptions
  extends Pick<RetryOptions, 'canRun' | 'findRetryEffects'>, Pick<CancelOptions, 'findDeathEffects'>
{
  /** Returns lane and object of a job type. */
  jobTypeOf(name: string): JobType
  /** Returns the function that redacts what belongs to a connection, or to none. */
  redactorsOf(connectionIds: readonly (string | null)[]): Promise<(connectionId: string | null) => Redact>
  objectKeysOf: ObjectKeysOf
}

/**
 * The ledger of jobs, which is also their queue. The engine knows no handler: `handlers/` runs the
 * jobs.
 */
export default fp<JobsOptions>(async (app, { jobTypeOf, redactorsOf, objectKeysOf, ...effects }) => {
  const log = app.log.child({ component: 'jobs' })
  const { database } = app
  const watch = await watchForDeadWorkers({ database, log })
  const vacuuming = database.mode === 'embedded' ? vacuumJobsRegularly(database, log) : undefined
  const enqueueJobs = createEnqueue({ database, jobTypeOf })
  const show = createShow(redactorsOf)
  const keysOf = createKeysOf(objectKeysOf)
  app.decorate('jobs', {
    enqueueJobs,
    retry: createRetry({ database, enqueueJobs, ...effects }),
    cancel: createCancel({ database, ...effects }),
    async list ({ objectKey, offerId, orderId, ...filter }) {
      const objectKeys = await keysOf({ objectKey, offerId, orderId, connectionId: filter.connectionId })
      return show(await listJobs(database.query, { ...filter, objectKeys }))
    },
    async get (id, waitMs, signal) {
      const record = waitMs > 0
        ? await waitForJob(database.query, id, waitMs, signal)
        : await getJob(database.query, id)
      const [shown] = record === undefined ? [] : await show([record])
      if (shown === undefined) throw new JobNotFoundError(id)
      return shown
    }
  })

  app.addHook('onClose', async () => {
    await Promise.all([watch.stop(), vacuuming?.stop()])
  })
  cleanRegularly(app, {
    clean: signal => removeOldJobs(database.query, retention, signal),
    everyMs: cleaningIntervalMs,
    work: 'removing old jobs',
    log
  })
}, { name: 'jobs', dependencies: ['database'] })

/**
 * Redacts keys and payloads on their way out: an adapter may have put a secret of its connection
 * into them, and they are stored as they are.
 */
function createShow (redactorsOf: JobsOptions['redactorsOf']) {
  return async (records: readonly JobRecord[]): Promise<JobRecord[]> => {
    const redactorOf = await redactorsOf(records.map(({ connectionId }) => connectionId))
    return records.map(record => redactJob(record, redactorOf(record.connectionId)))
  }
}

function redactJob (record: JobRecord, redact: Redact): JobRecord {
  const text = (value: string): string => String(redact(value))
  const { objectKey, idempotencyKey, payload, attempts, result, problem } = record
  return {
    ...record,
    objectKey: text(objectKey),
    idempotencyKey: text(idempotencyKey),
    payload: redact(payload) as JobRecord['payload'],
    result: redact(result),
    attempts: attempts.map(({ error, ...attempt }) =>
      error === undefined ? attempt : { ...attempt, error: { ...error, message: text(error.message) } }
    ),
    problem: problem === null
      ? null
      : {
        ...problem,
        message: problem.code === connectionDeleted ? problem.message : text(problem.message),
        fields: redact(problem.fields) as typeof problem.fields
      }
  }
}
