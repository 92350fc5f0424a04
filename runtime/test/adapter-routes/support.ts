import { defineAdapter, type AuthorisationDefinition, type RouteDefinition } from '@linker/sdk'
import { describeAdapter, type AdapterCall } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Test } from 'tap'
import adapterRoutes, { type RouteLimits } from '../../src/adapter-routes/adapter-routes.ts'
import type { Adapters } from '../../src/adapters/adapters.ts'
import { createCarrierHost } from '../../src/adapters/carriers.ts'
import type { LoadedAdapter } from '../../src/adapters/load.ts'
import { createRegistry } from '../../src/adapters/registry.ts'
import type { Connections } from '../../src/connections/connections.ts'
import type { Connection } from '../../src/connections/entity.ts'
import type { Database, Query } from '../../src/database/database.ts'
import { fakeConnection } from '../connections/support.ts'
import { buildHttpApp } from '../http/support.ts'

const now = (): Date => new Date(0)
/** Makes an adapter with these routes. `call` answers for their handlers. */
export function adapterOf (
  routes: Omit<RouteDefinition, 'handler'>[],
  call: (call: AdapterCall) => Promise<unknown>,
  authorisation?: AuthorisationDefinition
): LoadedAdapter {
  const description = describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => null,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    routes: routes.map(route => ({ ...route, handler: async () => ({}) })),
    authorisation
  }))
  return {
    packageName: 'feed',
    selfName: 'feed',
    isLocal: false,
    isolation: 'inline',
    directory: '',
    version: '1.0.0',
    manifest: { adapterKey: 'feed.api.v1', platformType: 'feed', displayName: 'Feed', capabilities: [] },
    description,
    validateConfig: () => ({ problems: [], unknown: [] }),
    validateCredentials: () => ({ problems: [], unknown: [] }),
    supportedCapabilities: [],
    carrier: {
      call: async given => ({ value: await call(given), effects: { cursors: {}, jobs: [] } }),
      forget: () => undefined,
      isolation: () => 'inline',
      health: () => ({ state: 'ready' }),
      moveToWorker: () => undefined,
      redact: value => value,
      close: async () => undefined
    }
  }
}

/**
 * Makes a server with the routes of one adapter. `replace` swaps this adapter for another. A
 * request waits for `opening` before it has its connection.
 */
export async function buildApp (
  t: Test,
  adapter: LoadedAdapter,
  { limits, query, opening, connection: given = {} }: {
    limits?: RouteLimits,
    query?: Query,
    opening?: Promise<void>,
    connection?: Partial<Connection>
  } = {}
): Promise<{ app: FastifyInstance, replace(adapter: LoadedAdapter): void }> {
  const { app } = await buildHttpApp(t)
  const registryOf = (found: LoadedAdapter) =>
    createRegistry([{ packageName: 'feed', isRequired: false, found, adapter: found }], new Map())
  let registry = registryOf(adapter)
  // Keep the process alive: neither the time-out of a route nor a server without sockets does that.
  const alive = setInterval(() => undefined, 1_000)
  t.teardown(() => {
    clearInterval(alive)
  })
  const adapters = {
    get registry () {
      return registry
    },
    host: createCarrierHost({ outboundAllow: [], now }),
    call: async (
      called: LoadedAdapter,
      _connection: unknown,
      target: AdapterCall['target'],
      args: readonly unknown[],
      options: Pick<AdapterCall, 'signal'>
    ) => (await called.carrier.call({ target, args, ...options })).value
  }
  await app.register(fp(async scope => {
    scope.decorate('adapters', adapters as Partial<Adapters> as Adapters)
  }, { name: 'adapters' }))
  await app.register(fp(async scope => {
    scope.decorate('database', { query } as Partial<Database> as Database)
  }, { name: 'database' }))
  const connection = fakeConnection({ platformType: 'feed', pauses: [], ...given })
  await app.register(fp(async scope => {
    scope.decorate('connections', {
      get: async () => connection,
      adapterOf: () => registry.records[0]?.adapter,
      async openEnabled () {
        await opening
        return { snapshot: undefined }
      }
    } as Partial<object> as Connections)
  }, { name: 'connections' }))
  await app.register(fp(async scope => {
    const find = async () => connection
    scope.decorate('webhookConnections', { find } as Partial<object> as FastifyInstance['webhookConnections'])
  }, { name: 'webhook-connections' }))
  await app.register(fp(async () => undefined, { name: 'credentials' }))
  await app.register(adapterRoutes, { now, ...(limits === undefined ? {} : { limits }) })
  return {
    app,
    replace (next) {
      registry = registryOf(next)
    }
  }
}
