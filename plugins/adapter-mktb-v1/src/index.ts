import { defineAdapter, HubJobType } from '@linker/sdk'
import { checkConfig } from './base-url.ts'
import { createClient, readAccount, testConnection } from './client.ts'
import { Config, Credentials, normalizeCredentials } from './config.ts'
import { createOfferManager } from './offers/offer-manager.ts'
import { createOrderSource } from './orders/order-source.ts'
import { installHooks, orderBody } from './webhooks/install.ts'

/**
 * Marketplace B over its shop API: offers, their stock, and orders. The marketplace sends each
 * order hook only once, so the hub also reads the inbox. Writes are asynchronous and visible after
 * about 20 minutes. Identity: package.json, member linker.
 */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  normalizeCredentials,
  checkConfig,
  connect: createClient,
  test: testConnection,
  account: readAccount,
  capabilities: { OfferManager: createOfferManager, OrderSource: createOrderSource },
  webhooks: {
    scheme: 'bearer',
    install: installHooks,
    body: orderBody,
    events: { 'order.changed': HubJobType.syncOrder }
  },
  schedules: [{ name: 'mktb-orders-poll', every: '2m', job: HubJobType.pollOrders }]
})
