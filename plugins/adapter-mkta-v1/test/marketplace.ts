import { createTestContext, createTestHost } from '@linker/sdk/testing'
import nock from 'nock'
import packageJson from '../package.json' with { type: 'json' }
import { createClient } from '../src/client.ts'
import { Config, Credentials } from '../src/config.ts'

export const mediaType = 'application/vnd.mkta.public.v1+json'

export const platform = {
  sandbox: {
    webBaseUrl: 'https://sandbox.test',
    restBaseUrl: 'https://api.sandbox.test',
    clients: { 'client-1': 'client-secret-of-the-sandbox' }
  },
  production: { webBaseUrl: 'https://market.test', restBaseUrl: 'https://api.market.test' }
}

export const now = new Date('2025-01-02T12:00:00Z')

export interface Hooks {
  beforeEach(run: () => void): void
  afterEach(run: () => void): void
  teardown(run: () => unknown): void
}

interface Given {
  config?: Partial<Config>
  settings?: Record<string, unknown>
  credentials?: Partial<Credentials>
}

/**
 * Makes clients over the real HTTP client, each with a connection of its own. Fails a test that
 * leaves an expected request unsent.
 */
export function createMarketplace (t: Hooks) {
  const host = createTestHost({ now })
  let connections = 0

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

  function connect ({ config = {}, settings = platform, credentials = {} }: Given = {}) {
    const { context, effects } = createTestContext({
      host,
      connection: { id: `connection-${++connections}` },
      manifest: packageJson.linker,
      definition: { config: Config, credentials: Credentials },
      config: { environment: 'sandbox' as const, ...config },
      credentials: {
        accessToken: 'access-token-1',
        refreshToken: 'refresh-token-1',
        expiresAt: '2025-01-09T00:00:00.000Z',
        ...credentials
      },
      platform: settings
    })
    return { client: createClient(context), context, effects, stored: () => host.credentials[context.connection.id] }
  }

  return { connect, logs: host.logs, advance: host.clock.advance }
}

/** The REST host, with the headers that it expects on every request. */
export function rest (headers: Record<string, string> = {}) {
  return nock('https://api.sandbox.test', {
    reqheaders: { authorization: 'Bearer access-token-1', accept: mediaType, 'accept-language': 'pl-PL', ...headers }
  })
}

/** The same for requests with a body. */
export function restWrite () {
  return rest({ 'content-type': mediaType })
}
