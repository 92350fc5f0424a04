import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { findDeleted } from '../connections/store.ts'
import type { Counter } from '../figures/names.ts'
import { createJobWorker } from '../jobs/queue/job-worker.ts'
import type { SettledRun } from '../observability/instruments.ts'
import { createOfferReads } from '../offers/offer-reads.ts'
import { askCapability, callCapability, type HandlerServices } from './call-adapter.ts'
import { coreDeathEffectsOf, jobHandlerOf } from './core-jobs.ts'
import { skipDeleted } from './skip-deleted.ts'
import { createStockReads } from './stock-reads.ts'
import { createStockWrites } from './stock-writes.ts'

const defaults = { concurrency: 100, perConnection: 10 }
const counters: Readonly<Record<SettledRun['ending'], Counter>> = {
  succeeded: 'jobsSucceeded',
  dead: 'jobsDead',
  cancelled: 'jobsCancelled',
  'put back': 'jobsPutBack'
}
const limits = { deadlineMs: 120_000, graceMs: 5_000, stopMs: 10_000 }

/** The worker of this process: it claims jobs and runs the handler of each. */
export default fp<{ config: Config, now: () => Date, random: () => number }>(async (app, { config, now, random }) => {
  const log = app.log.child({ component: 'jobs' })
  const { adapters, connections, database, figures, metrics } = app
  const { enqueueJobs } = app.jobs
  const stockReads = createStockReads((job, opened, method, argument) =>
    callCapability({ adapters }, job, opened, 'InventoryMaster', method, argument)
  )
  const stockWrites = createStockWrites((job, opened, capability, method, ...args) =>
    askCapability({ adapters }, job, opened, capability, method, ...args)
  )
  const services: HandlerServices = {
    database,
    connections,
    adapters,
    enqueueJobs,
    offerReads: createOfferReads(database),
    stockReads,
    stockWrites,
    onStockWritten: figures.stockWritten,
    log,
    now
  }
  async function isDeleted (connectionId: string): Promise<boolean> {
    return (await findDeleted(database.query, [connectionId])).has(connectionId)
  }

  const worker = createJobWorker({
    ...defaults,
    ...config.file.workers,
    ...limits,
    tracing: config.tracing,
    database,
    enqueueJobs,
    log,
    now,
    random,
    findDeathEffects: coreDeathEffectsOf,
    findHandler (jobType) {
      const handler = jobHandlerOf(jobType, services)
      return handler === undefined ? undefined : skipDeleted(handler, isDeleted)
    },
    onAuthenticationFailure: connections.suspend,
    onSettled (run, connectionId) {
      metrics.jobSettled(run)
      figures.count(connectionId, counters[run.ending])
      const { ending, hasFailed, code } = run
      if (hasFailed || ending === 'succeeded') figures.ran(connectionId, { hasFailed, code, at: now() })
    },
    giveWay: app.intake.giveWay
  })
  app.addHook('onReady', async () => {
    worker.start()
  })
  app.addHook('preClose', () => worker.stop())
}, { name: 'handlers', dependencies: ['database', 'streams', 'jobs', 'metrics', 'figures', 'connections', 'adapters'] })
