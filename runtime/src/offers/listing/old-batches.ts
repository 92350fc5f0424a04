import fp from 'fastify-plugin'
import type { Config } from '../../config.ts'
import { cleanRegularly } from '../../database/clean-regularly.ts'
import { removeOldBatches } from './store.ts'

const cleaningIntervalMs = 3_600_000

/** Removes old batches of offers. The offers stay. */
export default fp<{ config: Pick<Config, 'batchesDays'> }>(async (app, { config: { batchesDays } }) => {
  if (batchesDays === undefined) return
  cleanRegularly(app, {
    clean: signal => removeOldBatches(app.database.query, batchesDays, signal),
    everyMs: cleaningIntervalMs,
    work: 'removing old batches of offers',
    log: app.log
  })
}, { name: 'old-batches', dependencies: ['database'] })
