import { RateLimitedError, RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import pg from 'pg'
import t from 'tap'
import { ConnectionNotFoundException, InvalidConnectionError, PublishFailedError } from '../../src/errors.ts'
import { freePort } from '../streams/drivers.ts'
import { authorized, buildHttpApp } from './support.ts'

const admin = { config: { scope: 'admin' as const } }

/** Returns a plugin whose route `/fail` throws the value that `thrown` returns. */
function failing (thrown: () => unknown) {
  return (app: FastifyInstance): void => {
    app.get('/fail', admin, async () => {
      throw await thrown()
    })
  }
}

const Body = Type.Object({
  name: Type.String(),
  count: Type.Optional(Type.Integer()),
  tags: Type.Optional(Type.Array(Type.String()))
}, { additionalProperties: false })

function taking (app: FastifyInstance): void {
  app.post('/things', { ...admin, schema: { body: Body } }, async request => request.body)
  app.get('/things', {
    ...admin,
    schema: {
      querystring: Type.Object({ limit: Type.Integer({ default: 50 }), deep: Type.Optional(Type.Boolean()) }, {
        additionalProperties: false
      })
    }
  }, async request => request.query as object)
}

t.test('the answer to an error of the table has its code, its status and a title, but no stack', async t => {
  const { app } = await buildHttpApp(t, { routes: failing(() => new InvalidConnectionError('`name` is taken')) })
  const response = await app.inject({ url: '/fail', headers: { ...authorized, 'x-request-id': 'r-1' } })

  t.equal(response.statusCode, 400)
  t.equal(response.headers['content-type'], 'application/problem+json')
  t.strictSame(response.json(), {
    type: 'urn:linker:problem:LNK_CONNECTION_INVALID',
    title: 'Connection invalid',
    status: 400,
    detail: '`name` is taken',
    code: 'LNK_CONNECTION_INVALID',
    instance: 'urn:linker:request:r-1',
    requestId: 'r-1'
  })
})

t.test('the answer to an exception of the specification has its name as title', async t => {
  const { app } = await buildHttpApp(t, { routes: failing(() => new ConnectionNotFoundException('c')) })
  const response = await app.inject({ url: '/fail', headers: authorized })

  t.equal(response.statusCode, 404)
  t.equal(response.json().title, 'ConnectionNotFoundException')
})

t.test('the answer names every problem of a body by a pointer, also an unknown member', async t => {
  const { app } = await buildHttpApp(t, { routes: taking })
  const response = await app.inject({
    method: 'POST',
    url: '/things',
    headers: authorized,
    payload: { count: '5', 'a/b': 1, tags: ['x', 7] }
  })

  t.equal(response.statusCode, 400)
  t.equal(response.json().code, 'LNK_REQUEST_INVALID')
  t.strictSame(response.json().errors.map((error: { pointer: string }) => error.pointer).toSorted(), [
    '/a~1b',
    '/count',
    '/name',
    '/tags/1'
  ])
  t.match(response.json().detail, '/a~1b is not a known member')
})

t.test('the hub converts a query string to the types of its schema and names problems below /querystring', async t => {
  const { app } = await buildHttpApp(t, { routes: taking })

  t.strictSame((await app.inject({ url: '/things?limit=7&deep=true', headers: authorized })).json(), {
    limit: 7,
    deep: true
  })
  t.strictSame((await app.inject({ url: '/things', headers: authorized })).json(), { limit: 50 })
  const refused = await app.inject({ url: '/things?limit=many&depth=2', headers: authorized })
  t.equal(refused.statusCode, 400)
  t.strictSame(refused.json().errors.map((error: { pointer: string }) => error.pointer).toSorted(), [
    '/querystring/depth',
    '/querystring/limit'
  ])
})

t.test('the answer to a body with thousands of problems names fifty of them', async t => {
  const { app } = await buildHttpApp(t, { routes: taking })
  const response = await app.inject({
    method: 'POST',
    url: '/things',
    headers: authorized,
    payload: { name: 'n', tags: Array.from({ length: 10_000 }, () => 1) }
  })

  t.equal(response.statusCode, 400)
  t.equal(response.json().errors.length, 50)
})

t.test('the hub answers a body that it cannot read with a 4xx problem', async t => {
  const { app } = await buildHttpApp(t, { routes: taking })
  const send = (payload: string, contentType = 'application/json') =>
    app.inject({ method: 'POST', url: '/things', headers: { ...authorized, 'content-type': contentType }, payload })
  const cases: [string, Awaited<ReturnType<typeof send>>, number, string][] = [
    ['incomplete JSON', await send('{"name":'), 400, 'LNK_REQUEST_INVALID'],
    ['__proto__', await send('{"name":"n","__proto__":{"polluted":true}}'), 400, 'LNK_REQUEST_INVALID'],
    [
      'an escaped __proto__',
      await send('{"name":"n","\\u005f_proto__":{"polluted":true}}'),
      400,
      'LNK_REQUEST_INVALID'
    ],
    [
      'constructor.prototype',
      await send('{"constructor":{"prototype":{"polluted":true}}}'),
      400,
      'LNK_REQUEST_INVALID'
    ],
    ['an empty body', await send(''), 400, 'LNK_REQUEST_INVALID'],
    ['another media type', await send('<a/>', 'text/xml'), 415, 'LNK_MEDIA_TYPE_UNSUPPORTED'],
    ['an invalid media type', await send('{}', 'nonsense'), 415, 'LNK_MEDIA_TYPE_UNSUPPORTED'],
    [
      'a body above the limit',
      await send(JSON.stringify({ name: 'n'.repeat(1_048_576) })),
      413,
      'LNK_PAYLOAD_TOO_LARGE'
    ]
  ]

  for (const [name, response, status, code] of cases) {
    t.equal(response.statusCode, status, name)
    t.equal(response.json().code, code, name)
    t.equal(response.headers['content-type'], 'application/problem+json', name)
  }
  t.match(cases.at(-1)?.[1].json().detail, '1048576 bytes')
  t.equal(({} as { polluted?: boolean }).polluted, undefined)
})

t.test('an unforeseen error is a 500 without details, and one log line has the details', async t => {
  const { app, log } = await buildHttpApp(t, {
    routes: failing(() => new TypeError('password=hunter2 at /srv/secret.ts'))
  })
  const response = await app.inject({ url: '/fail', headers: { ...authorized, 'x-request-id': 'r-2' } })

  t.equal(response.statusCode, 500)
  t.equal(response.json().code, 'LNK_INTERNAL')
  t.notMatch(response.payload, /hunter2|secret\.ts|TypeError/)
  const errors = log.filter(line => line.level >= 50)
  t.equal(errors.length, 1)
  t.match(errors[0], { requestId: 'r-2', err: { message: /hunter2/, stack: /problem-json\.test/ } })
})

t.test('any value that a route throws, also one with a status of its own, is a 500', async t => {
  for (
    const thrown of [
      'a text',
      7,
      undefined,
      { statusCode: 404, message: 'not ours' },
      Object.assign(new Error('of a library'), { statusCode: 404 }),
      Object.assign(new Error('x'), { code: 42 })
    ]
  ) {
    const { app } = await buildHttpApp(t, { routes: failing(() => thrown) })
    const response = await app.inject({ url: '/fail', headers: authorized })
    t.equal(response.statusCode, 500, String(JSON.stringify(thrown)))
    t.equal(response.json().code, 'LNK_INTERNAL')
  }
})

t.test('a failure of PostgreSQL or Redis is a 503 with Retry-After that shows no detail of it', async t => {
  const port = await freePort()
  const redis = new Redis({ host: '127.0.0.1', port, lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 })
  redis.on('error', () => undefined)
  const failures: Record<string, () => unknown> = {
    'PostgreSQL refuses the connection': () =>
      new pg.Client({ host: '127.0.0.1', port }).connect().catch((error: unknown) => error),
    'Redis refuses the connection': () => redis.get('key').catch((error: unknown) => error),
    'PostgreSQL stops': () =>
      Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
    'PostgreSQL is still starting': () =>
      Object.assign(new Error('the database system is starting up'), { code: '57P03' }),
    'a connection broke': () => Object.assign(new Error('connection failure'), { code: '08006' }),
    'the cause of an error is such a failure': () =>
      new Error('query failed', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) }),
    'the pool has no free connection': () => new Error('timeout exceeded when trying to connect')
  }

  for (const [name, failure] of Object.entries(failures)) {
    const { app } = await buildHttpApp(t, { routes: failing(failure) })
    const response = await app.inject({ url: '/fail', headers: authorized })
    t.equal(response.statusCode, 503, name)
    t.equal(response.json().code, 'LNK_DATABASE_UNAVAILABLE', name)
    t.equal(response.headers['retry-after'], '5', name)
    t.notMatch(response.payload, /127\.0\.0\.1|ECONN|terminating/, name)
  }
})

t.test('an error of an adapter is a 502, even if its cause looks like a failure of the database', async t => {
  const refused = new RejectedError('The offer was refused', {
    status: 422,
    fields: [{ pointer: '/price', code: 'min', message: 'is too low' }]
  })
  const { app } = await buildHttpApp(t, { routes: failing(() => refused) })
  const response = await app.inject({ url: '/fail', headers: authorized })
  t.equal(response.statusCode, 502)
  t.match(response.json(), {
    code: 'LNK_ADAPTER_REJECTED',
    detail: 'The offer was refused',
    errors: [{ pointer: '/price', message: 'is too low' }]
  })

  const limited = new RateLimitedError('Slow down', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) })
  const other = await buildHttpApp(t, { routes: failing(() => limited) })
  t.equal((await other.app.inject({ url: '/fail', headers: authorized })).json().code, 'LNK_ADAPTER_RATE_LIMITED')
})

t.test('while a server is away the log gets ten lines a second, and the next line counts those held back', async t => {
  let nowMs = 0
  const { app, log } = await buildHttpApp(t, {
    routes: failing(() => new PublishFailedError({ cause: new Error('connection lost') })),
    nowMs: () => nowMs
  })
  const fail = async (times: number) => {
    for (let index = 0; index < times; index += 1) await app.inject({ url: '/fail', headers: authorized })
  }
  const failures = () => log.filter(line => line.msg === 'a request failed')

  await fail(100)
  t.equal(failures().length, 10)
  t.match(failures()[0], { code: 'LNK_PUBLISH_FAILED', err: { message: /not have been stored/ } })
  nowMs = 1_000
  await fail(1)
  t.equal(failures().at(-1)?.heldBack, 90)
})

t.test('an address without a route is a 404 problem, and a malformed address is a 400 problem', async t => {
  const { app } = await buildHttpApp(t)
  const missing = await app.inject('/nowhere?code=secret')
  t.equal(missing.statusCode, 404)
  t.match(missing.json(), { code: 'LNK_NOT_FOUND', detail: /GET \/nowhere$/ })
  t.notMatch(missing.payload, 'secret')

  const broken = await app.inject({ url: '/%E0%A4%A', headers: { 'x-request-id': 'r-3' } })
  t.equal(broken.statusCode, 400)
  t.match(broken.json(), { code: 'LNK_REQUEST_INVALID', requestId: 'r-3' })
  t.equal(broken.headers['x-request-id'], 'r-3')
})
