import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import t from 'tap'
import { createApi } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'

type Method = Parameters<TestHub['call']>[0]
interface Route {
  method: Method
  path: string
}
interface Response {
  $ref?: string
  description?: string
  content?: Record<string, { schema: object }>
}
interface Operation {
  summary?: string
  tags?: string[]
  parameters?: { name: string, in: string, required?: boolean, schema: { pattern?: string } }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, Response>
  security?: Record<string, string[]>[]
}
interface Document {
  openapi: string
  info: { title: string, version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>, securitySchemes: Record<string, object> }
}

const nowhere = '00000000-0000-4000-8000-000000000000'
const withoutToken = { headers: { authorization: '' } }

/**
 * Reads the tree that Fastify prints. A level is four characters wide, and each line has a piece of
 * the path and the methods that end there.
 */
function routesOf (tree: string): Route[] {
  const pieces: string[] = []
  return tree.split('\n').flatMap(line => {
    const [, indent = '', piece = '', methods = ''] =
      /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    pieces.length = indent.length / 4
    pieces.push(piece)
    const path = pieces.join('')
    return methods === ''
      ? []
      : methods.split(', ').filter(method => method !== 'HEAD').map(method => ({ method: method as Method, path }))
  })
}

const addressOf = (path: string): string =>
  path.replaceAll(/:provider/g, 'shopa').replaceAll(/:\w+/g, nowhere).replace('*', 'x.js')
const documented = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')
const nameOf = ({ method, path }: Route): string => `${method} ${path}`

function refsIn (value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' ? [member] : refsIn(member)
  )
}

function resolve (document: object, ref: string): unknown {
  return ref.replace(/^#\//, '').split('/').reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    document
  )
}

/** The members of a schema, at any depth, that are required although they have a default. */
function demandedDefaults (document: object, schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { $ref, required, properties = {} } = schema as {
    $ref?: unknown,
    required?: unknown,
    properties?: Record<string, object>
  }
  const own = Array.isArray(required) ? required.filter((name: string) => hasDefault(properties[name])) : []
  const target = typeof $ref === 'string' ? demandedDefaults(document, resolve(document, $ref)) : []
  return [...own, ...target, ...Object.values(schema).flatMap(member => demandedDefaults(document, member))]
}

/** The scope of a token that an operation needs, if it needs one. */
function scopeOf (operation: Operation | undefined): string | undefined {
  return operation?.security?.find(scheme => 'token' in scheme)?.token?.[0]
}

function responseOf (document: Document, response: Response | undefined): Response | undefined {
  return response?.$ref === undefined ? response : resolve(document, response.$ref) as Response
}

function hasDefault (schema: object | undefined): boolean {
  return schema !== undefined && 'default' in schema
}

t.test('access to the routes of the hub, and its description', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const routes = routesOf(hub.printRoutes())
  const document = (await hub.call('GET', '/openapi.json')).json as Document
  const [shop, market] = [await hub.connect('shopa'), await hub.connect('mktb')]

  t.test('every route but the open ones answers 401 without the token, under both prefixes', async t => {
    const open: string[] = []
    for (const route of routes) {
      for (const prefix of ['', '/v1']) {
        const answer = await hub.call(route.method, prefix + addressOf(route.path), withoutToken)
        if (answer.status === 401) t.match(problemOf(answer), { code: 'LNK_UNAUTHORIZED' }, nameOf(route))
        else if (prefix === '') open.push(nameOf(route))
      }
    }

    t.ok(routes.length > 20, 'the routes are found')
    t.ok(routes.some(route => nameOf(route) === 'PUT /connections/:id/credentials'))
    t.ok(routes.some(route => nameOf(route) === 'DELETE /integrations/:platformType/*'))
    t.strictSame(open.filter(name => !name.includes('/api/docs')).toSorted(), [
      'GET /',
      'GET /console',
      'GET /console/*',
      'GET /healthz',
      'GET /openapi.json',
      'GET /readyz',
      'GET /webhooks/:provider/:connectionId',
      'OPTIONS /webhooks/:provider/:connectionId',
      'POST /session',
      'POST /webhooks/:provider/:connectionId',
      'POST /webhooks/:provider/:connectionId/test'
    ])
    t.ok(open.filter(name => name.includes('/api/docs')).every(name => name.startsWith('GET ')))
  })

  t.test('every route refuses tokens of a smaller scope, and the description names its scope', async t => {
    const scopes = ['read', 'operate', 'admin']
    const callers = await Promise.all(scopes.map(async scope => {
      const made = await hub.call('POST', '/tokens', { body: { name: `only ${scope}`, scope } })
      return { scope, call: createApi(hub.url, (made.json as { token: string }).token) }
    }))
    const needed: Record<string, string[]> = { read: [], operate: [], admin: [] }
    // An answer of `/events` does not end; a test of the hints looks at its scope.
    for (const route of routes.filter(({ path }) => path !== '/events')) {
      const answers = await Promise.all(callers.map(({ call }) => call(route.method, addressOf(route.path))))
      const refused = answers.filter(({ status }) => status === 403)
      const scope = scopes[refused.length] ?? 'nobody'
      for (const answer of refused) t.match(problemOf(answer), { code: 'LNK_FORBIDDEN' }, nameOf(route))
      t.strictSame(answers.map(({ status }) => status === 403), scopes.map((_, index) => index < refused.length))
      const described = scopeOf(document.paths[documented(route.path)]?.[route.method.toLowerCase()])
      if (described === undefined) t.equal(scope, 'read', `${nameOf(route)} is open or not described`)
      else {
        t.equal(described, scope, nameOf(route))
        needed[scope]?.push(nameOf(route))
      }
    }

    t.strictSame(needed.read?.filter(name => !name.startsWith('GET ')), ['DELETE /session', 'POST /session/codes'])
    t.notOk(needed.operate?.some(name => name.startsWith('GET ')))
    t.ok(['disable', 'enable'].every(name => needed.operate?.includes(`PATCH /connections/:id/${name}`)))
    // These routes change how the hub reaches a platform, who may call it or what its log tells, or
    // remove data.
    t.strictSame(needed.admin?.toSorted(), [
      'DELETE /connections/:id',
      'DELETE /connections/:id/cursors/:key',
      'DELETE /orders/:id/personal-data',
      'DELETE /system/log-level',
      'DELETE /tokens/:id',
      'GET /tokens',
      'PATCH /connections/:id',
      'POST /backup',
      'POST /connections',
      'POST /connections/:id/adapter',
      'POST /connections/:id/adapter/rollback',
      'POST /connections/:id/invoke',
      'POST /connections/:id/take-over',
      'POST /connections/:id/webhooks/install',
      'POST /credentials/rewrap',
      'POST /tokens',
      'PUT /connections/:id/credentials',
      'PUT /connections/:id/cursors/:key',
      'PUT /system/log-level'
    ])
  })

  t.test('no route changes anything for a foreign page that has the cookie of a person', async t => {
    const call = createApi(hub.url, '')
    const signedIn = await call('POST', '/session', { body: { token: hub.keys.admin }, headers: { authorization: '' } })
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    // Those take no cookie: a sender signs its webhook, and a sign-in carries its token.
    const isOpen = (route: Route): boolean => route.path.startsWith('/webhooks/') || nameOf(route) === 'POST /session'
    const changing = routes.filter(route => !['GET', 'HEAD', 'OPTIONS'].includes(route.method) && !isOpen(route))
    t.ok(changing.length > 50, 'the routes are found')

    const foreign: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]
    for (const origin of foreign) {
      for (const route of changing) {
        const headers = { authorization: '', cookie, ...origin }
        const answer = await call(route.method, addressOf(route.path), { headers })
        t.match(problemOf(answer), { status: 403, code: 'LNK_CROSS_ORIGIN' }, nameOf(route))
      }
    }
  })

  t.test('an address that leads out of the documentation is refused without a failure of the hub', async t => {
    for (
      const path of [
        '/api/docs/static/%2e%2e/package.json',
        '/api/docs/static/%2e%2e%2f%2e%2e%2fpackage.json',
        '/api/docs/static/x.js'
      ]
    ) {
      const request = get({ host: '127.0.0.1', port: new URL(hub.url).port, path })
      const [{ statusCode, headers }] = await once(request, 'response') as [IncomingMessage]
      request.destroy()
      t.ok(statusCode === 403 || statusCode === 404, `${path}: ${statusCode}`)
      t.equal(headers['content-type'], 'application/problem+json')
    }
    t.notOk(hub.log.some(line => line.includes('a request failed')))
  })

  t.test('a token that is almost right is refused', async t => {
    for (
      const authorization of [
        hub.keys.admin,
        `Bearer ${hub.keys.admin}x`,
        `Bearer ${hub.keys.admin.slice(0, -1)}`,
        `Basic ${hub.keys.admin}`,
        'Bearer',
        `Bearer ${hub.keys.admin} ${hub.keys.admin}`
      ]
    ) {
      t.equal((await hub.call('GET', '/connections', { headers: { authorization } })).status, 401)
    }
    t.equal((await hub.call('GET', `/connections?access_token=${hub.keys.admin}`, withoutToken)).status, 401)
    t.equal(
      (await hub.call('GET', '/connections', { headers: { authorization: `bearer ${hub.keys.admin}` } })).status,
      200,
      'the scheme is a word of any case'
    )
    const foreign = await hub.call('GET', '/connections', { headers: { origin: 'https://evil.example' } })
    t.equal(foreign.headers['access-control-allow-origin'], undefined)
  })

  t.test('the description is OpenAPI 3.1 and holds together', async t => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(document, 'description')

    t.match(document, {
      openapi: '3.1.0',
      info: { title: 'Linker', version: /^\d+\.\d+\.\d+/ },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }
    })
    t.strictSame([...new Set(refsIn(document))].filter(ref => resolve(document, ref) === undefined), [])
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const inPath = (operation.parameters ?? []).filter(parameter => parameter.in === 'path')
        t.strictSame(
          inPath.map(({ name }) => name).toSorted(),
          [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]).toSorted(),
          `${method} ${path} names its parameters`
        )
        t.ok(inPath.every(parameter => parameter.required === true))
        t.ok(
          Object.values(operation.responses).every(response =>
            typeof responseOf(document, response)?.description === 'string'
          ),
          `${method} ${path} describes its answers`
        )
        t.ok(
          operation.summary !== undefined && operation.tags?.length === 1,
          `${method} ${path} has a summary and a tag`
        )
      }
    }
    for (const name of Object.keys(document.components.schemas)) {
      t.doesNotThrow(() => ajv.compile({ $ref: `description#/components/schemas/${name}` }), `${name} is a schema`)
    }
  })

  t.test('a client may leave out what has a default', async t => {
    const optional: string[] = []
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
        const inQuery = parameters.filter(parameter => parameter.in !== 'path' && hasDefault(parameter.schema))
        const demanded = inQuery.filter(({ required }) => required === true).map(({ name }) => name)
        t.strictSame([...demanded, ...demandedDefaults(document, requestBody)], [], `${method} ${path}`)
        optional.push(...inQuery.map(({ name }) => `${method} ${path} ${name}`))
      }
    }

    t.ok(optional.includes('get /jobs limit'), 'parameters with a default are found')
    t.match(document.paths['/connections/{id}/adapter']?.post?.requestBody, {
      content: {
        'application/json': { schema: { required: ['adapterVersion'], properties: { dryRun: { default: false } } } }
      }
    })
  })

  t.test('a value that a pattern refuses is refused in words', async t => {
    const wanted = Object.entries(document.paths).filter(([path]) => !path.startsWith('/integrations/')).flatMap(
      ([path, operations]) =>
        (operations.get?.parameters ?? []).filter(parameter => parameter.in === 'query' && parameter.schema?.pattern)
          .map(({ name }) => `${path.replaceAll(/\{\w+\}/g, nowhere)}?${name}=%01`)
    )

    t.ok(wanted.includes('/jobs?code=%01'))
    for (const address of wanted) {
      t.notMatch((await hub.call('GET', address)).text, 'match pattern', address)
    }
    t.match(problemOf(await hub.call('GET', '/jobs?code=TRANSIENT')), {
      errors: [{ pointer: '/querystring/code', message: /such as LNK_ADAPTER_TRANSIENT$/ }]
    })
  })

  t.test('the description has every route, and says which need the token', async t => {
    // The hub serves adapter routes with one catch-all, but the description lists them one by one.
    const shown = routes.filter(({ path }) =>
      !path.startsWith('/integrations/') && !/^\/(?:api\/docs.*|console.*|openapi\.json)?$/.test(path)
    )
    const described = Object.entries(document.paths).filter(([path]) => !path.startsWith('/integrations/')).flatMap(
      ([path, operations]) => Object.keys(operations).map(method => `${method.toUpperCase()} ${path}`)
    )

    t.strictSame(described.toSorted(), shown.map(({ method, path }) => `${method} ${documented(path)}`).toSorted())
    for (const { method, path } of shown) {
      const answer = await hub.call(method, addressOf(path), withoutToken)
      const operation = document.paths[documented(path)]?.[method.toLowerCase()]
      t.equal(scopeOf(operation) !== undefined, answer.status === 401, `${method} ${path}`)
    }
  })

  t.test('every answer fits the description', async t => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(document, 'description')
    const job = await hub.call('POST', '/jobs', {
      body: { jobType: 'master.product.syncByExternalId', connectionId: shop, payload: { externalId: '27' } }
    })
    const { jobId } = job.json as { jobId: string }
    await hub.endOf(jobId)
    const [product] = (await hub.call('GET', '/products')).json as { id: string, variants: { id: string }[] }[]
    const variantId = product?.variants[0]?.id ?? ''
    hub.market.addProduct('x')
    const offer = await hub.call('POST', '/offers/link', { body: { connectionId: market, variantId, externalId: 'x' } })
    const stock = await hub.call('POST', '/jobs', {
      body: { jobType: 'shopa.inventory.syncByExternalId', connectionId: shop, payload: { externalId: '27' } }
    })
    await hub.endOf((stock.json as { jobId: string }).jobId)
    const calls: [Method, string, string, number, object?][] = [
      ['GET', '/connections', '/connections', 200],
      ['GET', '/connections/{id}', `/connections/${shop}`, 200],
      ['PATCH', '/connections/{id}', `/connections/${shop}`, 200, { config: { other: 1 } }],
      ['POST', '/connections/{id}/test', `/connections/${shop}/test`, 200],
      ['PATCH', '/connections/{id}/disable', `/connections/${market}/disable`, 200],
      ['DELETE', '/connections/{id}', `/connections/${market}?dryRun=true`, 200],
      ['PATCH', '/connections/{id}/enable', `/connections/${shop}/enable`, 200],
      ['GET', '/connections/deleted', '/connections/deleted', 200],
      ['GET', '/connections/{id}', `/connections/${nowhere}`, 404],
      ['GET', '/connections/{id}/diagnostics', `/connections/${shop}/diagnostics`, 200],
      ['GET', '/connections/{id}/diagnostics', `/connections/${nowhere}/diagnostics`, 404],
      ['POST', '/connections', '/connections', 400, { config: 7 }],
      ['GET', '/adapters', '/adapters', 200],
      ['GET', '/tokens', '/tokens', 200],
      ['POST', '/tokens', '/tokens', 201, { name: 'described', scope: 'read' }],
      ['GET', '/jobs', '/jobs', 200],
      ['GET', '/jobs/groups', '/jobs/groups?status=waiting', 200],
      ['GET', '/jobs/{id}', `/jobs/${jobId}`, 200],
      ['POST', '/jobs/retry', '/jobs/retry', 200, { filter: { connectionId: shop }, dryRun: true }],
      ['POST', '/jobs/retry', '/jobs/retry', 202, { filter: { jobIds: [jobId, nowhere] }, first: 1 }],
      ['POST', '/jobs/retry', '/jobs/retry', 400, { filter: {} }],
      ['POST', '/jobs/cancel', '/jobs/cancel', 200, { filter: { connectionId: shop }, dryRun: true }],
      ['GET', '/redrives', '/redrives', 200],
      ['GET', '/redrives/{id}', `/redrives/${nowhere}`, 404],
      ['GET', '/products', '/products', 200],
      ['GET', '/products/{id}', `/products/${product?.id}`, 200],
      ['GET', '/variants/{id}', `/variants/${variantId}`, 200],
      ['GET', '/stock', `/stock?variantId=${variantId}`, 200],
      ['GET', '/offers', '/offers', 200],
      ['GET', '/offers/unlinked', '/offers/unlinked', 200],
      ['GET', '/offers/{id}', `/offers/${(offer.json as { id: string }).id}`, 200],
      ['GET', '/healthz', '/healthz', 200],
      ['GET', '/readyz', '/readyz', 200]
    ]

    for (const [method, path, address, status, body] of calls) {
      const answer = await hub.call(method, address, body === undefined ? {} : { body })
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses
      const described = responseOf(document, responses?.[String(status)] ?? responses?.default)?.content
        ?.[status < 400 ? 'application/json' : 'application/problem+json']
      t.equal(answer.status, status, `${method} ${address}`)
      if (described === undefined) t.fail(`${method} ${path} does not describe ${status}`)
      else {
        t.ok(
          ajv.validate(
            JSON.parse(JSON.stringify(described.schema).replaceAll('"#/', '"description#/')) as object,
            answer.json
          ),
          `${method} ${address} is as described: ${ajv.errorsText()}`
        )
      }
    }
  })
})
