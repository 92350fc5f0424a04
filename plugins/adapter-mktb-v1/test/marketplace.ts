import { createTestContext, createTestHost } from '@linker/sdk/testing'
import nock from 'nock'
import packageJson from '../package.json' with { type: 'json' }
import { createClient } from '../src/client.ts'
import { Config, Credentials } from '../src/config.ts'

export const apiKey = 'shop-api-key-of-the-seller'

interface Hooks {
  beforeEach(run: () => void): void
  afterEach(run: () => void): void
  teardown(run: () => unknown): void
}

/**
 * Makes contexts over the real HTTP client. Fails a test that leaves an expected request unsent.
 */
export function createMarketplace (t: Hooks) {
  const host = createTestHost({ now: new Date('2025-01-02T12:00:00Z') })

  t.beforeEach(() => {
    nock.disableNetConnect()
    host.logs.length = 0
  })
  t.afterEach(() => {
    const pending = nock.pendingMocks()
    nock.cleanAll()
    if (pending.length > 0) throw new Error(`expected requests that were not sent: ${pending.join(', ')}`)
  })
  t.teardown(async () => {
    nock.enableNetConnect()
    await host.close()
  })

  function connect (config: Partial<Config> = {}) {
    const platform = { production: { baseUrl: 'https://api.market.test/svc/shop-api' }, ownedHosts: ['market.test'] }
    const { context } = createTestContext({
      host,
      manifest: packageJson.linker,
      definition: { config: Config, credentials: Credentials },
      config,
      credentials: { apiKey },
      platform
    })
    return { context, client: createClient(context) }
  }

  return { connect, logs: host.logs, clock: host.clock }
}

/** The marketplace's API, with the key on every request. */
export function upstream () {
  return nock('https://api.market.test/svc/shop-api', { reqheaders: { authorization: `Bearer ${apiKey}` } })
}
