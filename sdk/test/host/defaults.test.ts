import { defineAdapter, defineJob, platformRoute, type Context, type PlatformRouteHost } from '@linker/sdk'
import { checkAdapter, compileSchema, describeAdapter } from '@linker/sdk/host'
import { createTestHost } from '@linker/sdk/testing'
import { Type, type Static } from '@sinclair/typebox'
import t from 'tap'
import {
  createFillDefaults,
  withInitialValues,
  withoutDefaults,
  wrongDefaults,
  wrongInitialValues
} from '../../src/host/defaults.ts'
import { optionalDefaults } from '../../src/host/optional-defaults.ts'

const Config = Type.Object({
  baseUrl: Type.String({ default: 'https://api.feed.test' }),
  language: Type.String({ default: 'pl', minLength: 2 }),
  states: Type.Object({ sent: Type.Integer({ default: 4 }) }, { default: {} })
})
type Config = Static<typeof Config>

const Credentials = Type.Object({
  accessToken: Type.String({ secret: true }),
  expiresAt: Type.String(),
  realm: Type.String({ default: 'shops' })
})
type Credentials = Static<typeof Credentials>

const seen: unknown[] = []

const adapter = defineAdapter({
  config: Config,
  credentials: Credentials,
  checkConfig (config) {
    seen.push(config)
    return []
  },
  connect: (context: Context<Config, Credentials>) => context,
  account: async () => ({ id: '1', name: 'Test' }),
  capabilities: {},
  jobs: {
    'feed.read': defineJob({
      payload: Type.Object({ days: Type.Integer({ default: 7, maximum: 30 }) }),
      run: async ({ config, credentials }: Context<Config, Credentials>, { payload }) => ({
        result: { config, realm: credentials.realm, days: payload.days }
      })
    }),
    'feed.renew': defineJob({
      payload: Type.Object({}),
      run: async ({ oauth }: Context<Config, Credentials>) => ({
        result: await oauth.accessToken(async stored => {
          seen.push(stored)
          return { ...stored, accessToken: 'token-2', expiresAt: '2030-01-01T00:00:00Z' }
        })
      })
    })
  },
  routes: [platformRoute({
    method: 'GET',
    path: '/config/:id',
    auth: 'public',
    handler: async ({ params }, { connections }: PlatformRouteHost<Config>) => ({
      body: (await connections.get(params.id))?.config
    })
  })]
})

const manifest = {
  adapterKey: 'feed.api.v1',
  platformType: 'feed',
  displayName: 'Feed',
  capabilities: [],
  permissions: { http: ['${config.baseUrl}'], routes: true, connections: true, jobs: ['feed.*'] }
}

// The settings of an operator who leaves out everything with a default.
const config = {}
const credentials = { accessToken: 'token-1', expiresAt: '2025-01-01T00:00:00Z' }
const filled = { baseUrl: 'https://api.feed.test', language: 'pl', states: { sent: 4 } }

async function open () {
  const host = createTestHost()
  seen.length = 0
  return { host, shop: await host.open({ manifest, definition: adapter, config, credentials }) }
}

t.test('the adapter gets the defaults of its schemas, and the stored settings stay as they were written', async t => {
  const { host, shop } = await open()
  const payload = {}

  t.strictSame(await shop.run('feed.read', payload), { result: { config: filled, realm: 'shops', days: 7 } })
  t.strictSame(payload, {})
  t.match(await shop.run('feed.read', { days: 3 }), { result: { days: 3 } })
  t.strictSame(host.connections[0]?.config, {})
  t.strictSame(host.credentials, { 'connection-1': credentials })
  t.match(await shop.inject({ method: 'GET', path: '/config/connection-1' }), { body: filled })
  t.ok(Object.isFrozen(shop.context.config.states))
})

t.test('a default permits requests to its address', async t => {
  const { shop } = await open()

  t.doesNotThrow(() => shop.context.http({ baseUrl: shop.context.config.baseUrl }))
})

t.test('credentials are renewed from the stored ones with their defaults, which are not stored', async t => {
  const { host, shop } = await open()

  t.strictSame(await shop.run('feed.renew', {}), { result: 'token-2' })
  t.match(seen, [{ accessToken: 'token-1', realm: 'shops' }])
  t.ok(Object.isFrozen(seen[0]))
  t.strictSame(host.credentials, {
    'connection-1': { accessToken: 'token-2', expiresAt: '2030-01-01T00:00:00Z' }
  })
})

t.test('a change of filled settings keeps only the defaults that it changes', async t => {
  const given = { own: { a: 1 }, list: [{}], same: 'x' }
  const filled = { own: { a: 1, b: 2 }, list: [{ c: 3 }], same: 'x', realm: { d: 4 } }

  t.strictSame(withoutDefaults(filled, filled, given), given)
  t.strictSame(withoutDefaults({ ...filled, own: { a: 5, b: 2 }, added: 6 }, filled, given), {
    own: { a: 5 },
    list: [{}],
    same: 'x',
    added: 6
  })
  t.strictSame(withoutDefaults({ ...filled, realm: { d: 5 } }, filled, given), { ...given, realm: { d: 5 } })
  t.strictSame(withoutDefaults({ list: [{ c: 3 }, { c: 4 }] }, filled, given), { list: [{ c: 3 }, { c: 4 }] })
})

t.test('checkConfig sees the defaults', async t => {
  const { shop } = await open()

  await shop.call({ kind: 'checkConfig' }, [{ language: 'de' }])

  t.strictSame(seen, [{ ...filled, language: 'de' }])
})

t.test('an absent member with a default is no problem, and the value that was checked stays as it was', async t => {
  const check = compileSchema(Config)
  const value = { states: {} }

  t.strictSame(check(value), { problems: [], unknown: [] })
  t.strictSame(value, { states: {} })
  t.match(check({ language: '' }).problems, [{ pointer: '/language', code: 'minLength' }])
  t.match(compileSchema(Type.Object({ a: Type.Integer() }))({}).problems, [{ pointer: '/a', code: 'required' }])
})

t.test('the schemas that the hub shows do not require a member with a default', async t => {
  const { config, credentials, jobs } = describeAdapter(adapter)

  t.notOk('required' in config)
  t.match(credentials, { required: ['accessToken', 'expiresAt'] })
  t.match(jobs['feed.read'], { properties: { days: { default: 7 } }, required: undefined })
})

t.test('a value without defaults in its schema is not even copied', async t => {
  const value = {}

  t.equal(createFillDefaults(Type.Object({}))(value), value)
  t.strictSame(createFillDefaults(Type.Array(Type.Object({ a: Type.Integer({ default: 1 }) })))([{}]), [{ a: 1 }])
})

t.test('the hub does not load an adapter with a default that its own schema refuses, wherever it stands', async t => {
  const nested = Type.Object({ 'a/b': Type.Array(Type.Object({ n: Type.Integer({ default: 'one' }) })) })
  const definition = { ...adapter, config: Type.Object({ language: Type.String({ default: 'p', minLength: 2 }) }) }

  t.match(wrongDefaults(nested), [{ pointer: '/properties/a~1b/items/properties/n/default', code: 'type' }])
  t.strictSame(wrongDefaults(Config), [])
  t.match(checkAdapter(manifest, describeAdapter(definition)), [{
    code: 'LNK_ADAPTER_SHAPE_INVALID',
    message: /^its config schema has a default at \/properties\/language\/default that it refuses itself: it must NOT/
  }])
})

t.test('a default with a member that its closed schema does not know is refused, in an open one it is not', async t => {
  const closed = Type.Object({ n: Type.Optional(Type.Integer()) }, { additionalProperties: false, default: { zzz: 1 } })
  const around = Type.Object({ inner: Type.Optional(closed) }, { default: { open: 1, inner: { zzz: 1 } } })

  t.match(wrongDefaults(closed), [{ pointer: '/default/zzz', code: 'additionalProperties' }])
  t.strictSame(wrongDefaults(around).map(({ pointer }) => pointer), [
    '/default/inner/zzz',
    '/properties/inner/default/zzz'
  ])
  t.strictSame(wrongDefaults(Type.Object({}, { default: { open: 1 } })), [])
})

t.test('the hub does not load an adapter whose schema has a default for a secret', async t => {
  const secret = Type.String({ secret: true, default: 'key-1' })
  const definition = { ...adapter, credentials: Type.Object({ apiKey: secret }) }

  t.strictSame(checkAdapter(manifest, describeAdapter(definition)), [{
    code: 'LNK_ADAPTER_SHAPE_INVALID',
    message: 'its credentials schema has a default at /properties/apiKey/default of a secret member: schemas are public'
  }])
  t.match(checkAdapter(manifest, describeAdapter({ ...adapter, config: Type.Object({ list: Type.Array(secret) }) })), [
    { message: /^its config schema has a default at \/properties\/list\/items\/default of a secret member/ }
  ])
  t.strictSame(checkAdapter(manifest, describeAdapter(adapter)), [])
})

t.test('a member is optional in every schema below which a default is filled in, and in no other', async t => {
  const members = { type: 'object', properties: { n: { type: 'integer', default: 1 } }, required: ['n'] }
  const { required, ...optional } = members
  const schema = {
    definitions: { a: members },
    items: [members],
    allOf: [members],
    anyOf: [members],
    not: members
  }

  t.strictSame(required, ['n'])
  t.strictSame(optionalDefaults(schema), {
    definitions: { a: optional },
    items: [optional],
    allOf: [optional],
    anyOf: [members],
    not: members
  })
  t.strictSame(createFillDefaults({ items: [members] })([{}]), [{ n: 1 }])
  t.strictSame(createFillDefaults({ anyOf: [members] })({}), {})
  t.strictSame(
    createFillDefaults({ definitions: { a: members }, properties: { m: { $ref: '#/definitions/a' } } })({
      m: {}
    }),
    { m: { n: 1 } }
  )
})

t.test('a new connection gets the initial values of the members that it leaves out', async t => {
  const schema = Type.Object({
    tells: Type.Boolean({ default: false, initial: true }),
    states: Type.Optional(Type.Object({ sent: Type.Integer() }, { initial: { sent: 4 } })),
    language: Type.String({ default: 'pl' })
  })
  const given = { tells: false, own: 1 }

  t.strictSame(withInitialValues(schema, {}), { tells: true, states: { sent: 4 } })
  t.strictSame(withInitialValues(schema, given), { tells: false, own: 1, states: { sent: 4 } })
  t.strictSame(given, { tells: false, own: 1 })
  t.strictSame(withInitialValues(Type.Unknown(), given), given)
  t.strictSame(
    createFillDefaults(schema)({}),
    { tells: false, language: 'pl' },
    'an older connection keeps the default'
  )
})

t.test('the hub does not load an adapter with an initial value that is wrong or of a secret', async t => {
  const wrong = Type.Integer({ initial: 'many' })
  const secret = Type.String({ initial: 'key-1', secret: true })
  const definition = { ...adapter, config: Type.Object({ wrong }) }

  t.match(wrongInitialValues(Type.Object({ wrong, secret })), [
    { pointer: '/properties/wrong/initial', code: 'type' },
    { pointer: '/properties/secret/initial', code: 'secret' }
  ])
  t.strictSame(wrongInitialValues(Type.Object({ right: Type.Integer({ initial: 1 }) })), [])
  t.match(checkAdapter(manifest, describeAdapter(definition)), [{
    code: 'LNK_ADAPTER_SHAPE_INVALID',
    message: /^its config schema has an initial value at \/properties\/wrong\/initial that is wrong: it must be integer/
  }])
})
