import {
  all,
  append,
  errors,
  judgedBy,
  leaky,
  linker,
  manifest,
  member,
  missingOrder,
  product,
  replace,
  settings,
  withContext,
  withImport,
  type Json,
  type Spoil
} from './spoil.ts'

/**
 * One more way to break a rule, beside its mutation: another change of the good adapter, or an
 * adapter of the zoo.
 */
export type BadAdapter =
  | { checks: string[], how: string, spoil: Spoil, extra?: Readonly<Record<string, string>> }
  | { checks: string[], zoo: string }

const secretInPayload = `const payload = { externalId: '1', list: [...Array(200).keys(), secret] }
await client.context.jobs.enqueue('good.product.refresh', payload, { key: '1' })
return toProduct({ id: 1, name: '' })`

export const badAdapters: readonly BadAdapter[] = [
  { checks: ['L1-MAN-01'], zoo: 'bad-manifest' },
  { checks: ['L1-MAN-01'], zoo: 'bad-json' },
  { checks: ['L1-MAN-01'], how: 'a key of another platform', spoil: linker({ adapterKey: 'better.api.v1' }) },
  { checks: ['L1-MAN-01'], how: 'a link without https', spoil: linker({ links: { help: 'http://good.example' } }) },
  { checks: ['L1-MAN-03'], zoo: 'wrong-engines' },
  { checks: ['L1-MAN-04'], zoo: 'bundles-sdk' },
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
  {
    checks: ['L1-MAN-06', 'L1-MAN-09'],
    how: 'an icon that is not published and not there',
    spoil: linker({ icon: 'icon.svg' })
  },
  {
    checks: ['L1-MAN-08'],
    how: 'an exemption without a reason',
    spoil: settings({ exemptions: [{ check: 'L1-MAN-02', reason: '' }] })
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
  { checks: ['L1-SHP-09'], how: 'a declaration that no delivery proves', spoil: settings({ deliveries: [] }) },
  { checks: ['L1-SHP-09'], how: 'a function that takes every delivery', spoil: judgedBy('() => true') },
  { checks: ['L1-SHP-09'], how: 'a function that refuses a genuine one', spoil: judgedBy('() => false') },
  { checks: ['L1-SHP-09'], how: 'a function that answers a text', spoil: judgedBy("() => 'yes'") },
  { checks: ['L1-SHP-09'], how: 'a function that hangs', spoil: judgedBy('() => { for (;;); }') },

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
      /verify: \{.*challenges: \[\{/s,
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

  {
    checks: ['L1-SHP-10'],
    how: 'a signed challenge that anybody may ask',
    spoil: good =>
      settings({
        challenges: [...good.settings.challenges as Json[], {
          method: 'POST',
          secret: 'webhook-secret-of-the-good-shop',
          headers: {
            'content-type': 'application/json',
            'x-good-signature': 'Eq2zeWHnsW/0ua6nzBrCuQyWynJtC3q5WFaUkPUqeH4='
          },
          body: '{"ping":1}',
          answer: {}
        }]
      })(replace(
        'challenges: [{',
        "challenges: [{ method: 'POST', when: [{ body: '/ping' }], isProved: false, answer: {} }, {"
      )(good))
  },

  { checks: ['L1-IMP-01'], zoo: 'exits-at-import' },
  { checks: ['L1-IMP-01'], zoo: 'eats-memory-at-import' },
  { checks: ['L1-IMP-01'], zoo: 'never-resolves-at-import' },
  { checks: ['L1-IMP-01'], zoo: 'loops-at-import' },
  {
    checks: ['L1-IMP-02'],
    how: 'a server',
    spoil: append("import { createServer } from 'node:http'\ncreateServer().listen(0).unref()")
  },
  { checks: ['L1-IMP-03'], zoo: 'patches-globals' },
  { checks: ['L1-IMP-03'], zoo: 'patches-prototypes' },
  { checks: ['L1-IMP-04'], how: 'the whole environment', spoil: append('Object.keys(process.env)') },

  { checks: ['L1-SHP-01'], zoo: 'wrong-export' },
  { checks: ['L1-SHP-01'], zoo: 'no-export' },
  { checks: ['L1-SHP-01'], zoo: 'missing-method' },
  {
    checks: ['L1-SHP-01'],
    how: 'a scheme that the hub does not know',
    spoil: replace("jobs: { 'good", "webhooks: { scheme: 'sha1' }, jobs: { 'good")
  },
  { checks: ['L1-SHP-01'], how: 'a route without a handler', spoil: replace('async handler (', 'async handle (') },
  { checks: ['L1-SHP-03'], zoo: 'missing-capability' },
  { checks: ['L1-SHP-04'], zoo: 'slow-pattern' },
  { checks: ['L1-SHP-04'], zoo: 'slow-pattern-of-route' },
  { checks: ['L1-SHP-04'], zoo: 'remote-schema' },
  { checks: ['L1-SHP-04'], zoo: 'doubling-schema' },
  { checks: ['L1-SHP-05'], zoo: 'foreign-job' },
  { checks: ['L1-SHP-05'], zoo: 'dot-segments' },
  { checks: ['L1-SHP-05'], zoo: 'escapes-in-job-name' },
  {
    checks: ['L1-SHP-06'],
    how: 'a config that its own checkConfig refuses',
    spoil: member("checkConfig: () => [{ pointer: '/baseUrl', code: 'invalid', message: 'is nothing' }]")
  },
  {
    checks: ['L1-SHP-06'],
    how: 'a checkConfig that answers no list',
    spoil: member('checkConfig: () => true')
  },
  {
    checks: ['L1-SHP-06'],
    how: 'a secret that is too short to be found',
    spoil: settings({ credentials: { apiKey: 'short' } })
  },
  {
    checks: ['L1-SHP-07'],
    how: 'a schema that takes everything',
    spoil: replace(/const config = \{[\s\S]*?\n\}\n/, 'const config = {}\n')
  },
  {
    checks: ['L1-SHP-08'],
    how: 'an authorisation without an address in its answer',
    spoil: replace("required: ['authorizationUrl', 'state']", "required: ['state']")
  },
  { checks: ['L1-PRM-01'], zoo: 'undeclared-routes' },
  { checks: ['L1-PRM-01'], zoo: 'undeclared-schedules' },
  { checks: ['L1-SEC-01'], how: 'a key that is not marked', spoil: replace(', secret: true', '') },
  {
    checks: ['L1-SEC-01'],
    how: 'a mark where the hub does not see it',
    spoil: replace(
      'properties: { apiKey',
      "properties: { access: { type: 'object', properties: { pin: { ...text, secret: true } } }, apiKey"
    )
  },

  { checks: ['L1-RUN-04'], zoo: 'hangs-at-init' },
  {
    checks: ['L1-RUN-06'],
    how: 'an error that comes when all calls are over',
    spoil: product(`setTimeout(() => { throw new Error('too late') }, 500).unref()
process.once('exit', () => {})
return good()`)
  },
  {
    checks: ['L1-RUN-07'],
    how: 'a built-in replaced while it connects',
    spoil: replace('connect: context => ', 'connect: context => (Array.prototype.last = 1) && ')
  },

  {
    checks: ['L2-ERR-01'],
    how: 'a method that nobody knows how to call',
    spoil: all(
      linker({ capabilities: ['ProductMaster', 'OrderSource', 'acme/Weather'] }),
      replace(
        'OrderSource: createOrderSource }',
        "OrderSource: createOrderSource, 'acme/Weather': () => ({ forecast: async () => 'rain' }) }"
      )
    )
  },
  {
    checks: ['L2-ERR-09'],
    how: 'an outage that is taken for maintenance, although a write may have had its effect',
    spoil: all(
      withImport('UnavailableError'),
      errors("throw error.status === 500 ? new UnavailableError('off') : error")
    )
  },
  {
    checks: ['L2-ERR-18'],
    how: 'a product without id',
    spoil: product(`const { unexpected } = await client.json({ method: 'GET', path: 'products/1' })
return { externalId: '', name: '', isActive: true, variants: unexpected }`)
  },
  {
    checks: ['L2-ERR-21'],
    how: 'an order out of a 404',
    spoil: missingOrder('return { externalId, lines: [] }')
  },
  {
    checks: ['L2-ANS-01'],
    how: 'a product that nobody was asked for and the hub would refuse',
    spoil: product('return { externalId: 7 }')
  },
  {
    checks: ['L2-ACC-02'],
    how: 'the same id for both accounts',
    spoil: replace('id: String(id), name }', "id: 'good', name }")
  },
  {
    checks: ['L2-ACC-02'],
    how: 'an account that it cannot read',
    spoil: settings({ accounts: [{ id: 7, title: 'Good' }] })
  },
  { checks: ['L2-SEC-03'], zoo: 'tells-secrets' },
  {
    checks: ['L2-SEC-03'],
    how: 'a secret in the key of a job',
    spoil: leaky(`await client.context.jobs.enqueue('good.product.refresh', { externalId: '1' }, { key: secret })
return toProduct({ id: 1, name: '' })`)
  },
  { checks: ['L2-SEC-03'], how: 'a secret in the payload of a job', spoil: leaky(secretInPayload) },
  {
    checks: ['L2-SEC-03'],
    how: 'a secret in what the connection test says',
    spoil: all(
      withContext,
      replace(
        "read(await client.json({ method: 'GET', path: 'me' }), 'name')\n    return { message: 'the key is valid' }",
        'return { message: client.context.credentials.apiKey }'
      )
    )
  },
  {
    checks: ['L2-PRM-01'],
    how: 'fetch',
    spoil: all(
      withContext,
      product(`const request = fetch(client.context.config.baseUrl + '/products')
await request.then(response => response.text(), () => undefined)
return good()`)
    )
  }
]
