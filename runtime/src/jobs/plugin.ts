import fp from 'fastify-plugin'
import { cleanRegularly } from '../database/clean-regularly.ts'
import { JobNotFoundError } from '../errors.ts'
import type { RequestIds } from '../http/request-ids.ts'
import { createEnqueue, type EnqueueJobs } from './enqueue.ts'
import type { GroupedStatus, JobGroups } from './groups/schemas.ts'
import { createShowGroups } from './groups/show-groups.ts'
import type { JobType } from './job.ts'
import { createKeysOf, type ObjectNames, type ObjectKeysOf } from './object-keys.ts'
import { createCancel, type CancelOptions, type CancelRequest } from './operation/cancel.ts'
import { createRetry, type RetryOptions } from './operation/retry.ts'
import { watchForDeadWorkers } from './queue/dead-workers.ts'
import { removeOldJobs, retention } from './retention.ts'
import { createShow, createWaitsOf, type ShowOptions, type ShownJob, type WaitsOf } from './show-jobs.ts'
import { getJob, getJobs, listJobs, type JobFilter } from './store.ts'
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
  get(id: string, waitMs: number, signal: AbortSignal): Promise<ShownJob>
  list(filter: ListFilter): Promise<ShownJob[]>
  /** Returns those of the jobs that the ledger has, by their ids, as `get` does. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, ShownJob>>
  waitsOf: WaitsOf
  /** Counts dead or waiting jobs by connection, type and problem, and says why the sample waits. */
  groups(status: GroupedStatus): Promise<JobGroups>
  /** Runs a dead or cancelled job again. Throws when its status does not allow it. */
  retry(id: string, request: RequestIds): Promise<void>
  /** Cancels a job, also a dead one. One that runs ends a moment later. Throws for other ends. */
  cancel(id: string, request: CancelRequest): Promise<void>
}

/** A filter that also names the objects of the jobs. */
export interface ListFilter extends Omit<JobFilter, 'objectKeys'>, ObjectNames {
  objectKey?: string
}

const cleaningIntervalMs = 3_600_000

export interface JobsOptions
  extends
    Pick<RetryOptions, 'findObstacles' | 'findRetryEffects'>,
    Pick<CancelOptions, 'findDeathEffects'>,
    Pick<ShowOptions, 'redactorsOf' | 'connectionStates'>
{
  /** Returns lane and object of a job type. */
  jobTypeOf(name: string): JobType
  objectKeysOf: ObjectKeysOf
}

/**
 * The ledger of jobs, which is also their queue. The engine knows no handler: `handlers/` runs the
 * jobs.
 */
export default fp<JobsOptions>(async (app, { jobTypeOf, redactorsOf, connectionStates, objectKeysOf, ...effects }) => {
  const log = app.log.child({ component: 'jobs' })
  const { database } = app
  const watch = await watchForDeadWorkers({ database, log })
  const vacuuming = database.mode === 'embedded' ? vacuumJobsRegularly(database, log) : undefined
  const enqueueJobs = createEnqueue({ database, jobTypeOf })
  const show = createShow({ query: database.query, redactorsOf, connectionStates })
  const waitsOf = createWaitsOf({ query: database.query, connectionStates })
  const keysOf = createKeysOf(objectKeysOf)
  async function find (ids: readonly string[]): Promise<ReadonlyMap<string, ShownJob>> {
    const shown = await show([...(await getJobs(database.query, ids)).values()])
    return new Map(shown.map(job => [job.id, job]))
  }

  app.decorate('jobs', {
    enqueueJobs,
    retry: createRetry({ database, enqueueJobs, ...effects }),
    cancel: createCancel({ database, ...effects }),
    async list ({ objectKey, offerId, orderId, ...filter }) {
      const objectKeys = await keysOf({ objectKey, offerId, orderId, connectionId: filter.connectionId })
      return show(await listJobs(database.query, { ...filter, objectKeys }))
    },
    find,
    waitsOf,
    groups: createShowGroups({ query: database.query, waitsOf }),
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
