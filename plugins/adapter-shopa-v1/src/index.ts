import { defineAdapter } from '@linker/sdk'
import { readAccount } from './account.ts'
import { createClient } from './client.ts'
import { Config, Credentials, normalizeCredentials } from './config.ts'
import { testConnection } from './connection-test.ts'
import { createOrderProcessorManager } from './orders/order-processor-manager.ts'
import { syncOrder } from './orders/sync.ts'
import { createProductMaster } from './products/product-master.ts'
import { createInventoryMaster } from './stock/inventory-master.ts'
import { syncInventory } from './stock/sync.ts'
import { installWebhooks } from './webhooks/install.ts'

/**
 * Shop A over its webservice: catalog, stock and orders. Webhooks say when to look; the adapter
 * then reads the present state from the webservice. Identity: package.json, member linker.
 */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  normalizeCredentials,
  connect: createClient,
  test: testConnection,
  account: readAccount,
  capabilities: {
    ProductMaster: createProductMaster,
    InventoryMaster: createInventoryMaster,
    OrderProcessorManager: createOrderProcessorManager
  },
  // An event id consists of the object and the minute, so a second change in the same minute
  // carries the id of the first (sender, section 4.2).
  webhooks: { scheme: 'hmac', windowMs: 60_000, install: installWebhooks },
  jobs: { 'shopa.inventory.syncByExternalId': syncInventory, 'shopa.order.syncByExternalId': syncOrder }
})
