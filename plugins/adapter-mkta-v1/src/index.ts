import { defineAdapter } from '@linker/sdk'
import { createClient } from './client.ts'
import { Config, Credentials } from './config.ts'

/** Marketplace A over its public REST interface: connects and tests, no capability yet. Identity: package.json, member linker. */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  connect: createClient,
  test: client => client.test(),
  capabilities: {}
})
