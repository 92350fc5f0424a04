import { defineAdapter } from '@linker/sdk'
import { checkCommand } from './check-command.ts'
import { createClient } from './client.ts'
import { Config, Credentials } from './config.ts'
import { findForgotten, findForgottenJob } from './find-forgotten.ts'
import { createMarketplace } from './marketplace.ts'
import { offerEventsJob, pollOfferEvents } from './offer-events.ts'
import { createOrderProcessorManager } from './order-processor.ts'
import { routes } from './routes/index.ts'
import { checkJob } from './send-quantity.ts'

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
  capabilities: { Marketplace: createMarketplace, OrderProcessorManager: createOrderProcessorManager },
  // Quantities are set by commands that take seconds, sometimes minutes.
  offers: { visibleAfterMs: 5 * 60_000 },
  // A joint payment turns several orders into a new one with all lines; the old ids disappear.
  orders: { keepsLineIds: true },
  jobs: { [checkJob]: checkCommand, [findForgottenJob]: findForgotten, [offerEventsJob]: pollOfferEvents },
  schedules: [
    { name: 'mkta-offer-events', every: '2m', job: offerEventsJob },
    { name: 'mkta-quantity-commands', every: '5m', job: findForgottenJob }
  ],
  routes
})
