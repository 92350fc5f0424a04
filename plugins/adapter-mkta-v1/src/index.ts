import { defineAdapter } from '@linker/sdk'
import { createClient } from './client.ts'
import { Config, Credentials } from './config.ts'
import { cursors } from './cursors.ts'
import { createMarketplace } from './marketplace.ts'
import { fetchAccount } from './oauth/account.ts'
import { callback } from './oauth/callback.ts'
import { connect } from './oauth/connect.ts'
import { validate } from './oauth/validate.ts'
import { offerEventsJob, pollOfferEvents } from './offers/events.ts'
import { createOrderProcessorManager } from './orders/order-processor-manager.ts'
import { checkCommand } from './quantities/check.ts'
import { commands } from './quantities/commands.ts'
import { findForgotten, findForgottenJob } from './quantities/find-forgotten.ts'
import { checkJob } from './quantities/schedule-check.ts'

/**
 * Marketplace A over its public REST interface: offers, quantities by command, orders by journal,
 * and the authorisation of its accounts. The marketplace sends no notifications, so the adapter
 * polls. Identity: package.json, member linker.
 */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  connect: createClient,
  test: client => client.test(),
  account: async client => {
    const { id, login } = await fetchAccount(client)
    return { id, name: login }
  },
  capabilities: { Marketplace: createMarketplace, OrderProcessorManager: createOrderProcessorManager },
  // 9 000 requests a minute, and a block of one minute for more. All accounts of an application
  // share this quota, so one of several may still be answered 429.
  budget: { ratePerSecond: 140, burst: 300 },
  // Quantities are set by commands that take seconds, sometimes minutes.
  offers: { visibleAfterMs: 5 * 60_000 },
  // A joint payment turns several orders into a new one with all lines; the old ids disappear.
  orders: { keepsLineIds: true },
  jobs: { [checkJob]: checkCommand, [findForgottenJob]: findForgotten, [offerEventsJob]: pollOfferEvents },
  schedules: [
    { name: 'mkta-offer-events', every: '2m', job: offerEventsJob },
    { name: 'mkta-quantity-commands', every: '5m', job: findForgottenJob }
  ],
  routes: [connect, callback, validate, cursors, commands],
  authorisation: { path: connect.path }
})
