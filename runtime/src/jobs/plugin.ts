import fp from 'fastify-plugin'
import { removeExpiredState } from '../adapters/expired-state.ts'
import type { Config } from '../config.ts'
import type { Connections } from '../connections/connections.ts'
import type { Redact } from '../connections/redaction.ts'
import { JobNotFoundError } from '../errors.ts'
import { startJobEngine } from './engine.ts'
import { createEnqueue, type EnqueueJobs } from './enqueue.ts'
import { coreDeathEffectsOf, coreHandlerOf } from '../handlers/core-handlers.ts'
import { callCapability, type HandlerServices } from '../handlers/call-adapter.ts'
import { createStockReads } from '../handlers/stock-reads.ts'
import { createStockWrites } from '../handlers/stock-writes.ts'
import type { JobRecord } from './job.ts'
import { jobTypeOf } from './job-types.ts'
import { getJob, listJobs, waitForJob, type JobFilter } from './ledger.ts'
import { removeOldJobs } from './retention.ts'
import { createWorker } from './worker.ts'

declare module 'fastify' {
  interface FastifyInstance {
    jobs: Jobs
  }
}

export interface Jobs {
  enqueueJobs: EnqueueJobs
  /**
   * As people may see it, without the secrets of its connection. Throws `LNK_JOB_NOT_FOUND`. With
   * `waitMs` it answers when the job has ended, or after that time.
   */
  get(id: string, waitMs: number, signal: AbortSignal): Promise<JobRecord>
  list(filter: JobFilter): Promise<JobRecord[]>
}

const defaults = { concurrency: 50, perConnection: 10 }
const limits = { deadlineMs: 120_000, graceMs: 5_000, stopMs: 10_000 }
const retention = { finishedDays: 14, deadDays: 30 }
const cleaningIntervalMs = 3_600_000

/**
 * The ledger and the queue of jobs and, unless this process only serves HTTP, the worker that runs
 * them.
 */
export default fp<{ config: Config, now: () => Date, random: () => number }>(async (app, { config, now, random }) => {
  const log = app.log.child({ component: 'jobs' })
  const { database } = app
  const engine = await startJobEngine({ database, log })
  const enqueueJobs = createEnqueue({ engine, database, jobTypeOf })
  const show = createShow(app.connections)
  app.decorate('jobs', {
    enqueueJobs,
    list: async filter => show(await listJobs(database.query, filter)),
    async get (id, waitMs, signal) {
      const record = waitMs > 0
        ? await waitForJob(database.query, id, waitMs, signal)
        : await getJob(database.query, id)
      const [shown] = record === undefined ? [] : await show([record])
      if (shown === undefined) throw new JobNotFoundError(id)
      return shown
    }
  })

  if (config.role !== 'http') {
    const { connections, adapters } = app
    const stockReads = createStockReads((job, opened, method, argument) =>
      callCapability({ connections, adapters }, job, opened, 'InventoryMaster', method, argument)
    )
    const stockWrites = createStockWrites((job, opened, capability, method, ...args) =>
      callCapability({ connections, adapters }, job, opened, capability, method, ...args)
    )
    const services: HandlerServices = {
      database,
      connections,
      adapters,
      enqueueJobs,
      stockReads,
      stockWrites,
      log,
      now
    }
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
    app.addHook('onReady', async () => {
      worker.start()
    })
    app.addHook('preClose', () => worker.stop())
  }

  const cleaning = setInterval(() => {
    removeOldJobs(database.query, retention).catch((error: unknown) => {
      log.warn({ err: error }, 'removing old jobs failed; it is tried again later')
    })
    removeExpiredState(database.query).catch((error: unknown) => {
      log.warn({ err: error }, 'removing what adapters let expire failed; it is tried again later')
    })
  }, cleaningIntervalMs)
  cleaning.unref()
  app.addHook('onClose', async () => {
    clearInterval(cleaning)
    await engine.close()
  })
}, { name: 'jobs', dependencies: ['database', 'metrics', 'connections', 'adapters'] })

/**
 * What an adapter put into a key or a payload is stored as it is, and may be a secret of its
 * connection.
 */
function createShow (connections: Pick<
  Connections,
  'redactorsOf'
>): (records: readonly JobRecord[]) => Promise<JobRecord[]> {
  return async records => {
    const redactorOf = await connections.redactorsOf(records.map(({ connectionId }) => connectionId))
    return records.map(record => redactJob(record, redactorOf(record.connectionId)))
  }
}

function redactJob (record: JobRecord, redact: Redact): JobRecord {
  const text = (value: string): string => String(redact(value))
  const { idempotencyKey, payload, attempts, result, problem } = record
  return {
    ...record,
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
        message: text(problem.message),
        ...(problem.fields === undefined
          ? {}
          : { fields: redact(problem.fields) as NonNullable<typeof problem.fields> })
      }
  }
}
