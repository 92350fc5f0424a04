import { defineAdapter } from '@linker/sdk'
import { createClient, testConnection } from './client.ts'
import { Config, Credentials, normalizeCredentials } from './config.ts'
import { createOfferManager } from './offers.ts'

/** Marketplace B over its shop API: offers and their stock. Writes are asynchronous and visible after about 20 minutes. Identity: package.json, member linker. */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  normalizeCredentials,
  connect: createClient,
  test: testConnection,
  capabilities: { OfferManager: createOfferManager },
  webhooks: { scheme: 'bearer' }
})
