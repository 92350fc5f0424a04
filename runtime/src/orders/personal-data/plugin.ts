import fp from 'fastify-plugin'
import type { Config } from '../../config.ts'
import { cleanRegularly } from '../../database/clean-regularly.ts'
import { forgetOldOrders } from './forget-old.ts'
import type { OrderEvents } from './forget.ts'

const cleaningIntervalMs = 3_600_000

export interface PersonalDataOptions extends OrderEvents {
  config: Pick<Config, 'personalDataDays'>
}

/** Removes the data of buyers from ended orders when their time is over. */
export default fp<PersonalDataOptions>(async (app, { config: { personalDataDays }, ...events }) => {
  if (personalDataDays === undefined) return
  const log = app.log.child({ component: 'orders' })
  cleanRegularly(app, {
    async clean (signal) {
      const orders = await forgetOldOrders({ database: app.database, ...events }, personalDataDays, signal)
      if (orders > 0) log.info({ orders, days: personalDataDays }, 'data of buyers removed from ended orders')
    },
    everyMs: cleaningIntervalMs,
    work: 'removing the data of buyers',
    log
  })
}, { name: 'personal-data', dependencies: ['database'] })
