import { createAddressPolicy, createHttpClientFactory } from '@linker/sdk'
import nock from 'nock'
import { createClient } from '../src/client.ts'
import type { Config, ShopContext } from '../src/config.ts'

export const apiKey = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ123456'
const signal = new AbortController().signal

interface Hooks {
  beforeEach (run: () => void): void
  afterEach (run: () => void): void
  teardown (run: () => unknown): void
}

/** Makes contexts over the real HTTP client, and fails a test that leaves an expected request unsent. */
export function createShop (t: Hooks) {
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

  function contextFor (config: Config = {}): ShopContext {
    return {
      connection: { id: '123e4567-e89b-12d3-a456-426614174000', platformType: 'shopa' },
      config,
      credentials: { apiUrl: 'https://shop.test/api', apiKey },
      platform: {},
      http,
      log: { debug: ignore, info: ignore, error: ignore, warn: (fields, message) => { warnings.push({ fields, message }) } },
      clock: { now: () => new Date('2025-01-02T12:00:00Z') },
      signal
    }
  }

  function connect (config: Config = {}) {
    const context = contextFor(config)
    return { context, client: createClient(context) }
  }

  return { warnings, contextFor, connect }
}

/** Expects one GET below the webservice with exactly this query. */
export function expectGet (path: string, query: Record<string, string>) {
  return nock('https://shop.test').get(`/api/${path}`).query(query)
}

function ignore () {}
