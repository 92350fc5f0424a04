import { defineAdapter } from '@linker/sdk'
import { abortError, describeAdapter, type AdapterCall } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import t, { type Test } from 'tap'
import adapterRoutes, { type RouteLimits } from '../../src/adapter-routes/adapter-routes.ts'
import type { Adapters } from '../../src/adapters/adapters.ts'
import { createCarrierHost } from '../../src/adapters/carriers.ts'
import type { LoadedAdapter } from '../../src/adapters/load.ts'
import { createRegistry } from '../../src/adapters/registry.ts'
import { authorized, buildHttpApp } from '../http/support.ts'

const now = (): Date => new Date(0)
const hung = (call: AdapterCall): Promise<never> =>
  new Promise((_resolve, reject) => {
    call.signal.addEventListener('abort', () => {
      reject(abortError(call.signal))
    })
  })

function adapterOf (path: string, call: (call: AdapterCall) => Promise<unknown>): LoadedAdapter {
  const description = describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => null,
    capabilities: {},
    routes: [{ method: 'GET', path, auth: 'admin', handler: async () => ({}) }]
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

/** Makes a server with the routes of one adapter. `replace` swaps this adapter for another. */
async function buildApp (
  t: Test,
  adapter: LoadedAdapter,
  limits?: RouteLimits
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
  for (const name of ['connections', 'webhook-connections']) await app.register(fp(async () => undefined, { name }))
  await app.register(adapterRoutes, { now, ...(limits === undefined ? {} : { limits }) })
  return {
    app,
    replace (next) {
      registry = registryOf(next)
    }
  }
}

t.test('a new table serves from the next request on; a request under way ends with the old table', async t => {
  const release = Promise.withResolvers<void>()
  const { app, replace } = await buildApp(
    t,
    adapterOf('/old', async () => {
      await release.promise
      return { body: 'old' }
    })
  )
  const ask = (path: string) => app.inject({ url: `/integrations/feed${path}`, headers: authorized })
  const underWay = ask('/old')
  await new Promise(setImmediate)

  replace(adapterOf('/new', async () => ({ body: 'new' })))
  t.equal((await ask('/new')).statusCode, 404, 'until it is told')
  app.adapterRoutes.refresh()
  release.resolve()

  t.strictSame([(await ask('/old')).statusCode, (await ask('/new')).json()], [404, 'new'])
  t.equal((await underWay).json(), 'old')
  t.strictSame(Object.keys(app.adapterRoutes.describe().paths), ['/integrations/feed/new'])
})

t.test('when an adapter does not answer in time, a 504 names it and its signal is aborted', async t => {
  const calls: AdapterCall[] = []
  const { app } = await buildApp(
    t,
    adapterOf('/slow', async call => {
      calls.push(call)
      return hung(call)
    }),
    { timeoutMs: 20, mostAtOnce: 1 }
  )

  const answer = await app.inject({ url: '/integrations/feed/slow', headers: authorized })

  t.equal(answer.statusCode, 504)
  t.match(answer.json(), { code: 'LNK_ADAPTER_TIMEOUT', detail: /feed\.api\.v1@1\.0\.0.* 20 ms/ })
  t.equal(calls[0]?.signal.aborted, true)
  t.equal(
    (await app.inject({ url: '/integrations/feed/slow', headers: authorized })).json().code,
    'LNK_ADAPTER_TIMEOUT',
    'its place is free again'
  )
})

t.test('the hub answers 503 when an adapter already has its most requests under way', async t => {
  const release = Promise.withResolvers<void>()
  const { app } = await buildApp(
    t,
    adapterOf('/slow', async () => {
      await release.promise
      return { status: 204 }
    }),
    { timeoutMs: 60_000, mostAtOnce: 2 }
  )
  const ask = () => app.inject({ url: '/integrations/feed/slow', headers: authorized })
  const first = [ask(), ask()]
  await new Promise(setImmediate)

  const third = await ask()
  release.resolve()

  t.equal(third.statusCode, 503)
  t.match(third.json(), { code: 'LNK_ADAPTER_BUSY' })
  t.equal(third.headers['retry-after'], '5')
  t.strictSame((await Promise.all(first)).map(({ statusCode }) => statusCode), [204, 204])
  t.equal((await ask()).statusCode, 204)
})
