import { AdapterErrorCode, defineAdapter, defineJob, type Context, type StockLevel } from '@linker/sdk'
import { createTestContext, createTestHost } from '@linker/sdk/testing'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { startUpstream } from '../http/support.ts'
import { adapterOf, credentials, manifest } from './adapter.ts'

t.test('an opened connection has a context and a client, and stores the effects of jobs that succeed', async t => {
  const host = createTestHost()
  const definition = adapterOf(async ({ cursor, jobs, kv }) => {
    await kv.set('seen', [1])
    cursor.set('orders', '5')
    return jobs.enqueue('feed.next', { n: 1 }, { key: 'next:1' })
  })
  const opened = await host.open({ manifest, definition, config: {}, credentials })

  t.equal(opened.client.tokenAtConnect, 'the-first-token')
  t.equal(opened.context.connection.platformType, 'feed')
  const outcome = await opened.run('feed.work', {})
  await opened.run('feed.work', {})

  const [job] = host.jobs
  t.strictSame(outcome, { result: { jobId: job?.id } })
  t.strictSame(host.jobs, [{
    id: job?.id,
    connectionId: 'connection-1',
    jobType: 'feed.next',
    payload: { n: 1 },
    key: 'next:1'
  }])
  t.strictSame(host.cursors, { 'connection-1': { orders: '5' } })
  t.strictSame(host.values, { 'connection-1': { seen: [1] } })
})

t.test('the host does not open a connection that the schemas refuse', async t => {
  const host = createTestHost()
  const options = { manifest, definition: adapterOf(() => undefined), config: {}, credentials }

  await t.rejects(host.open({ ...options, config: JSON.parse('{"baseUrl":5}') }), { message: /\/config\/baseUrl/ })
  await t.rejects(host.open({ ...options, credentials: JSON.parse('{"accessToken":"a"}') }), {
    message: /\/credentials\/expiresAt is required/
  })
})

t.test('the clock aborts a call at its deadline, and not before', async t => {
  const host = createTestHost({ now: new Date('2025-06-01T00:00:00Z') })
  const begun = Promise.withResolvers<Context>()
  const definition = adapterOf(context =>
    new Promise((resolve, reject) => {
      begun.resolve(context as Context)
      context.signal.addEventListener('abort', () => {
        reject(context.signal.reason as Error)
      })
    })
  )
  const opened = await host.open({ manifest, definition, config: {}, credentials })

  const call = opened.run('feed.work', {}, { deadline: new Date('2025-06-01T00:00:30Z') })
  let isOver = false
  call.catch(() => undefined).finally(() => {
    isOver = true
  })
  await begun.promise
  host.clock.advance(29_999)
  await new Promise(setImmediate)
  t.notOk(isOver)
  host.clock.advance(1)

  await t.rejects(call, { code: AdapterErrorCode.transient })
})

t.test('requests are shown with their connection, and only permitted ones are sent', async t => {
  const upstream = await startUpstream(t, (_request, response) => {
    response.end('{}')
  })
  const host = createTestHost()
  t.teardown(() => host.close())
  const definition = adapterOf(async ({ http, config: { baseUrl = '' } }) =>
    http({ baseUrl }).json({ method: 'GET', path: 'orders' })
  )
  const opened = await host.open({ manifest, definition, config: { baseUrl: `${upstream.baseUrl}/api` }, credentials })

  await opened.run('feed.work', {})

  t.match(host.requests, [{ method: 'GET', path: '/api/orders', status: 200, connectionId: 'connection-1' }])
  const other = adapterOf(({ http }) => http({ baseUrl: 'https://elsewhere.test' }))
  await t.rejects((await host.open({ manifest, definition: other, config: {}, credentials })).run('feed.work', {}), {
    code: AdapterErrorCode.configuration
  })
})

t.test('the next call after new credentials gets a new client', async t => {
  const host = createTestHost()
  const opened = await host.open({
    manifest,
    definition: adapterOf(({ credentials: { accessToken } }) => accessToken),
    config: {},
    credentials
  })

  host.setCredentials('connection-1', { ...credentials, accessToken: 'the-second-token' })

  t.strictSame(await opened.run('feed.work', {}), { result: 'the-second-token' })
  t.equal(opened.client.tokenAtConnect, 'the-second-token')
})

t.test('credentials are converted to the shape of the adapter, including later ones', async t => {
  const host = createTestHost()
  const definition = {
    ...adapterOf(({ credentials: { accessToken } }) => accessToken),
    normalizeCredentials: (given: unknown) => typeof given === 'string' ? { ...credentials, accessToken: given } : given
  }
  const opened = await host.open({ manifest, definition, config: {}, credentials })

  host.setCredentials('connection-1', 'a-bare-token')

  t.strictSame(await opened.run('feed.work', {}), { result: 'a-bare-token' })
  t.throws(() => {
    host.setCredentials('connection-1', { accessToken: 'a' })
  }, { message: /expiresAt is required/ })
  t.strictSame(host.credentials, { 'connection-1': { ...credentials, accessToken: 'a-bare-token' } })
})

t.test('a route of the platform as a whole is called without the connection', async t => {
  const opened = await createTestHost().open({
    manifest,
    definition: adapterOf(() => undefined),
    config: {},
    credentials
  })

  t.strictSame(await opened.call({ kind: 'route', index: 0 }, [{}]), { body: true })
})

t.test('the test host refuses an answer that the hub would refuse, and stores nothing of its call', async t => {
  const host = createTestHost()
  const { capabilities: _none, ...rest } = adapterOf(() => undefined)
  const levels: unknown[] = [{ productExternalId: '1', variantExternalId: '1', quantity: 2 }]
  const definition = defineAdapter({
    ...rest,
    test: async () => JSON.parse('{"message":7}'),
    account: async () => JSON.parse('{"id":7,"name":"Feed"}'),
    capabilities: {
      InventoryMaster: () => ({ getStock: async () => levels as StockLevel[], listStock: async () => ({ items: [] }) }),
      'linker/Carrier': () => ({
        createShipment: async () => ({ externalId: 'P-1' }),
        cancelShipment: async () => 'done'
      }),
      'acme/Weather': () => ({ forecast: async () => 'rain' })
    },
    jobs: {
      'feed.work': defineJob({
        payload: Type.Object({}),
        async run (_client: { tokenAtConnect: string }, _job, { cursor }: Context) {
          cursor.set('orders', '5')
          return JSON.parse('{"stock":[{"productExternalId":"1","variantExternalId":"1","quantity":"2"}]}')
        }
      })
    }
  })
  const opened = await host.open({ manifest, definition, config: {}, credentials })
  const call = (capability: string, method: string): Promise<unknown> =>
    opened.call({ kind: 'capability', capability, method })
  const refused = (message: RegExp) => ({ code: AdapterErrorCode.rejected, message })

  t.strictSame(await call('InventoryMaster', 'getStock'), levels)
  levels.push({ productExternalId: '1', variantExternalId: '2', quantity: 'many' })
  await t.rejects(
    call('InventoryMaster', 'getStock'),
    refused(/^InventoryMaster\.getStock returned an answer that breaks its contract: \/1\/quantity /)
  )
  await t.rejects(opened.run('feed.work', {}), refused(/^feed\.work returned .*\/stock\/0\/quantity/))
  await t.rejects(opened.test(), refused(/^test returned /))
  await t.rejects(opened.account(), refused(/^account returned .*\/id Expected string/))
  await t.rejects(call('linker/Carrier', 'createShipment'), refused(/createShipment returned .*\/tracking/))
  t.equal(await call('linker/Carrier', 'cancelShipment'), 'done')
  t.equal(await call('acme/Weather', 'forecast'), 'rain')
  t.strictSame(host.cursors, {})
})

t.test('the clock only moves forward', async t => {
  t.throws(() => {
    createTestHost().clock.advance(-1)
  }, RangeError)
  t.throws(() => {
    createTestHost().clock.advance(NaN)
  }, RangeError)
})

t.test('a test context is complete, shows the effects of the call and keeps credentials out of the log', async t => {
  const { context, effects, host } = createTestContext({
    manifest,
    config: { baseUrl: 'https://feed.test' },
    credentials
  })

  context.cursor.set('orders', '7')
  const { jobId } = await context.jobs.enqueue('feed.next', { n: 1 }, { key: 'next:1' })
  await context.kv.set('seen', true)
  context.log.warn({ token: credentials.accessToken }, 'with the-first-token')

  t.equal(await context.cursor.get('orders'), '7')
  t.strictSame(effects, {
    cursors: { orders: '7' },
    jobs: [{ jobType: 'feed.next', payload: { n: 1 }, key: 'next:1' }]
  })
  t.type(jobId, 'string')
  t.strictSame([host.cursors, host.jobs], [{}, []])
  t.strictSame(host.values, { 'connection-1': { seen: true } })
  t.match(host.logs, [{ level: 'warn', fields: { token: '[redacted]' }, message: 'with [redacted]' }])
  t.equal(
    await context.oauth.accessToken(async () => {
      throw new Error('it is good still')
    }),
    'the-first-token'
  )
})

t.test('a test context with the schemas of an adapter has their defaults and hides only their secrets', async t => {
  const definition = {
    config: Type.Object({ language: Type.String({ default: 'pl' }), baseUrl: Type.String({ minLength: 1 }) }),
    credentials: Type.Object({ key: Type.String({ secret: true }), realm: Type.String({ default: 'shops' }) })
  }
  const given = { manifest, definition, config: { baseUrl: 'https://feed.test' }, credentials: { key: 'the-key' } }

  const { context, host } = createTestContext(given)
  context.log.info({}, `the-key of ${context.credentials.realm} in ${context.config.language}`)

  t.strictSame(context.config, { language: 'pl', baseUrl: 'https://feed.test' })
  t.strictSame(host.credentials, { 'connection-1': { key: 'the-key' } })
  t.match(host.logs, [{ message: '[redacted] of shops in pl' }])
  t.throws(() => createTestContext({ ...given, config: {} }), {
    name: 'TypeError',
    message: /\/config\/baseUrl is req/
  })
})

t.test('routes have flows and connections in memory, and a test can see and open created connections', async t => {
  const host = createTestHost()
  const definition = defineAdapter({
    ...adapterOf(() => undefined),
    routes: [
      {
        method: 'POST',
        path: '/begin',
        auth: 'admin',
        handler: async (_request, { flows }) => ({
          body: await flows.begin({ name: 'Feed of the flow' }, { ttlSeconds: 60 })
        })
      },
      {
        method: 'GET',
        path: '/end',
        auth: 'public',
        handler: async ({ query }, { flows, connections }) => ({
          body: await flows.complete(
            String(query.state),
            async data =>
              connections.create({
                name: (data as { name: string }).name,
                config: {},
                credentials,
                values: { account: 7 }
              }, { key: 'account:7' })
          )
        })
      }
    ]
  })
  const permitted = { ...manifest, permissions: { ...manifest.permissions, routes: true, connections: true } }
  const opened = await host.open({
    manifest: permitted,
    definition,
    config: {},
    credentials,
    connection: { id: 'first', name: 'First', status: 'disabled' }
  })
  const end = (state: unknown): Promise<unknown> => opened.call({ kind: 'route', index: 1 }, [{ query: { state } }])
  const { body: state } = await opened.call({ kind: 'route', index: 0 }, [{}]) as { body: string }

  const { body } = await end(state) as { body: { id: string, name: string } }

  t.strictSame(await end(state), { body })
  const created = { id: body.id, platformType: 'feed', name: 'Feed of the flow', status: 'active', config: {} }
  t.strictSame(host.connections, [
    { id: 'first', platformType: 'feed', name: 'First', status: 'disabled', config: {} },
    created
  ])
  t.strictSame([host.values[body.id], host.credentials[body.id]], [{ account: 7 }, credentials])
  const again = await host.open({ manifest: permitted, definition, config: {}, credentials, connection: body })
  t.equal(await again.context.kv.get('account'), 7)
  host.clock.advance(301_000)
  t.strictSame(await end(state), { body: undefined })
})
