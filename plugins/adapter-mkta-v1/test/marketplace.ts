import { createTestContext, createTestHost } from '@linker/sdk/testing'
import nock from 'nock'
import packageJson from '../package.json' with { type: 'json' }
import { createClient } from '../src/client.ts'
import type { Config } from '../src/config.ts'

export const platform = {
  sandbox: { restBaseUrl: 'https://api.sandbox.test' },
  production: { restBaseUrl: 'https://api.market.test' }
}

interface Hooks {
  beforeEach (run: () => void): void
  afterEach (run: () => void): void
  teardown (run: () => unknown): void
}

/** Makes clients over the real HTTP client, and fails a test that leaves an expected request unsent. */
export function createMarketplace (t: Hooks) {
  const host = createTestHost({ now: new Date('2025-01-02T12:00:00Z') })

  t.beforeEach(() => { nock.disableNetConnect() })
  t.afterEach(() => {
    const pending = nock.pendingMocks()
    nock.cleanAll()
    if (pending.length > 0) throw new Error(`expected requests that were not sent: ${pending.join(', ')}`)
  })
  t.teardown(async () => {
    nock.enableNetConnect()
    await host.close()
  })

  return function connect (config: Config, settings: Record<string, unknown> = platform) {
    const credentials = { accessToken: 'access-token', refreshToken: 'refresh-token', expiresAt: '2025-01-03T00:00:00.000Z' }
    const { context } = createTestContext({ host, manifest: packageJson.linker, config, credentials, platform: settings })
    return createClient(context)
  }
}
