import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '../context.ts'
import type { CallEffects } from '../host/carrier.ts'
import { createContext } from '../host/context.ts'
import type { CurrentCall } from '../host/current-call.ts'
import { createCallSecrets, createSecrecy } from '../host/redact.ts'
import type { HttpClientFactory } from '../http/http.ts'
import type { Manifest } from '../manifest.ts'
import { createTestHost, type TestHost } from './host.ts'

export interface TestContextOptions<Config, Credentials> {
  /** The member `linker` of the adapter's package.json. */
  manifest: Manifest
  config: Config
  credentials: Credentials
  /** Default `connection-1`. */
  connection?: { id: string }
  platform?: Readonly<Record<string, unknown>>
  /** The host that records logs, requests and stored data. Default: a new one. */
  host?: TestHost
  /** Default `host.http`. */
  http?: HttpClientFactory
}

export interface TestContext<Config, Credentials> {
  context: Context<Config, Credentials>
  /** The cursors and jobs that the hub would store at the end of the call. */
  effects: CallEffects
  host: TestHost
}

/**
 * Makes a context for functions that take one, as in one call that never ends. Without the
 * adapter's schemas, every text in the credentials counts as a secret. To test a whole adapter, use
 * `host.open`, which is closer to the hub.
 */
export function createTestContext<
  Config extends object,
  Credentials
> (options: TestContextOptions<Config, Credentials>): TestContext<Config, Credentials> {
  const {
    manifest,
    connection: { id } = { id: 'connection-1' },
    platform = {},
    host = createTestHost(),
    http = host.http
  } = options
  const connection = {
    id,
    platformType: manifest.platformType,
    config: Object.fromEntries(Object.entries(options.config)),
    credentials: options.credentials,
    version: '1'
  }
  const effects: CallEffects = { cursors: {}, jobs: [] }
  const standing: CurrentCall = {
    adapter: `${manifest.adapterKey}@0.0.0`,
    call: { connection, target: { kind: 'test' }, args: [], signal: new AbortController().signal },
    effects,
    secrets: createCallSecrets(),
    breakOff: () => undefined
  }
  host.setCredentials(id, options.credentials)
  const context = createContext(
    {
      adapter: standing.adapter,
      manifest,
      platformSettings: platform,
      services: host.services,
      http,
      now: host.clock.now,
      currentCall: new AsyncLocalStorage({ defaultValue: standing })
    },
    connection,
    createSecrecy({ config: {}, credentials: {} }, connection)
  )
  return { context: context as Context<Config, Credentials>, effects, host }
}
