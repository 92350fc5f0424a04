import fp from 'fastify-plugin'
import type { Config } from '../../config.ts'
import { cleanRegularly } from '../../database/clean-regularly.ts'
import { removeOldOrders } from './remove-old.ts'

const cleaningIntervalMs = 3_600_000

/** Removes ended orders when their time is over, if the settings limit it. */
export default fp<{ config: Pick<Config, 'ordersDays'> }>(async (app, { config: { ordersDays } }) => {
  if (ordersDays === undefined) return
  const log = app.log.child({ component: 'orders' })
  cleanRegularly(app, {
    async clean (signal) {
      const orders = await removeOldOrders(app.database, ordersDays, signal)
      if (orders > 0) log.info({ orders, days: ordersDays }, 'orders removed that ended long ago')
    },
    everyMs: cleaningIntervalMs,
    work: 'removing old orders',
    log
  })
}, { name: 'order-retention', dependencies: ['database'] })
