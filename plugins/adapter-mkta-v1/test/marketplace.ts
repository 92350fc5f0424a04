import { createAddressPolicy, createHttpClientFactory } from '@linker/sdk'
import nock from 'nock'
import { createClient } from '../src/client.ts'
import type { Config, MarketplaceContext } from '../src/config.ts'

export const platform = {
  sandbox: { restBaseUrl: 'https://api.sandbox.test' },
  production: { restBaseUrl: 'https://api.market.test' }
}
const signal = new AbortController().signal

interface Hooks {
  beforeEach (run: () => void): void
  afterEach (run: () => void): void
  teardown (run: () => unknown): void
}

/** Makes clients over the real HTTP client, and fails a test that leaves an expected request unsent. */
export function createMarketplace (t: Hooks) {
  const { http, close } = createHttpClientFactory({ addressPolicy: createAddressPolicy({ allow: [] }), currentCall: () => undefined })

  t.beforeEach(() => { nock.disableNetConnect() })
  t.afterEach(() => {
    const pending = nock.pendingMocks()
    nock.cleanAll()
    if (pending.length > 0) throw new Error(`expected requests that were not sent: ${pending.join(', ')}`)
  })
  t.teardown(async () => {
    nock.enableNetConnect()
    await close()
  })

  return function connect (config: Config, settings: Record<string, unknown> = platform) {
    const context: MarketplaceContext = {
      connection: { id: '123e4567-e89b-12d3-a456-426614174000', platformType: 'mkta' },
      config,
      credentials: { accessToken: 'access-token', refreshToken: 'refresh-token', expiresAt: '2025-01-03T00:00:00.000Z' },
      platform: settings,
      http,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      clock: { now: () => new Date('2025-01-02T12:00:00Z') },
      signal
    }
    return createClient(context)
  }
}

function ignore () {}
