import { declaredProof, type AdapterPackage } from './good-adapter.ts'

/**
 * One way to spoil the good adapter, or one adapter of the zoo, and the checks that must notice it.
 */
export type BadAdapter =
  | {
    checks: string[],
    how: string,
    spoil: (good: AdapterPackage) => AdapterPackage,
    extra?: Readonly<Record<string, string>>
  }
  | { checks: string[], zoo: string }

type Json = Record<string, unknown>

const manifest = (change: Json) => (good: AdapterPackage): AdapterPackage => ({
  ...good,
  packageJson: { ...good.packageJson, ...change }
})
const linker = (change: Json) => (good: AdapterPackage): AdapterPackage =>
  manifest({ linker: { ...good.packageJson.linker as Json, ...change } })(good)
const settings = (change: Json) => (good: AdapterPackage): AdapterPackage => ({
  ...good,
  settings: { ...good.settings, ...change }
})
const append = (code: string) => (good: AdapterPackage): AdapterPackage => ({
  ...good,
  source: `${good.source}\n${code}`
})

const replace = (from: string | RegExp, to: string) => (good: AdapterPackage): AdapterPackage => {
  const source = good.source.replace(from, to)
  if (source === good.source) throw new Error(`the good adapter has no '${from}'`)
  return { ...good, source }
}

/**
 * Lets a function judge the deliveries. The hub signs no challenge then, because the function might
 * take the signature for the proof of a delivery.
 */
export const judgedBy = (code: string) => (good: AdapterPackage): AdapterPackage => {
  const judged = replace(declaredProof, `verify: { kind: 'function', isGenuine: ${code} },`)(good)
  return replace(/\{ hmac: \{.*\} \}(?= \},\n)/, "{ query: 'crc_token' }")(judged)
}

/**
 * Replaces getProduct. The code can use `client`, `externalId` and `good`, which does the same as
 * the original.
 */
const product = (code: string) =>
  replace(
    'async getProduct (externalId) { return readProduct(client, externalId) }',
    `async getProduct (externalId) {
  const good = () => readProduct(client, externalId)
  ${code}
}`
  )

/** Replaces the errors of getProduct by others. */
const errors = (code: string) => product(`try { return await good() } catch (error) { ${code} }`)
const disguised = errors("throw new TypeError('something went wrong')")

/** Makes the client the good client plus the context, so that a method can misuse the context. */
const withContext = replace(
  'connect: context => connect(context)',
  'connect: context => ({ context, json: request => connect(context).json(request) })'
)
const leaky = (code: string) => (good: AdapterPackage): AdapterPackage =>
  product(`const secret = client.context.credentials.apiKey; ${code}`)(withContext(good))

/** Lets getOrder run this code when the platform has no such order. */
const missingOrder = (code: string) => replace(/client\.json\(.*'orders\/'.*\)/, `$&.catch(() => { ${code} })`)

const statuses = ['02', '03', '04', '05', '06', '07', '09', '10', '13', '14', '15', '16', '17', '18', '19']

const weather = `import { defineAdapter } from '@linker/sdk'
export default defineAdapter({
  config: { type: 'object' },
  credentials: { type: 'null' },
  connect: () => ({}),
  capabilities: { 'acme/Weather': () => ({ forecast: async () => 7 }) }
})`

const withImport = (name: string) => replace('TransientError }', `TransientError, ${name} }`)

const ownDelay = `const isRateLimited = error.code === 'LNK_ADAPTER_RATE_LIMITED'
throw isRateLimited ? new RateLimitedError('later', { retryAfterMs: 1 }) : error`

const secretInPayload = `const payload = { externalId: '1', list: [...Array(200).keys(), secret] }
await client.context.jobs.enqueue('good.product.refresh', payload, { key: '1' })
return toProduct({ id: 1, name: '' })`

export const badAdapters: readonly BadAdapter[] = [
  { checks: ['L1-MAN-01'], zoo: 'bad-manifest' },
  { checks: ['L1-MAN-01'], zoo: 'bad-json' },
  { checks: ['L1-MAN-01'], zoo: 'escapes-in-manifest' },
  { checks: ['L1-MAN-01'], how: 'no version', spoil: manifest({ version: 'next' }) },
  { checks: ['L1-MAN-01'], how: 'a key of another platform', spoil: linker({ adapterKey: 'better.api.v1' }) },
  { checks: ['L1-MAN-02'], how: 'no keyword', spoil: manifest({ keywords: ['adapter'] }) },
  { checks: ['L1-MAN-03'], zoo: 'wrong-engines' },
  { checks: ['L1-MAN-03'], how: 'a range that is no caret range', spoil: manifest({ engines: { linker: '*' } }) },
  { checks: ['L1-MAN-04'], zoo: 'bundles-sdk' },
  { checks: ['L1-MAN-04'], how: 'no peer dependency', spoil: manifest({ peerDependencies: {} }) },
  {
    checks: ['L1-MAN-04'],
    how: 'a copy of its own',
    spoil: good => good,
    extra: { 'node_modules/@linker/sdk/package.json': '{ "name": "@linker/sdk", "version": "9.0.0" }' }
  },
  { checks: ['L1-MAN-05'], zoo: 'missing-file' },
  {
    checks: ['L1-MAN-05'],
    how: 'TypeScript',
    spoil: manifest({ exports: './index.ts', files: ['index.ts', 'linker.conformance.json'] }),
    extra: { 'index.ts': 'export default {}' }
  },
  {
    checks: ['L1-MAN-06'],
    how: 'files without the module',
    spoil: manifest({ files: ['linker.conformance.json', 'lib'] })
  },
  { checks: ['L1-MAN-06'], how: 'no files', spoil: manifest({ files: undefined }) },
  { checks: ['L1-MAN-07'], how: 'an install script', spoil: manifest({ scripts: { postinstall: 'node index.js' } }) },
  {
    checks: ['L1-MAN-08'],
    how: 'an exemption of no check',
    spoil: settings({ exemptions: [{ checks: ['L2-ERR-99'], reason: 'there is no such check' }] })
  },
  {
    checks: ['L1-MAN-08'],
    how: 'an exemption without a reason',
    spoil: settings({ exemptions: [{ checks: ['L1-MAN-02'], reason: '' }] })
  },
  {
    checks: ['L1-MAN-08'],
    how: 'arguments for a method that it has not',
    spoil: settings({ arguments: { 'ProductMaster.getProducts': [] } })
  },
  { checks: ['L1-MAN-08'], how: 'an unknown member', spoil: settings({ credential: {} }) },

  {
    checks: ['L1-SHP-09'],
    how: 'another encoding than the platform uses',
    spoil: replace("encoding: 'base64'", "encoding: 'hex'")
  },
  {
    checks: ['L1-SHP-09'],
    how: 'another header than the platform sends',
    spoil: replace("'x-good-signature'", "'x-signature'")
  },
  { checks: ['L1-SHP-09'], how: 'a declaration that no delivery proves', spoil: settings({ deliveries: [] }) },
  { checks: ['L1-SHP-09'], how: 'a function that takes every delivery', spoil: judgedBy('() => true') },
  { checks: ['L1-SHP-09'], how: 'a function that refuses a genuine one', spoil: judgedBy('() => false') },
  { checks: ['L1-SHP-09'], how: 'a function that answers a text', spoil: judgedBy("() => 'yes'") },
  { checks: ['L1-SHP-09'], how: 'a function that hangs', spoil: judgedBy('() => { for (;;); }') },

  {
    checks: ['L1-SHP-10'],
    how: 'another parameter than the platform sends',
    spoil: replace("when: [{ query: 'crc_token' }]", "when: [{ query: 'token' }]")
  },
  {
    checks: ['L1-SHP-10'],
    how: 'an answer in another encoding',
    spoil: replace("algorithm: 'sha256', encoding: 'hex'", "algorithm: 'sha256', encoding: 'base64'")
  },
  { checks: ['L1-SHP-10'], how: 'an answer without its header', spoil: replace("'x-answer'", "'x-another'") },
  { checks: ['L1-SHP-10'], how: 'no example of a challenge', spoil: settings({ challenges: [] }) },
  {
    checks: ['L1-SHP-10'],
    how: 'one challenge without an example',
    spoil: replace('challenges: [{', "challenges: [{ method: 'GET', when: [{ query: 'a' }], answer: {} }, {")
  },
  {
    checks: ['L1-SHP-10'],
    how: "a proved challenge that the hub's own scheme does not prove",
    spoil: replace(
      /verify: \{[^}]*\{[^}]*\}[^}]*\},\s*challenges: \[\{/,
      "scheme: 'hmac', challenges: [{ isProved: true,"
    )
  },
  {
    checks: ['L1-SHP-10'],
    how: 'a form that the hub does not read',
    spoil: good =>
      settings({
        challenges: [...good.settings.challenges as Json[], {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'kind=ping',
          answer: {}
        }]
      })(replace(
        'challenges: [{',
        "challenges: [{ method: 'POST', when: [{ body: '/kind' }], isProved: false, answer: {} }, {"
      )(good))
  },

  { checks: ['L1-IMP-01'], zoo: 'throws-at-import' },
  { checks: ['L1-IMP-01'], zoo: 'exits-at-import' },
  { checks: ['L1-IMP-01'], zoo: 'eats-memory-at-import' },
  { checks: ['L1-IMP-01'], zoo: 'never-resolves-at-import' },
  { checks: ['L1-IMP-01'], zoo: 'loops-at-import' },
  { checks: ['L1-IMP-02'], zoo: 'crashes-when-ready' },
  {
    checks: ['L1-IMP-02'],
    how: 'a timer that keeps nothing alive',
    spoil: append('setInterval(() => {}, 60_000).unref()')
  },
  {
    checks: ['L1-IMP-02'],
    how: 'a server',
    spoil: append("import { createServer } from 'node:http'\ncreateServer().listen(0).unref()")
  },
  { checks: ['L1-IMP-03'], zoo: 'patches-globals' },
  { checks: ['L1-IMP-03'], zoo: 'patches-prototypes' },
  { checks: ['L1-IMP-03'], zoo: 'patches-json' },
  { checks: ['L1-IMP-03'], how: 'a new global', spoil: append('globalThis.goodAdapter = true') },
  { checks: ['L1-IMP-04'], how: 'an environment variable', spoil: append('const { HOME } = process.env') },
  { checks: ['L1-IMP-04'], how: 'the whole environment', spoil: append('Object.keys(process.env)') },
  { checks: ['L1-IMP-05'], how: 'a listener of signals', spoil: append("process.on('SIGTERM', () => {})") },
  { checks: ['L1-IMP-06'], how: 'a greeting', spoil: append("console.log('ready')") },

  { checks: ['L1-SHP-01'], zoo: 'wrong-export' },
  { checks: ['L1-SHP-01'], zoo: 'no-export' },
  { checks: ['L1-SHP-01'], zoo: 'missing-method' },
  {
    checks: ['L1-SHP-01'],
    how: 'a scheme that the hub does not know',
    spoil: replace("jobs: { 'good", "webhooks: { scheme: 'sha1' }, jobs: { 'good")
  },
  {
    checks: ['L1-SHP-01'],
    how: 'a misspelt member',
    spoil: replace('routes: [authorised', 'scheduels: [], routes: [authorised')
  },
  { checks: ['L1-SHP-01'], how: 'a route without a handler', spoil: replace('async handler (', 'async handle (') },
  {
    checks: ['L1-SHP-02'],
    how: 'another contract',
    spoil: replace(
      'export default defineAdapter({',
      "export default Object.assign({ [Symbol.for('linker.adapter')]: '9.9.9' }, {"
    )
  },
  { checks: ['L1-SHP-03'], zoo: 'undeclared-capability' },
  { checks: ['L1-SHP-03'], zoo: 'missing-capability' },
  { checks: ['L1-SHP-04'], zoo: 'bad-schema' },
  { checks: ['L1-SHP-04'], zoo: 'slow-pattern' },
  { checks: ['L1-SHP-04'], zoo: 'slow-pattern-of-route' },
  { checks: ['L1-SHP-04'], zoo: 'remote-schema' },
  { checks: ['L1-SHP-04'], zoo: 'doubling-schema' },
  { checks: ['L1-SHP-05'], zoo: 'foreign-job' },
  { checks: ['L1-SHP-05'], zoo: 'repeated-route' },
  { checks: ['L1-SHP-05'], zoo: 'dot-segments' },
  { checks: ['L1-SHP-05'], zoo: 'escapes-in-job-name' },
  { checks: ['L1-SHP-06'], how: 'a config that its schema refuses', spoil: settings({ config: {} }) },
  {
    checks: ['L1-SHP-06'],
    how: 'a config that its own checkConfig refuses',
    spoil: replace(
      'routes: [authorised',
      "checkConfig: () => [{ pointer: '/baseUrl', code: 'invalid', message: 'is nothing' }], routes: [authorised"
    )
  },
  {
    checks: ['L1-SHP-06'],
    how: 'a checkConfig that answers no list',
    spoil: replace('routes: [authorised', 'checkConfig: () => true, routes: [authorised')
  },
  {
    checks: ['L1-SHP-06'],
    how: 'a secret that is too short to be found',
    spoil: settings({ credentials: { apiKey: 'short' } })
  },
  {
    checks: ['L1-SHP-07'],
    how: 'a schema that takes everything',
    spoil: replace(
      "{ type: 'object', properties: { baseUrl: { ...text, pattern: '^https?://' } }, required: ['baseUrl'] }",
      '{}'
    )
  },
  {
    checks: ['L1-SHP-07'],
    how: 'a key of any type',
    spoil: replace('apiKey: { ...text, secret: true }', 'apiKey: { secret: true }')
  },
  {
    checks: ['L1-SHP-08'],
    how: 'an authorisation at a route that is not there',
    spoil: replace("authorisation: { path: '/authorisations' }", "authorisation: { path: '/authorise' }")
  },
  {
    checks: ['L1-SHP-08'],
    how: 'an authorisation without an address in its answer',
    spoil: replace("required: ['authorizationUrl', 'state']", "required: ['state']")
  },
  { checks: ['L1-PRM-01'], zoo: 'undeclared-jobs' },
  { checks: ['L1-PRM-01'], zoo: 'undeclared-routes' },
  { checks: ['L1-PRM-01'], zoo: 'undeclared-schedules' },
  { checks: ['L1-SEC-01'], how: 'a key that is not marked', spoil: replace(', secret: true', '') },
  {
    checks: ['L1-SEC-01'],
    how: 'a key in the form of the authorisation that is not marked',
    spoil: replace('connectionId: text, apiKey: { ...text, secret: true }', 'connectionId: text, apiKey: text')
  },
  {
    checks: ['L1-SEC-01'],
    how: 'a mark where the hub does not see it',
    spoil: replace(
      'properties: { apiKey',
      "properties: { access: { type: 'object', properties: { pin: { ...text, secret: true } } }, apiKey"
    )
  },

  {
    checks: ['L1-RUN-01'],
    how: 'another answer in a thread',
    spoil: good =>
      product("if (isMainThread) return toProduct({ id: 1, name: 'main' })\nreturn good()")({
        ...good,
        source: `import { isMainThread } from 'node:worker_threads'\n${good.source}`
      })
  },
  { checks: ['L1-RUN-02'], how: 'a timer that keeps the thread alive', spoil: append('setInterval(() => {}, 60_000)') },
  {
    checks: ['L1-RUN-03'],
    how: 'a timer for each connection',
    spoil: replace('connect: context => ', 'connect: context => setInterval(() => {}, 60_000) && ')
  },
  { checks: ['L1-RUN-04'], zoo: 'throws-at-init' },
  { checks: ['L1-RUN-04'], zoo: 'hangs-at-init' },
  {
    checks: ['L1-RUN-05'],
    how: 'a function in an answer',
    spoil: errors("return { ...toProduct({ id: 1, name: '' }), reload: () => {} }")
  },
  { checks: ['L1-RUN-07'], zoo: 'patches-in-calls' },
  {
    checks: ['L1-RUN-07'],
    how: 'a built-in replaced while it connects',
    spoil: replace('connect: context => ', 'connect: context => (Array.prototype.last = 1) && ')
  },
  {
    checks: ['L1-RUN-08'],
    how: 'a capability of a third party without arguments',
    spoil: good => ({
      ...linker({ capabilities: ['acme/Weather'], permissions: {} })(good),
      settings: {},
      source: weather
    })
  },
  { checks: ['L1-RUN-06'], how: 'the end of the process in a call', spoil: product('process.exit(1)') },
  {
    checks: ['L1-RUN-06'],
    how: 'an error that comes when all calls are over',
    spoil: product(`setTimeout(() => { throw new Error('too late') }, 500).unref()
process.once('exit', () => {})
return good()`)
  },

  {
    checks: ['L2-ERR-01'],
    how: 'a method that refuses everything',
    spoil: product("throw new TransientError('not today')")
  },
  {
    checks: ['L2-ERR-01'],
    how: 'a connection test that tests nothing',
    spoil: replace("read(await client.json({ method: 'GET', path: 'me' }), 'name')", '')
  },
  {
    checks: ['L2-ERR-01'],
    how: 'a method that nobody knows how to call',
    spoil: good =>
      linker({
        capabilities: ['ProductMaster', 'OrderSource', 'acme/Weather']
      })(replace(
        'OrderSource: createOrderSource }',
        "OrderSource: createOrderSource, 'acme/Weather': () => ({ forecast: async () => 'rain' }) }"
      )(good))
  },
  { checks: statuses.map(number => `L2-ERR-${number}`), how: 'a TypeError for whatever goes wrong', spoil: disguised },
  {
    checks: ['L2-ERR-05'],
    how: 'a product out of a 404',
    spoil: errors("if (error.status === 404) return toProduct({ id: 1, name: '' })\nthrow error")
  },
  {
    checks: ['L2-ERR-08'],
    how: 'a delay of its own',
    spoil: good => errors(ownDelay)(withImport('RateLimitedError')(good))
  },
  {
    checks: ['L2-ERR-11', 'L2-ERR-12'],
    how: 'a time-out that is a refusal',
    spoil: good => errors("throw new RejectedError('no')")(withImport('RejectedError')(good))
  },
  {
    checks: ['L2-ERR-15'],
    how: 'an empty catalog out of an HTML page',
    spoil: replace(
      "const { items, next } = read(await client.json(request), 'items')",
      'const { items = [], next } = await client.json(request).catch(() => ({}))'
    )
  },
  {
    checks: ['L2-ERR-20'],
    how: 'a refusal out of a 404',
    spoil: good =>
      errors("throw error.status === 404 ? new RejectedError('no') : error")(withImport('RejectedError')(good))
  },
  {
    checks: ['L2-ERR-17'],
    how: 'no look at what came',
    spoil: replace("if (!isRead) throw new TransientError('the platform answered in an unknown form')", '')
  },
  {
    checks: ['L2-ERR-18'],
    how: 'a product without id',
    spoil: product(`const { unexpected } = await client.json({ method: 'GET', path: 'products/1' })
return { externalId: '', name: '', isActive: true, variants: unexpected }`)
  },
  { checks: ['L2-ERR-21'], how: 'an order that is away', spoil: missingOrder("throw new TransientError('away')") },
  { checks: ['L2-ERR-21'], how: 'an order out of a 404', spoil: missingOrder('return { externalId, lines: [] }') },

  {
    checks: ['L2-ANS-01'],
    how: 'a product that nobody was asked for and the hub would refuse',
    spoil: product('return { externalId: 7 }')
  },
  {
    checks: ['L2-ANS-01'],
    how: 'a job that answers what the hub does not take',
    spoil: replace(
      '{ products: [await createProductMaster(client).getProduct(payload.externalId)] }',
      '{ product: [] }'
    )
  },

  {
    checks: ['L2-ANS-02'],
    how: 'more items than were asked for',
    spoil: replace(
      'async listProducts ({ cursor, limit }) {',
      `async listProducts ({ cursor, limit }) {
const more = Array.from({ length: limit + 1 }, (_, id) => toProduct({ id, name: 'more' }))
if (cursor === undefined) return { items: more }`
    )
  },

  {
    checks: ['L2-SEC-01'],
    how: 'half a key in the log',
    spoil: leaky("client.context.log.info({ key: secret.slice(0, 12) }, 'signed in')\nreturn good()")
  },
  {
    checks: ['L2-SEC-02'],
    how: 'half a key in an error',
    spoil: leaky(`try { return await good() } catch {
throw new TransientError('refused with ' + secret.slice(0, 12))
}`)
  },
  { checks: ['L2-SEC-03'], zoo: 'tells-secrets' },
  {
    checks: ['L2-SEC-03'],
    how: 'a secret in the key of a job',
    spoil: leaky(`await client.context.jobs.enqueue('good.product.refresh', { externalId: '1' }, { key: secret })
return toProduct({ id: 1, name: '' })`)
  },
  {
    checks: ['L2-SEC-03'],
    how: 'a secret in the payload of a job',
    spoil: leaky(secretInPayload)
  },
  {
    checks: ['L2-SEC-03'],
    how: 'a secret in what the connection test says',
    spoil: good =>
      replace(
        "read(await client.json({ method: 'GET', path: 'me' }), 'name')\n    return { message: 'the key is valid' }",
        'return { message: client.context.credentials.apiKey }'
      )(withContext(good))
  },
  {
    checks: ['L2-SEC-03'],
    how: 'a key in a job',
    spoil: leaky(`await client.context.jobs.enqueue('good.product.refresh', { externalId: secret }, { key: '1' })
return toProduct({ id: 1, name: '' })`)
  },
  {
    checks: ['L2-SEC-03'],
    how: 'a key in a stored value',
    spoil: leaky("await client.context.kv.set('session', { secret })\nreturn good()")
  },
  { checks: ['L2-SEC-04'], how: 'a key on the console', spoil: leaky('console.error(secret)\nreturn good()') },
  {
    checks: ['L2-SEC-05'],
    how: 'a key in a path',
    spoil: leaky("return toProduct(read(await client.json({ method: 'GET', path: 'products/' + secret }), 'id'))")
  },

  {
    checks: ['L2-ABT-01'],
    how: 'no end after an abort',
    spoil: errors(`if (/ABORTED/.test(error.message)) await new Promise(resolve => { setTimeout(resolve, 2_500) })
throw error`)
  },
  {
    checks: ['L2-ABT-02'],
    how: 'a request that nothing aborts',
    spoil: good =>
      product("fetch(client.context.config.baseUrl + '/products').catch(() => {})\nreturn good()")(withContext(good))
  },

  {
    checks: ['L2-PRM-01'],
    how: 'fetch',
    spoil: good =>
      product(`const request = fetch(client.context.config.baseUrl + '/products')
await request.then(response => response.text(), () => undefined)
return good()`)(withContext(good))
  },
  {
    checks: ['L2-PRM-01'],
    how: 'a connection to somewhere else',
    spoil: product("await fetch('http://192.0.2.1:8080/').catch(() => undefined)\nreturn good()")
  },
  {
    checks: ['L2-PRM-02'],
    how: 'an answer without asking',
    spoil: good =>
      errors(`if (/does not permit/.test(error.message)) return toProduct({ id: 1, name: '' })
throw error`)(withContext(good))
  },
  {
    checks: ['L2-PRM-03'],
    how: 'an address that the manifest does not name',
    spoil: linker({ permissions: { http: ['https://api.example.com'], jobs: ['good.*'] } })
  },
  {
    checks: ['L2-PRM-04'],
    how: 'an environment variable in a call',
    spoil: product('process.env.GOOD_SHOP\nreturn good()')
  }
]
