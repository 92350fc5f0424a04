import { createAddressPolicy, createHttpClientFactory } from '@linker/sdk'
import nock from 'nock'
import { createClient } from '../src/client.ts'
import type { Config, MarketplaceContext } from '../src/config.ts'

export const apiKey = 'shop-api-key-of-the-seller'
const signal = new AbortController().signal

interface Hooks {
  beforeEach (run: () => void): void
  afterEach (run: () => void): void
  teardown (run: () => unknown): void
}

/** Makes contexts over the real HTTP client, and fails a test that leaves an expected request unsent. */
export function createMarketplace (t: Hooks) {
  const { http, close } = createHttpClientFactory({ addressPolicy: createAddressPolicy({ allow: [] }), currentCall: () => undefined })
  const warnings: { fields: object, message: string }[] = []

  t.beforeEach(() => {
    nock.disableNetConnect()
    warnings.length = 0
  })
  t.afterEach(() => {
    const pending = nock.pendingMocks()
    nock.cleanAll()
    if (pending.length > 0) throw new Error(`expected requests that were not sent: ${pending.join(', ')}`)
  })
  t.teardown(async () => {
    nock.enableNetConnect()
    await close()
  })

  function connect (config: Config = {}) {
    const context: MarketplaceContext = {
      connection: { id: '123e4567-e89b-12d3-a456-426614174000', platformType: 'mktb' },
      config,
      credentials: { apiKey },
      platform: { production: { baseUrl: 'https://api.market.test/svc/shop-api' }, ownedHosts: ['market.test'] },
      http,
      log: { debug: ignore, info: ignore, error: ignore, warn: (fields, message) => { warnings.push({ fields, message }) } },
      clock: { now: () => new Date('2025-01-02T12:00:00Z') },
      signal
    }
    return { context, client: createClient(context) }
  }

  return { connect, warnings }
}

/** The marketplace's API, with the key on every request. */
export function upstream () {
  return nock('https://api.market.test/svc/shop-api', { reqheaders: { authorization: `Bearer ${apiKey}` } })
}

function ignore () {}
