import { defineAdapter } from '@linker/sdk'
import { createClient } from './client.ts'
import { Config, Credentials, normalizeCredentials } from './config.ts'
import { createProductMaster } from './products.ts'
import { createInventoryMaster } from './stock.ts'
import { syncInventory } from './sync-inventory.ts'

/** Shop A over its webservice: catalog and stock. Webhooks say when to look, the webservice says what is there. Identity: package.json, member linker. */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  normalizeCredentials,
  connect: createClient,
  test: client => client.test(),
  capabilities: { ProductMaster: createProductMaster, InventoryMaster: createInventoryMaster },
  // Event ids are made of the object and the minute: a second change in it is announced by the first one's event (sender, section 4.2).
  webhooks: { scheme: 'hmac', windowMs: 60_000 },
  jobs: { 'shopa.inventory.syncByExternalId': syncInventory }
})
