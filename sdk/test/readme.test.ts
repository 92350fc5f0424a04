import {
  adapterTag,
  contractVersion,
  createSigningKey,
  defineAdapter,
  HubJobType,
  Manifest,
  requiredMethods,
  signatureHeader,
  timestampHeader,
  verifyWebhook,
  type Adapter,
  type AuthorisationDefinition,
  type Context,
  type HttpClient,
  type JobDefinition,
  type ProductMaster,
  type RouteDefinition,
  type RouteHost,
  type RouteRequest,
  type ScheduleDefinition,
  type WebhookAccepted,
  type WebhookChallenge,
  type WebhookSource,
  type WebhookVerification
} from '@linker/sdk'
import {
  answerChallenge,
  checkAdapter,
  compileSchema,
  createVerifier,
  describeAdapter,
  findChallenge
} from '@linker/sdk/host'
import { createTestContext, createTestHost } from '@linker/sdk/testing'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { failureOf, startUpstream } from './http/support.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [
  adapterCode = '',
  testCode = '',
  jobCode = '',
  eventsCode = '',
  verifyCode = '',
  challengeCode = '',
  webhookCode = '',
  budgetCode = '',
  routeCode = '',
  flowCode = ''
] = blocks('ts')
const [packageJson = '', tsconfigJson = ''] = blocks('json')
const [injectCode = ''] = blocks('js')

function blocks (language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code ?? '')
}

type Flow = { authorisation: AuthorisationDefinition, routes: RouteDefinition[] }

async function importExample (t: Test, code: string, file = 'index.ts'): Promise<Record<string, unknown>> {
  const folder = t.testdir({ 'package.json': packageJson, [file]: code })
  return await import(pathToFileURL(join(folder, file)).href) as Record<string, unknown>
}

async function importAdapter (t: Test): Promise<Adapter> {
  return (await importExample(t, adapterCode)).default as Adapter
}

function createContext (t: Test, baseUrl: string): Context {
  const { context, host } = createTestContext({
    manifest: JSON.parse(packageJson).linker,
    config: { baseUrl },
    credentials: { apiKey: 'feed-key' }
  })
  t.teardown(() => host.close())
  return context
}

t.test('the adapter is at most 60 lines', async t => {
  const lines = adapterCode.trimEnd().split('\n')

  t.ok(lines.length > 20 && lines.length <= 60, `${lines.length} lines`)
})

t.test('every example compiles in strict mode', async t => {
  const folder = t.testdir({
    'package.json': packageJson,
    'index.ts': adapterCode,
    'adapter.test.ts': testCode,
    'job.ts': jobCode,
    'events.ts': eventsCode,
    'verify.ts': verifyCode,
    'challenges.ts': challengeCode,
    'webhook.ts': webhookCode,
    'budget.ts': budgetCode,
    'routes.ts': routeCode,
    'authorisation.ts': flowCode,
    // The build excludes the package's tests; here they must compile like the other examples.
    'tsconfig.json': JSON.stringify({ ...JSON.parse(tsconfigJson), exclude: [] })
  })
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'lib', 'tsc.js')

  t.doesNotThrow(() =>
    execFileSync(process.execPath, [
      compiler,
      '-p',
      folder,
      '--noEmit',
      '--noUncheckedIndexedAccess',
      '--rootDir',
      '/',
      '--customConditions',
      '@linker/source'
    ], { encoding: 'utf8', timeout: 600_000 })
  )
})

t.test('the manifest is valid and agrees with the code', async t => {
  const adapter = await importAdapter(t)
  const { linker, engines, peerDependencies } = JSON.parse(packageJson)

  t.strictSame([...Value.Errors(Manifest, linker)], [])
  t.strictSame(linker.capabilities, Object.keys(adapter.capabilities))
  t.equal(adapter[adapterTag], contractVersion)
  t.equal(engines.linker, `^${contractVersion}`)
  t.equal(peerDependencies['@linker/sdk'], `^${contractVersion}`)
})

t.test('the host finds the budget of the example', async t => {
  const { default: adapter } = await importExample(t, budgetCode)

  t.strictSame(describeAdapter(adapter).budget, { ratePerSecond: 9, burst: 60 })
})

t.test('the adapter reads products from its platform', async t => {
  const adapter = await importAdapter(t)
  const article = { id: 27, title: 'Lamp', active: true, price: '119.99' }
  const upstream = await startUpstream(t, (request, response) => {
    const bodies: Record<string, unknown> = {
      '/api/me': {},
      '/api/articles/27': article,
      '/api/articles?limit=2': { items: [article], next: 'p2' }
    }
    const body = bodies[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}))
  })
  const context = createContext(t, `${upstream.baseUrl}/api`)
  const client = await adapter.connect(context)
  const products = adapter.capabilities.ProductMaster?.(client, context)

  const lamp = {
    externalId: '27',
    name: 'Lamp',
    isActive: true,
    variants: [{ externalId: '27', price: { amount: '119.99', currency: 'PLN' } }]
  }
  t.strictSame(await adapter.test?.(client, context), { message: 'the key is valid' })
  t.strictSame(await products?.getProduct('27'), lamp)
  t.strictSame(await products?.listProducts({ limit: 2 }), { items: [lamp], nextCursor: 'p2' })
  t.equal((await failureOf((products as ProductMaster).getProduct('no such'))).code, 'LNK_ADAPTER_NOT_FOUND')
  t.ok(upstream.requests.every(request => request.headers['x-api-key'] === 'feed-key'))
  for (const method of requiredMethods.ProductMaster) t.type(products?.[method], 'function')
})

t.test('an answer of unknown shape is a transient fault', async t => {
  const adapter = await importAdapter(t)
  const upstream = await startUpstream(t, (_request, response) => response.end('{"id":"27"}'))
  const context = createContext(t, upstream.baseUrl)
  const products = adapter.capabilities.ProductMaster?.(await adapter.connect(context), context) as ProductMaster

  t.equal((await failureOf(products.getProduct('27'))).code, 'LNK_ADAPTER_TRANSIENT')
})

t.test('the test of the example passes, and fails when the platform answers with another product', async t => {
  const folder = t.testdir({ 'package.json': packageJson, 'index.ts': adapterCode, 'adapter.test.ts': testCode })
  let title = 'Lamp'
  const upstream = await startUpstream(
    t,
    (_request, response) => response.end(JSON.stringify({ id: 27, title, active: true, price: '119.99' }))
  )
  // Remove it from the environment: it would make the process a part of another runner and hide its
  // exit code.
  const { NODE_TEST_CONTEXT: _runner, ...environment } = process.env
  const run = () =>
    promisify(execFile)(process.execPath, ['--conditions=@linker/source', '--test', 'adapter.test.ts'], {
      cwd: folder,
      env: { ...environment, FEEDSHOP_URL: upstream.baseUrl },
      timeout: 60_000
    })

  await t.resolves(run())
  t.equal(upstream.requests.at(-1)?.headers['x-api-key'], 'feed-key')
  title = 'Table'
  const failure: unknown = await run().catch((error: unknown) => error)
  t.match(failure, { stdout: /Lamp/ })
})

t.test('every member of a context is in the table of the README', async t => {
  for (const name of Object.keys(createContext(t, 'https://feed.test'))) {
    t.match(readme, new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'), name)
  }
})

t.test('the job answers with the stock that it found, and with none when it is unknown', async t => {
  const { refreshStock } = await importExample(t, jobCode) as {
    refreshStock: JobDefinition<HttpClient, unknown, unknown>
  }
  const upstream = await startUpstream(
    t,
    (request, response) => response.end(request.url === '/stock/27' ? '{"quantity":0}' : '{}')
  )
  const context = createContext(t, upstream.baseUrl)
  const client = context.http({ baseUrl: upstream.baseUrl })
  const run = (externalId: string) =>
    refreshStock.run(client, { id: 'job-1', type: 'feedshop.stock.refresh', payload: { externalId } }, context)

  t.strictSame(await run('27'), {
    stock: [{ productExternalId: '27', variantExternalId: '27', quantity: 0 }],
    result: { found: 1 }
  })
  t.strictSame(await run('28'), { stock: [], result: { found: 0 } })
})

t.test('the hub accepts the events of the example, which start jobs of the adapter or of the table', async t => {
  const { webhooks } = await importExample(t, eventsCode) as { webhooks: NonNullable<Adapter['webhooks']> }
  const definition = defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => undefined,
    capabilities: {},
    webhooks
  })

  t.strictSame(describeAdapter(definition).webhooks, {
    ...webhooks,
    verify: undefined,
    windowMs: undefined,
    body: undefined,
    source: undefined,
    challenges: undefined,
    accepted: undefined,
    canInstall: false
  })
  for (const job of Object.values(webhooks.events ?? {})) {
    t.ok(job.startsWith('feedshop.') || readme.includes(`\`${job}\``), job)
  }
})

t.test('the hub verifies what the platform of the example signs', async t => {
  const { verify, source } = await importExample(t, verifyCode) as {
    verify: WebhookVerification,
    source: WebhookSource
  }
  const secret = `whsec_${Buffer.from('key').toString('base64')}`
  const signature = createHmac('sha256', 'key').update('1735729231.{"a":1}').digest('hex')
  const check = (value: string) => () => {
    createVerifier(verify)({
      method: 'POST',
      query: '',
      callbackUrl: undefined,
      rawHeaders: ['Feed-Signature', value],
      rawBody: Buffer.from('{"a":1}'),
      nowMs: 1_735_729_231_000,
      skewMs: 300_000
    }, [createSigningKey(secret)])
  }

  const described = describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => undefined,
    capabilities: {},
    webhooks: { verify, source }
  }))

  t.match(described.webhooks, { verify, source })
  t.doesNotThrow(check(`t=1735729231,v1=${signature}`))
  t.throws(check(`t=1735729232,v1=${signature}`), /does not match/)
})

t.test('the README names every job of the hub, with its constant', t => {
  for (const [name, type] of Object.entries(HubJobType)) {
    t.ok(readme.includes(`\`${name}\``) && readme.includes(`\`${type}\``), name)
  }
  t.end()
})

t.test('the hub answers the challenges of the example', async t => {
  const { challenges, accepted } = await importExample(t, challengeCode) as {
    challenges: WebhookChallenge[],
    accepted: WebhookAccepted
  }
  const { webhooks } = describeAdapter(defineAdapter({
    config: Type.Object({ verifyToken: Type.Optional(Type.String()) }),
    credentials: Type.Null(),
    connect: () => undefined,
    capabilities: {},
    webhooks: { scheme: 'hmac', challenges, accepted }
  }))
  const answerTo = (method: string, query: string, body: unknown, isProved: boolean, ...rawHeaders: string[]) => {
    const received = { method, query, rawHeaders, readBody: () => body }
    const found = findChallenge(webhooks?.challenges ?? [], received, isProved)
    return found && answerChallenge(found, received, {
      verify: undefined,
      secret: createSigningKey('key'),
      configOf: member => member === 'verifyToken' ? 'entered' : undefined
    })
  }
  const subscribed = 'hub.mode=subscribe&hub.verify_token=entered&hub.challenge=7'
  const verification = { type: 'url_verification', challenge: 'a' }
  const signature = createHmac('sha256', 'key').update('abc').digest('base64')

  t.match(answerTo('GET', subscribed, undefined, false), { status: 200, body: '7', isJson: false })
  t.equal(answerTo('POST', '', verification, false), undefined)
  t.match(answerTo('POST', '', verification, true), { body: '{"challenge":"a"}', isJson: true })
  t.match(answerTo('GET', 'crc_token=abc', undefined, false), { body: `{"response_token":"sha256=${signature}"}` })
  t.match(answerTo('POST', '', {}, false, 'x-hook-secret', 'b5'), { headers: { 'X-Hook-Secret': 'b5' } })
})

t.test('the headers of the webhook example verify', async t => {
  const { webhookHeaders } = await importExample(t, webhookCode) as {
    webhookHeaders: (secret: string, rawBody: string, now: Date) => Record<string, string>
  }
  const headers = webhookHeaders('test-secret', '{"a":1}', new Date(1735729231000))

  t.equal(headers[timestampHeader], '1735729231000')
  t.ok(verifyWebhook(createSigningKey('test-secret'), '1735729231000', '{"a":1}', headers[signatureHeader] ?? ''))
})

t.test('the manifest in the text permits the route and the schedule of the example, and the route works', async t => {
  const { routes, schedules } = await importExample(t, routeCode) as {
    routes: RouteDefinition<HttpClient>[],
    schedules: ScheduleDefinition[]
  }
  const permissions =
    JSON.parse(`{${/`"permissions": (\{.*?\})`/.exec(readme)?.[0].replaceAll('`', '') ?? ''}}`).permissions
  const definition = defineAdapter({
    config: Type.Object({ baseUrl: Type.String() }),
    credentials: Type.Null(),
    connect: ({ http, config }) => http({ baseUrl: config.baseUrl }),
    capabilities: {},
    routes,
    schedules
  })
  const upstream = await startUpstream(t, (_request, response) => response.end('{}'))
  const manifest = { ...JSON.parse(packageJson).linker, capabilities: [], permissions }
  const host = createTestHost()
  t.teardown(() => host.close())
  const feedshop = await host.open({
    manifest: { ...manifest, permissions: { ...permissions, http: ['${config.baseUrl}'] } },
    definition,
    config: { baseUrl: upstream.baseUrl },
    credentials: null
  })

  t.strictSame(checkAdapter(manifest, describeAdapter(definition)), [])
  const { default: inject } = await importExample(
    t,
    `export default async (feedshop, assert) => {${injectCode}}`,
    'inject.js'
  ) as { default: (feedshop: unknown, assert: unknown) => Promise<void> }
  await inject(feedshop, assert)
  t.equal(upstream.requests[0]?.url, '/articles/7/publish')
})

t.test('the authorisation of the example makes one connection, however often its page is loaded', async t => {
  const { authorisation, routes } = await importExample(t, flowCode) as Flow
  const upstream = await startUpstream(
    t,
    (_request, response) => response.end('{"apiKey":"key-of-the-shop","account":"27"}')
  )
  const host = createTestHost()
  t.teardown(() => host.close())
  const definition = defineAdapter({
    config: Type.Object({ baseUrl: Type.String() }),
    credentials: Type.Object({ apiKey: Type.String({ secret: true }) }),
    connect: () => undefined,
    capabilities: {},
    routes,
    authorisation
  })
  const manifest = {
    ...JSON.parse(packageJson).linker,
    capabilities: [],
    permissions: { routes: true, connections: true, http: ['${platform.baseUrl}'] }
  }
  t.strictSame(checkAdapter(manifest, describeAdapter(definition)), [])
  const opened = await host.open({
    manifest,
    definition,
    config: { baseUrl: upstream.baseUrl },
    credentials: { apiKey: 'another' },
    platform: { baseUrl: upstream.baseUrl }
  })
  const begin = async (body: object): Promise<string> => {
    const begun = await opened.call({ kind: 'route', index: 0 }, [{ body }]) as {
      body: { authorizationUrl: string, state: string }
    }
    t.equal(new URL(begun.body.authorizationUrl).searchParams.get('state'), begun.body.state)
    return begun.body.state
  }
  const state = await begin({ connectionName: 'Shop 27' })
  const comeBack = (query: object): Promise<unknown> => opened.call({ kind: 'route', index: 1 }, [{ query }])

  const answers = await Promise.all([comeBack({ state, code: 'c-1' }), comeBack({ state, code: 'c-1' })])

  const [, made] = host.connections
  t.equal(host.connections.length, 2)
  t.strictSame(answers, Array(2).fill({ body: { id: made?.id, name: 'Shop 27' } }))
  t.strictSame(upstream.requests.map(({ url, body }) => [url, body]), [['/token', '{"code":"c-1"}']])
  const again = await begin({ connectionName: 'Shop 27', connectionId: made?.id })
  t.strictSame(await comeBack({ state: again, code: 'c-2' }), answers[0])
  t.equal(host.connections.length, 2)
  t.strictSame(host.values, { [made?.id ?? '']: { account: '27' } })
  t.equal((await failureOf(comeBack({ state: 'unknown', code: 'c-1' }))).code, 'LNK_ADAPTER_REJECTED')
})

t.test('the page of the example accepts a refusal and unknown parameters', async t => {
  const { routes } = await importExample(t, flowCode) as Flow
  const check = compileSchema(routes[1]?.schema?.query ?? {})
  const complete = async (_state: string, work: (data: unknown) => Promise<unknown>) =>
    work({ connectionName: 'Shop 27' })
  const refusal = { error: 'access_denied', error_description: 'no', state: 's', iss: 'https://platform.test' }
  const answer = routes[1]?.handler(
    { query: refusal } as Partial<RouteRequest> as RouteRequest,
    { flows: { complete }, platform: {} } as Partial<RouteHost> as RouteHost
  )

  for (const query of [refusal, { code: 'c-1', state: 's', iss: 'https://platform.test' }]) {
    t.strictSame(check(query), { problems: [], unknown: [] })
  }
  t.match(await failureOf(answer ?? Promise.resolve()), {
    code: 'LNK_ADAPTER_REJECTED',
    message: /did not authorise the hub: access_denied$/
  })
})

t.test('every error class is in the table of the README', async t => {
  const sdk = await import('@linker/sdk')
  const names = Object.keys(sdk).filter(name =>
    name.endsWith('Error') && typeof Reflect.get(sdk, name) === 'function' && name !== 'AdapterError' &&
    name !== 'isAdapterError'
  )

  t.equal(names.length, 7)
  for (const name of names) t.match(readme, new RegExp(`^\\| \`${name}[(\`]`, 'm'), name)
})
