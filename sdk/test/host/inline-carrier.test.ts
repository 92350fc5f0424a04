import {
  type Account,
  AdapterErrorCode,
  adapterTag,
  TransientError,
  type Adapter,
  type Context,
  type HttpClientFactory,
  type InventoryMaster,
  type Manifest,
  type PlatformConnections
} from '@linker/sdk'
import {
  createCurrentCall,
  createInlineCarrier,
  type AdapterCall,
  type Carrier,
  type HostServices
} from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { servePlatform } from '../../src/testing/memory-platform.ts'
import { createMemoryServices } from '../../src/testing/memory-services.ts'

const noHttp: HttpClientFactory = () => {
  throw new Error('this adapter calls nobody')
}
const noServices = new Proxy({}, {
  get: () => () => {
    throw new Error('this adapter needs no service')
  }
}) as HostServices

/** A carrier of an adapter with the given `getStock`. `connects` counts its clients. */
function carry (getStock: InventoryMaster['getStock'], account?: () => Promise<Account>): {
  carrier: Carrier,
  connects: () => number,
  underWay: () => number
} {
  let connects = 0
  let underWay = 0
  const definition: Adapter = {
    [adapterTag]: '0.1.0',
    config: Type.Object({}),
    credentials: Type.Object({ apiKey: Type.String({ secret: true }) }),
    connect: () => {
      connects += 1
    },
    ...account === undefined ? {} : { account },
    capabilities: { InventoryMaster: () => ({ getStock, listStock: async () => ({ items: [] }) }) }
  }
  const manifest = {
    adapterKey: 'feed.api.v1',
    platformType: 'feed',
    displayName: 'Feed',
    capabilities: ['InventoryMaster']
  }
  const carrier = createInlineCarrier({
    adapter: 'feed.api.v1@1.0.0',
    definition,
    manifest,
    services: noServices,
    http: noHttp,
    platformSettings: {},
    now: () => new Date(),
    currentCall: createCurrentCall(),
    onWork () {
      underWay += 1
      return () => {
        underWay -= 1
      }
    }
  })
  return { carrier, connects: () => connects, underWay: () => underWay }
}

function callOf (signal: AbortSignal, version = '1'): AdapterCall {
  return {
    connection: {
      id: 'connection',
      platformType: 'feed',
      config: {},
      credentials: { apiKey: 'a-secret-of-some-length' },
      version,
      credentialsVersion: version
    },
    target: { kind: 'capability', capability: 'InventoryMaster', method: 'getStock' },
    args: ['27'],
    signal
  }
}

const level = { productExternalId: '27', variantExternalId: '27', quantity: 5 }

t.test('a call whose signal has aborted is not begun, so that it cannot fail unhandled', async t => {
  const { carrier, connects } = carry(async () => {
    throw new Error('nobody waits for this')
  })

  await t.rejects(carrier.call(callOf(AbortSignal.abort())), { code: AdapterErrorCode.transient })
  await new Promise(setImmediate)
  t.equal(connects(), 0)
})

t.test('the carrier stops waiting for a call that ignores its signal, and counts it as work until it ends', async t => {
  const begun = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<never>()
  const { carrier, underWay } = carry(() => {
    begun.resolve()
    return ending.promise
  })
  const controller = new AbortController()
  const call = carrier.call(callOf(controller.signal))

  await begun.promise
  controller.abort()
  await t.rejects(call, { code: AdapterErrorCode.transient, message: /stopped before it finished/ })
  t.equal(underWay(), 1)
  ending.reject(new Error('too late'))
  await new Promise(setImmediate)
  t.equal(underWay(), 0)
})

t.test('one client serves a connection until its config or credentials change', async t => {
  const { carrier, connects } = carry(async () => [level])
  const { signal } = new AbortController()

  await Promise.all([carrier.call(callOf(signal)), carrier.call(callOf(signal))])
  t.equal(connects(), 1)
  await carrier.call(callOf(signal, '2'))
  t.equal(connects(), 2)
  carrier.forget('connection')
  await carrier.call(callOf(signal, '2'))
  t.equal(connects(), 3)
})

t.test('the answer of an adapter is a copy, and its errors keep their code and lose its secrets', async t => {
  const answer = [level]
  const { signal } = new AbortController()
  const { value } = await carry(async () => answer).carrier.call(callOf(signal))
  t.not(value, answer)
  t.strictSame(value, answer)

  const failing = carry(async () => {
    throw new TransientError('a-secret-of-some-length was refused', { status: 500 })
  })
  const failure: unknown = await failing.carrier.call(callOf(signal)).catch((error: unknown) => error)
  t.match(failure, { code: AdapterErrorCode.transient, status: 500 })
  t.notMatch(failure instanceof Error ? `${failure.message}${failure.stack}` : '', 'a-secret-of-some-length')
})

t.test('without permissions.connections a route has no connections, and the error says so', async t => {
  const asked: (keyof HostServices)[] = []
  const services = new Proxy({}, {
    get: (_target, name) => async () => {
      asked.push(name as keyof HostServices)
    }
  }) as HostServices
  const carrierOf = (permissions: Manifest['permissions']): Carrier =>
    createInlineCarrier({
      adapter: 'feed.api.v1@1.0.0',
      definition: {
        [adapterTag]: '0.1.0',
        config: Type.Object({}),
        credentials: Type.Null(),
        connect: () => undefined,
        capabilities: {},
        routes: [{
          method: 'POST',
          path: '/try',
          auth: 'admin',
          handler: async ({ body }, { connections }) => ({ body: await attempts[String(body)]?.(connections) })
        }]
      },
      manifest: {
        adapterKey: 'feed.api.v1',
        platformType: 'feed',
        displayName: 'Feed',
        capabilities: [],
        ...(permissions === undefined ? {} : { permissions })
      },
      services,
      http: noHttp,
      platformSettings: {},
      now: () => new Date(),
      currentCall: createCurrentCall()
    })
  const attempts: Record<string, (connections: PlatformConnections) => Promise<unknown>> = {
    get: connections => connections.get('connection'),
    create: connections => connections.create({ name: 'Feed', config: {}, credentials: null }, { key: 'k' }),
    replace: connections => connections.replaceCredentials('connection', null)
  }
  const call = (carrier: Carrier, body: string): Promise<unknown> =>
    carrier.call({ target: { kind: 'route', index: 0 }, args: [{ body }], signal: new AbortController().signal })

  for (const permissions of [undefined, {}, { routes: true }, { routes: true, connections: false }]) {
    for (const attempt of Object.keys(attempts)) {
      await t.rejects(call(carrierOf(permissions), attempt), {
        code: AdapterErrorCode.configuration,
        message: /permissions\.connections/
      })
    }
  }
  t.strictSame(asked, [], 'the host is not asked')

  await call(carrierOf({ routes: true, connections: true }), 'get')
  t.strictSame(asked, ['getConnection'])
})

t.test('a dry run shares no client with other calls, and its own is forgotten', async t => {
  const { carrier, connects } = carry(async () => [])
  const { signal } = new AbortController()

  await carrier.call(callOf(signal))
  await carrier.call({ ...callOf(signal), isDryRun: true })
  await carrier.call({ ...callOf(signal), isDryRun: true })
  await carrier.call(callOf(signal))

  t.equal(connects(), 3)
})

t.test('an answer for a person has no secrets of the connection', async t => {
  const { carrier } = carry(async externalId => [{
    productExternalId: externalId,
    variantExternalId: 'a-secret-of-some-length',
    quantity: 1
  }])
  const { signal } = new AbortController()

  t.match((await carrier.call(callOf(signal))).value, [{ variantExternalId: 'a-secret-of-some-length' }])
  t.match((await carrier.call({ ...callOf(signal), redactsAnswer: true })).value, [{ variantExternalId: '[redacted]' }])
})

t.test('the account of a connection has no secret: its name loses it, and an id with one is refused', async t => {
  const accountOf = async (account?: () => Promise<Account>): Promise<unknown> => {
    const { carrier } = carry(async () => [], account)
    const { signal } = new AbortController()
    return (await carrier.call({ ...callOf(signal), target: { kind: 'account' }, args: [] })).value
  }

  t.strictSame(await accountOf(async () => ({ id: '7', name: 'of a-secret-of-some-length' })), {
    id: '7',
    name: 'of [redacted]'
  })
  await t.rejects(accountOf(async () => ({ id: 'key-a-secret-of-some-length', name: 'Feed' })), {
    code: AdapterErrorCode.rejected,
    message: /^account answered an id with a secret in it/
  })
  await t.rejects(accountOf(), { code: AdapterErrorCode.configuration, message: /^feed\.api\.v1 cannot tell/ })
})

t.test('the host can tell the requests that renew the token of a call from its others', async t => {
  const currentCall = createCurrentCall()
  const seen: unknown[] = []
  const note = (): void => {
    seen.push(currentCall.getStore()?.call.renewsToken)
  }
  const definition: Adapter = {
    [adapterTag]: '0.1.0',
    config: Type.Object({}),
    credentials: Type.Object({ accessToken: Type.String({ secret: true }), expiresAt: Type.String() }),
    connect: () => undefined,
    capabilities: {
      InventoryMaster: (_client: unknown, { oauth }: Context) => ({
        async getStock () {
          note()
          await oauth.accessToken(async () => {
            note()
            return { accessToken: 'a-new-token-of-some-length', expiresAt: '2099-01-01T00:00:00Z' }
          })
          note()
          return []
        },
        listStock: async () => ({ items: [] })
      })
    }
  }
  const manifest = {
    adapterKey: 'feed.api.v1',
    platformType: 'feed',
    displayName: 'Feed',
    capabilities: ['InventoryMaster']
  }
  const memory = createMemoryServices(() => new Date())
  const credentials = { accessToken: 'an-old-token-of-some-length', expiresAt: '2020-01-01T00:00:00Z' }
  memory.storeCredentials('connection', credentials)
  const carrier = createInlineCarrier({
    adapter: 'feed.api.v1@1.0.0',
    definition,
    manifest,
    services: memory.servicesOf(servePlatform(manifest, definition)),
    http: noHttp,
    platformSettings: {},
    now: () => new Date(),
    currentCall
  })
  const call = callOf(new AbortController().signal)
  const connection = {
    id: 'connection',
    platformType: 'feed',
    config: {},
    credentials,
    version: '1',
    credentialsVersion: ':1'
  }

  await carrier.call({ ...call, connection })

  t.strictSame(seen, [undefined, true, undefined])
})
