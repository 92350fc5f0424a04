import fp from 'fastify-plugin'
import { cleanRegularly } from '../../database/clean-regularly.ts'
import type { JobsOptions } from '../plugin.ts'
import { retention } from '../retention.ts'
import { createRedrives, type Redrives } from './redrives.ts'
import { runSteps } from './steps.ts'
import { removeOld } from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    redrives: Redrives
  }
}

export interface RedrivesPluginOptions extends JobsOptions {
  /** Whether this process runs the jobs of redrives again. */
  isWorker: boolean
}

const cleaningIntervalMs = 3_600_000
// Each has up to 10 000 rows of jobs.
const mostInOneStatement = 10

/** Redrives: they run many dead jobs again. */
export default fp<RedrivesPluginOptions>(async (app, { isWorker, ...options }) => {
  const { database, jobs: { enqueueJobs } } = app
  const log = app.log.child({ component: 'redrives' })
  const steps = isWorker ? runSteps({ database, enqueueJobs, log, ...options }) : undefined
  // The steps of another process look for themselves every second.
  const wake = (): void => steps?.runNow()
  app.decorate('redrives', createRedrives({ database, wake, ...options }))

  app.addHook('onReady', async () => {
    wake()
  })
  app.addHook('onClose', async () => {
    await steps?.stop()
  })
  cleanRegularly(app, {
    async clean (signal) {
      for (let removed = mostInOneStatement; removed === mostInOneStatement && !signal.aborted;) {
        removed = await removeOld(database.query, retention.deadDays, mostInOneStatement)
      }
    },
    everyMs: cleaningIntervalMs,
    work: 'removing old redrives',
    log
  })
}, { name: 'redrives', dependencies: ['database', 'jobs'] })
