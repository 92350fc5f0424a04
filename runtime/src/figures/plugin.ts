import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { cleanRegularly } from '../database/clean-regularly.ts'
import { runRegularly } from '../run-regularly.ts'
import { createRollup, type Rollup } from './rollup.ts'
import { createSampling, type SamplingOptions } from './sampling.ts'
import { minutesKeptHours } from './span.ts'
import { mergeMinutes, removeOldHours, storeFigures } from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    figures: Rollup
  }
}

export interface FiguresOptions extends Pick<SamplingOptions, 'readLiveJobs' | 'readDrift'> {
  now: () => Date
}

const sampleEveryMs = 60_000
const cleaningIntervalMs = 3_600_000
const hourMs = 3_600_000

/**
 * Counts what the hub does, in the database, so that the figures outlive the process and are those
 * of all processes: `/metrics` has those of one process since its start.
 */
export default fp<FiguresOptions>(async (app, { now, readLiveJobs, readDrift }) => {
  const { database } = app
  const log = app.log.child({ component: 'figures' })
  const process = randomUUID()
  const rollup = createRollup({
    store: rows => storeFigures(database.query, process, rows),
    now,
    onError (error) {
      log.warn({ err: error }, 'storing the figures failed; they are added to those of a later minute')
    }
  })
  const sampling = runRegularly({
    run: createSampling({ database, readLiveJobs, readDrift, nowMs: () => performance.now() }),
    everyMs: sampleEveryMs,
    warning: 'taking a sample of the live jobs or of the drift failed; the plots have a gap',
    log
  })
  app.decorate('figures', rollup)
  cleanRegularly(app, {
    async clean (signal) {
      const hour = Math.floor(now().getTime() / hourMs) - minutesKeptHours
      // An hour is merged when its last minute is old enough.
      await mergeMinutes(database.query, new Date(hour * hourMs), signal)
      await removeOldHours(database.query, signal)
    },
    everyMs: cleaningIntervalMs,
    work: 'merging old figures',
    log
  })
  app.addHook('onReady', async () => {
    sampling.runNow()
  })
  app.addHook('onClose', async () => {
    await sampling.stop()
    await rollup.flush()
  })
}, { name: 'figures', dependencies: ['database'] })
