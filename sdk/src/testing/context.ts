import type { Static, TSchema } from '@sinclair/typebox'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '../context.ts'
import type { CallEffects } from '../host/carrier.ts'
import { createContext } from '../host/context.ts'
import type { CurrentCall } from '../host/current-call.ts'
import { createFillDefaults } from '../host/defaults.ts'
import { compileSchema } from '../host/json-schema.ts'
import { createCallSecrets, createSecrecy } from '../host/redact.ts'
import type { HttpClientFactory } from '../http/http.ts'
import type { Manifest } from '../manifest.ts'
import { createTestHost, type TestHost } from './host.ts'
import { refuse } from './memory-platform.ts'
import type { GivenSettings } from './open-connection.ts'

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

/** Options with the adapter's schemas, for a context as the hub makes it. */
export interface DefinedTestContextOptions<Config extends TSchema, Credentials extends TSchema>
  extends Omit<TestContextOptions<unknown, unknown>, 'config' | 'credentials'>
{
  /**
   * The adapter, or only its schemas. The context has their defaults and hides the credentials that
   * they mark as secret. Throws a `TypeError` when the config does not fit.
   */
  definition: { readonly config: Config, readonly credentials: Credentials }
  config: GivenSettings<Static<Config>>
  credentials: GivenSettings<Static<Credentials>>
}

export interface TestContext<Config, Credentials> {
  context: Context<Config, Credentials>
  /** The cursors and jobs that the hub would store at the end of the call. */
  effects: CallEffects
  host: TestHost
}

/**
 * Makes a context for functions that take one, as in one call that never ends. Without
 * `definition`, it has no defaults, and every text in the credentials counts as a secret. To test a
 * whole adapter, use `host.open`, which is closer to the hub.
 */
export function createTestContext<
  Config extends TSchema,
  Credentials extends TSchema
> (options: DefinedTestContextOptions<Config, Credentials>): TestContext<Static<Config>, Static<Credentials>>
export function createTestContext<
  Config extends object,
  Credentials
> (options: TestContextOptions<Config, Credentials> & { definition?: undefined }): TestContext<Config, Credentials>
export function createTestContext (options: TestContextOptions<unknown, unknown> & {
  definition?: { config: TSchema, credentials: TSchema } | undefined
}): TestContext<unknown, unknown> {
  const {
    manifest,
    definition,
    connection: { id } = { id: 'connection-1' },
    platform = {},
    host = createTestHost(),
    http = host.http
  } = options
  const schemas = definition ?? { config: {}, credentials: {} }
  if (definition !== undefined) refuse(compileSchema(definition.config)(options.config, '/config').problems)
  const connection = {
    id,
    platformType: manifest.platformType,
    config: Object.fromEntries(Object.entries(options.config as object)),
    credentials: options.credentials,
    version: '1',
    credentialsVersion: '1'
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
      currentCall: new AsyncLocalStorage({ defaultValue: standing }),
      configSchema: schemas.config,
      defaults: {
        config: createFillDefaults(schemas.config),
        credentials: createFillDefaults(schemas.credentials)
      }
    },
    connection,
    createSecrecy(schemas, connection)
  )
  return { context, effects, host }
}
