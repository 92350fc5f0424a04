import type { Manifest, TaggedAdapter } from '@linker/sdk'
import { createTestHost, type InjectedRequest } from '@linker/sdk/testing'
import type { TSchema } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { request } from 'undici'
import { eventually } from '../support/api.ts'
import { feedshopManifest } from '../support/feedshop.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import type { ForeignPackage } from '../support/project.ts'

const nowhere = '00000000-0000-4000-8000-000000000000'
const withoutToken = { headers: { authorization: '' } }

/** A feed that brings routes. Each answer names the version that gave it. */
const feed = (name: string, version: string): ForeignPackage => ({
  manifest: feedshopManifest({ name, version, permissions: { routes: true, jobs: ['feedshop.*'] } }),
  source: `
    import { setTimeout as sleep } from 'node:timers/promises'
    import { defineAdapter, AuthenticationError, ConfigurationError, NotFoundError, OutcomeUnknownError,
      RateLimitedError, RejectedError, TransientError }
    from '@linker/sdk'
    const version = ${JSON.stringify(version)}
    let broken = 0
    const errors = {
      rejected: () => new RejectedError('Invalid state parameter'),
      fields: () => new RejectedError('no', { fields: [{ pointer: '/price', code: 'min', message: 'is too low' }] }),
      notFound: () => new NotFoundError('no such article'),
      authentication: () => new AuthenticationError('the key was refused'),
      configuration: () => new ConfigurationError('baseUrl leads nowhere'),
      rateLimited: () => new RateLimitedError('slow down', { retryAfterMs: 12_300 }),
      transient: () => new TransientError('the feed is away'),
      outcomeUnknown: () => new OutcomeUnknownError('nobody knows'),
      bug: () => new TypeError('the inner workings of the feed')
    }
    const answers = {
      nothing: undefined,
      text: 'hello',
      member: { statusCode: 200 },
      status: { status: 101 },
      date: { body: { at: new Date(0) } },
      map: { body: new Map() },
      nan: { body: [1, NaN] },
      cookie: { headers: { 'set-cookie': 'a=b' } },
      html: { headers: { 'content-type': 'text/html' }, body: '<script>' },
      split: { headers: { 'x-feedshop-note': 'a\\r\\nset-cookie: b' } },
      full: { status: 204, body: {} },
      empty: { status: 204 },
      gone: {
        status: 410,
        headers: { 'content-type': 'application/hal+json', 'X-Feedshop-Note': 'n' },
        body: { gone: true, left: undefined }
      },
      scalar: { body: null }
    }
    export default defineAdapter({
      config: { type: 'object', properties: { label: { type: 'string' } } },
      credentials: { type: 'null' },
      connect: context => context.config,
      account: async () => undefined,
      capabilities: {},
      jobs: { 'feedshop.article.read': { payload: { type: 'object' }, run: async () => ({}) } },
      routes: [
        {
          method: 'GET', path: '/status', auth: 'public', summary: 'How the feed does',
          handler: async (request, { platform, connection, clock }) => ({
            body: {
              version,
              request,
              platform,
              hasConnection: connection !== undefined,
              now: clock.now().toISOString()
            }
          })
        },
        {
          method: 'POST', path: '/articles/:id', auth: 'admin', summary: 'Change an article',
          schema: {
            params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } },
            query: {
              type: 'object',
              required: ['dryRun'],
              properties: {
                dryRun: { type: 'boolean' },
                tag: { type: 'array', items: { type: 'string' } },
                limit: { type: 'integer', default: 5 }
              }
            },
            body: {
              type: 'object',
              required: ['price'],
              properties: { price: { type: 'number' }, note: { type: 'string' } }
            },
            response: { 201: { type: 'object', description: 'What was understood' } }
          },
          handler: async ({ method, params, query, body }) => ({
            status: 201,
            headers: { location: '/articles/1', 'X-Feedshop-Version': version },
            body: { method, params, query, body }
          })
        },
        {
          method: 'POST', path: '/fail/:how', auth: 'admin',
          handler: async ({ params }) => { throw errors[params.how]() }
        },
        { method: 'GET', path: '/answer/:how', auth: 'admin', handler: async ({ params }) => answers[params.how] },
        {
          method: 'POST', path: '/slow', auth: 'admin',
          handler: async (request, { signal }) => {
            try { await sleep(60_000, undefined, { signal }) } finally { broken += 1 }
          }
        },
        {
          method: 'POST', path: '/raw', auth: 'admin', rawBody: true,
          handler: async ({ rawBody, body }) => ({
            body: {
              text: new TextDecoder().decode(rawBody).slice(0, 100),
              isPlain: rawBody.constructor === Uint8Array && rawBody.buffer.byteLength === rawBody.length,
              body: typeof body === 'string' ? body.length : body
            }
          })
        },
        {
          method: 'POST', path: '/parsed', auth: 'admin',
          handler: async request => ({ body: { hasRawBody: 'rawBody' in request } })
        },
        { method: 'GET', path: '/broken', auth: 'admin', handler: async () => ({ body: { broken } }) },
        {
          method: 'POST', path: '/connections/:connectionId/articles/:id/read', auth: 'admin',
          handler: async ({ params }, { connection: { client, context } }) => {
            context.cursor.set('articles', params.id)
            const payload = { externalId: params.id }
            const job = await context.jobs.enqueue('feedshop.article.read', payload, { key: params.id })
            return { status: 202, body: { version, label: client.label, id: context.connection.id, ...job } }
          }
        },
        { method: 'GET', path: '/connections/:connectionId/label', auth: ${
    JSON.stringify(version === '1.0.0' ? 'public' : 'admin')
  }, handler: async (request, { connection }) => ({ body: { version, label: connection.client.label } }) },
        ...(version === '1.0.0' ? [{
          method: 'GET', path: '/connections/:connectionId/old', auth: 'admin',
          handler: async () => ({ body: { version } })
        }] : [])
      ]
    })`
})

const packages = [feed('@acme/adapter-feedshop-v1', '1.0.0'), feed('@acme/adapter-feedshop-v1-next', '1.1.0')]

async function buildFeedHub (
  t: Test,
  isolation: 'inline' | 'worker'
): Promise<TestHub & { create(more?: object): Promise<string> }> {
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages,
    config: {
      adapters: [...packages.map(({ manifest }) => ({ use: manifest.name, isolation })), '@linker/adapter-mktb-v1']
    }
  })
  return Object.assign(hub, {
    async create (more = {}) {
      const created = await hub.call('POST', '/connections', {
        body: { name: 'Feed', platformType: 'feedshop', config: { label: 'mine' }, allowSameAccount: true, ...more }
      })
      if (created.status !== 201) throw new Error(created.text)
      return (created.json as { id: string }).id
    }
  })
}

for (const isolation of ['inline', 'worker'] as const) {
  t.test(`the routes of an adapter that runs ${isolation}`, async t => {
    const hub = await buildFeedHub(t, isolation)
    const [old, current] = [await hub.create({ adapterVersion: '1.0.0' }), await hub.create()]

    t.test('a public route is open, and does not get the token or the cookies of its caller', async t => {
      const open = await hub.call('GET', '/integrations/feedshop/status?a=1&a=2&b=', {
        headers: { authorization: '', cookie: 'c=1', 'x-request-id': 'r-1', 'user-agent': 'tap' }
      })
      const known = await hub.call('GET', '/v1/integrations/feedshop/status')

      t.match(open, {
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'x-request-id': 'r-1',
          'x-content-type-options': 'nosniff'
        }
      })
      t.match(open.json, {
        version: '1.1.0',
        hasConnection: false,
        request: {
          method: 'GET',
          params: {},
          query: { a: ['1', '2'], b: '' },
          headers: { 'user-agent': 'tap' },
          requestId: 'r-1'
        }
      })
      t.strictSame(
        [open, known].flatMap(({ json }) => Object.keys((json as { request: { headers: object } }).request.headers))
          .filter(name => ['authorization', 'cookie'].includes(name)),
        []
      )
      t.equal(known.status, 200)
    })

    t.test('a route that asks for it gets the bytes of the body, and no other one does', async t => {
      const post = (path: string, body?: string) => hub.call('POST', `/integrations/feedshop${path}`, { body })
      const text = '{ "price":1.50,\n"name": "ż" }'

      t.match(await post('/raw', text), { status: 200 })
      t.strictSame((await post('/raw', text)).json, { text, isPlain: true, body: { price: 1.5, name: 'ż' } })
      t.strictSame((await post('/raw')).json, { text: '', isPlain: true })
      t.strictSame((await post('/parsed', text)).json, { hasRawBody: false })
      t.match(await post('/raw', JSON.stringify('a'.repeat(1_048_574))), { status: 200 })
      t.match(problemOf(await post('/raw', JSON.stringify('a'.repeat(1_048_575)))), {
        status: 413,
        code: 'LNK_PAYLOAD_TOO_LARGE'
      })
    })

    t.test('a route for the operator, and an unknown address, ask for the token', async t => {
      for (
        const [method, path] of [['POST', '/articles/7?dryRun=1'], ['GET', '/nothing'], ['PUT', '/status'], [
          'GET',
          `/connections/${current}/old`
        ], ['POST', `/connections/${nowhere}/articles/7/read`]] as const
      ) {
        t.match(problemOf(await hub.call(method, `/integrations/feedshop${path}`, withoutToken)), {
          status: 401,
          code: 'LNK_UNAUTHORIZED'
        }, path)
      }
      t.match(problemOf(await hub.call('GET', '/integrations/nobody/status', withoutToken)), { status: 401 })
    })

    t.test('the hub itself answers 404 for an address without a route', async t => {
      for (
        const [method, path] of [
          ['GET', '/feedshop/nothing'],
          ['DELETE', '/feedshop/status'],
          ['GET', '/nobody/status'],
          ['GET', '/mktb/status'],
          ['GET', '/feedshop/status/'],
          ['GET', '/__proto__/status'],
          ['GET', `/feedshop/connections/${current}/old`]
        ] as const
      ) {
        t.match(problemOf(await hub.call(method, `/integrations${path}`)), {
          status: 404,
          code: 'LNK_NOT_FOUND',
          detail: `${method} /integrations${path}`
        })
      }
    })

    t.test('a route gets the parts of a request in the types of its schemas, and sets status and headers', async t => {
      const answer = await hub.call('POST', '/integrations/feedshop/articles/7?dryRun=true&tag=a', {
        body: { price: 1.5 }
      })

      t.match(answer, { status: 201, headers: { location: '/articles/1', 'x-feedshop-version': '1.1.0' } })
      t.strictSame(answer.json, {
        method: 'POST',
        params: { id: 7 },
        query: { dryRun: true, tag: ['a'], limit: 5 },
        body: { price: 1.5 }
      })
    })

    t.test('the hub answers for a route whose schemas refuse the request, and names every wrong member', async t => {
      const path = '/integrations/feedshop/articles'
      const wrong = await hub.call('POST', `${path}/0?limit=many&more=1`, { body: { price: '1.5', nota: 'x' } })

      t.match(problemOf(wrong), { status: 400, code: 'LNK_REQUEST_INVALID' })
      t.strictSame(pointersOf(wrong).toSorted(), [
        '/nota',
        '/params/id',
        '/price',
        '/querystring/dryRun',
        '/querystring/limit',
        '/querystring/more'
      ])
      t.match(problemOf(await hub.call('POST', `${path}/7?dryRun=1`)), { status: 400 })
      t.strictSame(pointersOf(await hub.call('POST', `${path}/7?dryRun=true`)), [''])
      t.match(
        problemOf(await hub.call('POST', `${path}/7?dryRun=true`, { body: '{"price":1,"__proto__":{"polluted":1}}' })),
        { status: 400, detail: /forbidden member name/ }
      )
      t.match(
        problemOf(await hub.call('POST', `${path}/7?dryRun=true`, {
          body: 'price=1',
          headers: { 'content-type': 'application/x-www-form-urlencoded' }
        })),
        { status: 415 }
      )
      t.strictSame(pointersOf(await hub.call('GET', '/integrations/feedshop/status?__proto__=1')), [
        '/querystring/__proto__'
      ])
      t.strictSame(pointersOf(await hub.call('GET', '/integrations/feedshop/status?a=%00')), ['/querystring/a'])
      t.strictSame(pointersOf(await hub.call('GET', '/integrations/feedshop/answer/%00')), ['/params/how'])
      t.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
    })

    t.test('a route of a connection is served by the version that the connection pins', async t => {
      const read = (id: string) => hub.call('POST', `/integrations/feedshop/connections/${id}/articles/27/read`)

      t.match(await read(old), { status: 202, json: { version: '1.0.0', label: 'mine', id: old } })
      t.match(await read(current.toUpperCase()), { status: 202, json: { version: '1.1.0', id: current } })
      t.match(await hub.call('GET', `/integrations/feedshop/connections/${old}/old`), {
        status: 200,
        json: { version: '1.0.0' }
      })
      await hub.call('PATCH', `/connections/${current}`, { body: { adapterVersion: '1.0.0' } })
      t.match(await hub.call('GET', `/integrations/feedshop/connections/${current}/label`), {
        status: 200,
        json: { version: '1.0.0' }
      })
      await hub.call('PATCH', `/connections/${current}`, { body: { adapterVersion: '1.1.0' } })
    })

    t.test('a route of a connection leaves its jobs and cursors behind', async t => {
      const { json } = await hub.call('POST', `/integrations/feedshop/connections/${old}/articles/28/read`)
      const job = await hub.endOf((json as { jobId: string }).jobId)
      const rows = await hub.database().query(
        'select value from connection_cursors where connection_id = $1 and cursor_key = $2',
        [old, 'articles']
      )

      t.match(job, { jobType: 'feedshop.article.read', connectionId: old, status: 'succeeded' })
      t.match(rows, [{ value: '28' }])
    })

    t.test('a route of a connection is as open as the version that serves it says', async t => {
      const label = (id: string) => hub.call('GET', `/integrations/feedshop/connections/${id}/label`, withoutToken)

      t.match(await label(old), { status: 200, json: { version: '1.0.0', label: 'mine' } })
      t.match(problemOf(await label(current)), { status: 401, code: 'LNK_UNAUTHORIZED' })
    })

    t.test('a route of a connection needs one of its platform that is not disabled', async t => {
      const [disabled, market] = [await hub.create({ status: 'disabled' }), await hub.connect('mktb')]
      const label = (id: string) => hub.call('GET', `/integrations/feedshop/connections/${id}/label`)

      for (const id of [nowhere, market, 'x', `${current}0`, randomUUID()]) {
        t.match(problemOf(await label(id)), {
          status: 404,
          title: 'ConnectionNotFoundException',
          code: 'LNK_CONNECTION_NOT_FOUND',
          detail: 'Connection not found'
        }, id)
      }
      t.match(problemOf(await label(disabled)), { status: 400, code: 'LNK_CONNECTION_DISABLED' })
    })

    t.test('a route that throws an SDK error is answered with the status of the error', async t => {
      const fail = async (how: string) => problemOf(await hub.call('POST', `/integrations/feedshop/fail/${how}`))
      const limited = await hub.call('POST', '/integrations/feedshop/fail/rateLimited')

      t.match(await fail('rejected'), { status: 400, code: 'LNK_ADAPTER_REJECTED', detail: 'Invalid state parameter' })
      t.match(await fail('fields'), {
        status: 400,
        errors: [{ pointer: '/price', code: 'min', message: 'is too low' }]
      })
      t.match(await fail('notFound'), { status: 404, code: 'LNK_ADAPTER_NOT_FOUND', detail: 'no such article' })
      t.match(await fail('authentication'), { status: 502, code: 'LNK_ADAPTER_AUTHENTICATION' })
      t.match(await fail('configuration'), { status: 500, code: 'LNK_ADAPTER_CONFIGURATION' })
      t.match(await fail('transient'), { status: 503, code: 'LNK_ADAPTER_TRANSIENT' })
      t.match(await fail('outcomeUnknown'), { status: 502, code: 'LNK_ADAPTER_OUTCOME_UNKNOWN' })
      t.match(problemOf(limited), { status: 503, code: 'LNK_ADAPTER_RATE_LIMITED' })
      t.equal(limited.headers['retry-after'], '13')
    })

    t.test('the log shows the reason of an unknown error of a route, and the caller does not see it', async t => {
      const answer = await hub.call('POST', '/integrations/feedshop/fail/bug', { headers: { 'x-request-id': 'r-bug' } })

      t.match(problemOf(answer), { status: 500, code: 'LNK_ADAPTER_FAILED', detail: /feedshop\.api\.v1@1\.1\.0/ })
      t.notMatch(answer.text, 'inner workings')
      t.ok(hub.log.some(line => line.includes('r-bug') && line.includes('inner workings of the feed')))
    })

    t.test("a route answers JSON with its own content type and sets no header that is the hub's", async t => {
      const answer = (how: string) => hub.call('GET', `/integrations/feedshop/answer/${how}`)

      for (
        const how of ['nothing', 'text', 'member', 'status', 'date', 'map', 'nan', 'cookie', 'html', 'split', 'full']
      ) {
        const refused = await answer(how)
        t.match(problemOf(refused), { status: 500, code: 'LNK_ADAPTER_FAILED' }, how)
        t.equal(refused.headers['set-cookie'], undefined)
      }
      t.match(await answer('empty'), { status: 204, text: '' })
      t.match(await answer('gone'), {
        status: 410,
        headers: { 'content-type': 'application/hal+json', 'x-feedshop-note': 'n' },
        text: '{"gone":true}'
      })
      t.match(await answer('scalar'), { status: 200, text: 'null' })
    })

    t.test('a route learns when its caller disconnects', async t => {
      const leave = new AbortController()
      const asked = request(`${hub.url}/integrations/feedshop/slow`, {
        method: 'POST',
        signal: leave.signal,
        headers: { authorization: `Bearer ${hub.keys.admin}`, 'content-type': 'application/json' },
        body: '{}'
      })
      const broken = async (): Promise<number> =>
        ((await hub.call('GET', '/integrations/feedshop/broken')).json as { broken: number }).broken
      t.equal(
        await Promise.race([asked.then(() => 'answered'), broken()]),
        0,
        'a body that was read is no caller that left'
      )
      leave.abort()

      await t.rejects(asked)
      await t.resolves(eventually('the abort', async () => await broken() === 1 ? true : undefined))
    })

    t.test('the description has each route once, as the serving version declares it', async t => {
      const { paths } = (await hub.call('GET', '/openapi.json', withoutToken)).json as {
        paths: Record<
          string,
          Record<
            string,
            {
              summary: string,
              tags: string[],
              security?: object[],
              parameters: { name: string, in: string, required: boolean, schema: object }[],
              requestBody?: object,
              responses: Record<string, object>
            }
          >
        >
      }
      const inDocs = (await hub.call('GET', '/api/docs/json', withoutToken)).json as { paths: object }
      const own = Object.keys(paths).filter(path => path.startsWith('/integrations/feedshop'))
      const change = paths['/integrations/feedshop/articles/{id}']?.post

      t.strictSame(own.map(path => path.replace('/integrations/feedshop', '')).toSorted(), [
        '/answer/{how}',
        '/articles/{id}',
        '/broken',
        '/connections/{connectionId}/articles/{id}/read',
        '/connections/{connectionId}/label',
        '/connections/{connectionId}/old',
        '/fail/{how}',
        '/parsed',
        '/raw',
        '/slow',
        '/status'
      ])
      t.strictSame(Object.keys(inDocs.paths), Object.keys(paths))
      t.match(change, {
        summary: 'Change an article',
        tags: ['feedshop.api.v1'],
        security: [{ token: ['admin'] }, { session: ['admin'] }],
        requestBody: { required: true },
        responses: { 201: { description: 'What was understood' }, default: {} }
      })
      t.strictSame(change?.parameters.map(({ name, in: place, required }) => `${place} ${name} ${required}`), [
        'path id true',
        'query dryRun true',
        'query tag false',
        'query limit false'
      ])
      t.strictSame(change?.parameters[0]?.schema, { type: 'integer', minimum: 1 })
      t.strictSame(paths['/integrations/feedshop/status']?.get?.security, [])
      t.match(
        paths['/integrations/feedshop/connections/{connectionId}/label']?.get?.security,
        [{ token: ['admin'] }, { session: ['admin'] }],
        'as the default version has it'
      )
    })
  })
}

/** The parts of an answer that do not name the request. */
function partsOf (status: number, headers: Readonly<Record<string, unknown>>, body: unknown): object {
  const { code, errors = [] } = (body ?? {}) as { code?: string, errors?: { pointer: string }[] }
  const { location, 'retry-after': retryAfter, 'www-authenticate': challenge } = headers
  const problem = { code, pointers: errors.map(({ pointer }) => pointer).toSorted() }
  return { status, location, retryAfter, challenge, ...(code === undefined ? { body } : problem) }
}

t.test('a test host answers a request as the hub does', async t => {
  const hub = await buildFeedHub(t, 'inline')
  const id = await hub.create()
  const { manifest, source } = feed('@acme/adapter-feedshop-v1-next', '1.1.0')
  const folder = t.testdir({ 'index.mjs': source })
  const { default: definition } = await import(pathToFileURL(join(folder, 'index.mjs')).href) as {
    default: TaggedAdapter<TSchema, TSchema, unknown>
  }
  const host = createTestHost()
  t.teardown(() => host.close())
  const opened = await host.open({
    manifest: manifest.linker as Manifest,
    definition,
    connection: { id },
    config: { label: 'mine' },
    credentials: null
  })
  type Asked = InjectedRequest & { body?: object }
  const asked = (method: Asked['method'], path: string, body?: object): Asked => ({
    method,
    path,
    scope: 'admin',
    ...(body === undefined ? {} : { body })
  })
  const failures = ['rejected', 'fields', 'notFound', 'authentication', 'configuration', 'rateLimited', 'transient']
  const requests: Asked[] = [
    asked('POST', '/articles/7?dryRun=true&tag=a', { price: 1.5 }),
    asked('POST', '/articles/7?dryRun=true'),
    asked('POST', '/articles/0?limit=many&more=1', { price: '1.5', nota: 'x' }),
    ...[...failures, 'outcomeUnknown', 'bug'].map(how => asked('POST', `/fail/${how}`)),
    ...['gone', 'empty', 'scalar'].map(how => asked('GET', `/answer/${how}`)),
    asked('GET', '/nothing'),
    asked('GET', '/status/'),
    asked('PUT', '/status'),
    asked('GET', '/status?__proto__=1'),
    asked('GET', '/status?a=%00'),
    asked('POST', '/articles/7%00?dryRun=true', { price: 1.5 }),
    asked('POST', '/articles/0?tag=%00', { price: '1.5', nota: '\0' }),
    asked('POST', '/articles/7?dryRun=true', JSON.parse('{"price":1.5,"__proto__":{}}') as object),
    asked('POST', '/articles/7?dryRun=true', { price: 1.5, nota: 'x'.repeat(1_048_576) }),
    asked('GET', `/connections/${id}/label`),
    asked('GET', `/connections/${nowhere}/label`),
    asked('GET', '/connections/x/label'),
    { method: 'GET', path: `/connections/${id}/label` },
    { method: 'GET', path: '/nothing' }
  ]

  for (const request of requests) {
    const { method, path, body, scope } = request
    const own = await opened.inject(request)
    const answer = await hub.call(method, `/integrations/feedshop${path}`, {
      headers: scope === undefined ? withoutToken.headers : {},
      ...(body === undefined ? {} : { body })
    })

    t.strictSame(
      partsOf(own.status, own.headers, own.body),
      partsOf(answer.status, answer.headers, answer.json),
      `${method} ${path}`
    )
  }
})
