import fp from 'fastify-plugin'
import { cleanRegularly } from '../../database/clean-regularly.ts'
import { removeOldLinks } from './store.ts'

const cleaningIntervalMs = 3_600_000

/** Removes links of deleted connections that nobody takes over. */
export default fp(async app => {
  cleanRegularly(app, {
    clean: signal => removeOldLinks(app.database.query, signal),
    everyMs: cleaningIntervalMs,
    work: 'removing links of deleted connections',
    log: app.log
  })
}, { name: 'old-links', dependencies: ['database'] })
