import { createTestContext, createTestHost } from '@linker/sdk/testing'
import nock from 'nock'
import packageJson from '../package.json' with { type: 'json' }
import { createClient } from '../src/client.ts'
import { Config, Credentials, type ShopContext } from '../src/config.ts'

export const apiKey = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ123456'

interface Hooks {
  beforeEach(run: () => void): void
  afterEach(run: () => void): void
  teardown(run: () => unknown): void
}

/**
 * Makes clients of a shop whose answers nock gives to the real HTTP client. A test fails if it
 * expects a request that the client does not send.
 */
export function createShop (t: Hooks) {
  const connectionId = 'connection-1'
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

  function contextFor (config: Partial<Config> = {}): ShopContext {
    return createTestContext({
      host,
      connection: { id: connectionId },
      manifest: packageJson.linker,
      definition: { config: Config, credentials: Credentials },
      config,
      credentials: { apiUrl: 'https://shop.test/api', apiKey }
    }).context
  }

  function connect (config: Partial<Config> = {}) {
    const context = contextFor(config)
    return { context, client: createClient(context) }
  }

  return { logs: host.logs, clock: host.clock, kv: () => host.values[connectionId] ?? {}, contextFor, connect }
}

/** Expects one GET of a path below the webservice, with exactly this query. */
export function expectGet (path: string, query: Record<string, string>) {
  return nock('https://shop.test').get(`/api/${path}`).query(query)
}

/** Expects the GET of the first page of the rows that a filter selects, sorted by their ids. */
export function expectAll (path: string, query: Record<string, string>) {
  return expectGet(path, { ...query, sort: '[id_ASC]', limit: '0,1000' })
}

/**
 * Expects the request that asks which of the products in `ids` are drafts or packs. The answer has
 * the products in `states`: `0` is a draft, `1` is finished. A product in `ids` that is not in
 * `states` does not exist in the shop.
 */
export function expectStates (
  states: Readonly<Record<number, '0' | '1'>>,
  ids = Object.keys(states),
  scope: Record<string, string> = {}
) {
  const products = Object.entries(states).map(([id, state]) => ({ id: Number(id), state }))
  const answer = products.length === 0 ? [] : { products }
  const query = { ...scope, 'filter[id]': `[${ids.join('|')}]`, display: '[id,state,type]' }
  return expectGet('products', query).reply(200, answer)
}
