import fp from 'fastify-plugin'
import { removeExpiredState } from '../adapters/expired-state.ts'
import type { Config } from '../config.ts'
import type { Query } from '../database/database.ts'
import { JobNotFoundError } from '../errors.ts'
import { startJobEngine } from './engine.ts'
import { createEnqueue, type EnqueueJobs } from './enqueue.ts'
import { coreDeathEffectsOf, coreHandlerOf } from './handlers/handlers.ts'
import { callCapability, type HandlerServices } from './handlers/handler.ts'
import { createStockReads } from './handlers/stock-reads.ts'
import { createStockWrites } from './handlers/stock-writes.ts'
import type { JobRecord } from './job.ts'
import { jobTypeOf } from './job-types.ts'
import { getJob, listJobs, waitForJob, type JobFilter } from './ledger.ts'
import { removeOldJobs } from './retention.ts'
import { createWorker } from './worker.ts'

declare module 'fastify' {
  interface FastifyInstance { jobs: Jobs }
}

export interface Jobs {
  enqueueJobs: EnqueueJobs
  /** Throws `LNK_JOB_NOT_FOUND`. With `waitMs` it answers when the job has ended, or after that time. */
  get (id: string, waitMs: number, signal: AbortSignal): Promise<JobRecord>
  list (filter: JobFilter): Promise<JobRecord[]>
}

const defaults = { concurrency: 50, perConnection: 10 }
const limits = { deadlineMs: 120_000, graceMs: 5_000, stopMs: 10_000 }
const retention = { finishedDays: 14, deadDays: 30 }
const cleaningIntervalMs = 3_600_000

/** The ledger and the queue of jobs and, unless this process only serves HTTP, the worker that runs them. */
export default fp<{ config: Config, now: () => Date, random: () => number }>(async (app, { config, now, random }) => {
  const log = app.log.child({ component: 'jobs' })
  const { database } = app
  const engine = await startJobEngine({ database, log })
  const enqueueJobs = createEnqueue({ engine, database, jobTypeOf })
  app.decorate('jobs', { enqueueJobs, list: filter => listJobs(database.query, filter), get: createGet(database.query) })

  if (config.role !== 'http') {
    const { connections, adapters } = app
    const stockReads = createStockReads((job, opened, method, argument) => callCapability({ connections, adapters }, job, opened, 'InventoryMaster', method, argument))
    const stockWrites = createStockWrites((job, opened, capability, method, ...args) => callCapability({ connections, adapters }, job, opened, capability, method, ...args))
    const services: HandlerServices = { database, connections, adapters, enqueueJobs, stockReads, stockWrites, log, now }
    const worker = createWorker({
      ...defaults,
      ...config.file.workers,
      ...limits,
      database,
      enqueueJobs,
      log,
      random,
      findDeathEffects: coreDeathEffectsOf,
      findHandler (jobType) {
        const handler = coreHandlerOf(jobType)
        return handler === undefined ? undefined : job => handler(job, services)
      },
      onAuthenticationFailure: app.connections.suspend,
      onSettled: app.metrics.jobSettled
    })
    app.addHook('onReady', async () => { worker.start() })
    app.addHook('preClose', () => worker.stop())
  }

  const cleaning = setInterval(() => {
    removeOldJobs(database.query, retention).catch((error: unknown) => { log.warn({ err: error }, 'removing old jobs failed; it is tried again later') })
    removeExpiredState(database.query).catch((error: unknown) => { log.warn({ err: error }, 'removing what adapters let expire failed; it is tried again later') })
  }, cleaningIntervalMs)
  cleaning.unref()
  app.addHook('onClose', async () => {
    clearInterval(cleaning)
    await engine.close()
  })
}, { name: 'jobs', dependencies: ['database', 'metrics', 'connections', 'adapters'] })

function createGet (query: Query): Jobs['get'] {
  return async function get (id, waitMs, signal) {
    const record = waitMs > 0 ? await waitForJob(query, id, waitMs, signal) : await getJob(query, id)
    if (record === undefined) throw new JobNotFoundError(id)
    return record
  }
}
