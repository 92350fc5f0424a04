import type { CheckResult } from '@linker/sdk/testing'
import type { Test } from 'tap'
import {
  account,
  all,
  append,
  errors,
  leaky,
  linker,
  listErrors,
  manifest,
  member,
  missingOrder,
  onStatus,
  prepend,
  product,
  replace,
  settings,
  withContext,
  withImport,
  type Spoil
} from './spoil.ts'

/** A small change of the good adapter that breaks one rule of the suite. */
export interface Mutation {
  /** The fault, in words. */
  fault: string
  spoil: Spoil
  /** A part of the message that names the fault. */
  says: RegExp
  /** The call that the finding names; absent when it names none. */
  target?: string
  /** Other checks that no adapter with this fault can pass. */
  also?: readonly string[]
  /** Only a thread of its own shows the fault, or survives it. */
  needsThread?: true
}

const listing = 'ProductMaster.listProducts'
const reading = 'ProductMaster.getProduct'

const refused = (code: string): Spoil => all(withImport('RejectedError'), listErrors(code))

const withoutAccount = replace(/account: async client => \{.*?\n {2}\},/s, '')

/** Calls that the suite does not know how to make, in place of those of the good adapter. */
const unknownCalls = all(
  linker({ capabilities: ['acme/Weather'] }),
  replace(/capabilities: \{ .*,/, "capabilities: { 'acme/Weather': () => ({ forecast: async () => 7 }) },"),
  replace(/test: async client => \{.*?\n {2}\},/s, ''),
  withoutAccount,
  replace("jobs: { 'good.product.refresh': refresh }", 'jobs: {}'),
  settings({ arguments: {} })
)

/** Lets a job answer two quantities of one stock. `isCounted`: that of the second level. */
export const twoQuantities = (isCounted: boolean): Spoil =>
  replace(
    /run: async \(client, \{ payload \}\) => .*/,
    `run: async () => ({
      stock: [1, 2].map(quantity => ({
        productExternalId: '1', variantExternalId: String(quantity), quantity, sharedStockId: 'pool',
        isCounted: quantity === 1 || ${isCounted}
      }))
    })`
  )

const euros = (amount: string) => ({ amount, currency: 'EUR' })

/** Lets a job answer a product with one variant. */
function oneProduct ({ isActive, variant }: { isActive: boolean, variant: object }): Spoil {
  const product = { externalId: '1', name: 'Mug', isActive, variants: [{ externalId: '1', ...variant }] }
  const answer = JSON.stringify({ products: [product] })
  return replace(/run: async \(client, \{ payload \}\) => .*/, `run: async () => (${answer})`)
}

/**
 * The mutation table of the suite: for every check, the adapter that it exists for. A test applies
 * each mutation and demands that exactly the named checks fail.
 */
export const mutations: Readonly<Record<string, Mutation>> = {
  'L1-MAN-01': {
    fault: 'a version that is no version',
    spoil: manifest({ version: 'next' }),
    says: /\/version is not a SemVer version/
  },
  'L1-MAN-02': {
    fault: 'no keyword',
    spoil: manifest({ keywords: ['adapter'] }),
    says: /keywords lacks 'linker-adapter'/
  },
  'L1-MAN-03': {
    fault: 'a range of contracts that is no caret range',
    spoil: manifest({ engines: { linker: '*' } }),
    says: /engines\.linker is '\*'/
  },
  'L1-MAN-04': {
    fault: 'no peer dependency',
    spoil: manifest({ peerDependencies: {} }),
    says: /peerDependencies\['@linker\/sdk'\] is missing/
  },
  'L1-MAN-05': {
    fault: 'exports without the package itself',
    spoil: manifest({ exports: { './adapter': './index.js' } }),
    says: /'@acme\/adapter-good-v1' does not resolve/
  },
  'L1-MAN-06': {
    fault: 'files without the settings of the suite',
    spoil: manifest({ files: ['index.js'] }),
    says: /files does not take linker\.conformance\.json/
  },
  'L1-MAN-07': {
    fault: 'an install script',
    spoil: manifest({ scripts: { postinstall: 'node index.js' } }),
    says: /scripts\.postinstall runs 'node index\.js'/
  },
  'L1-MAN-09': {
    fault: 'an icon that is a script',
    spoil: linker({ icon: 'index.js' }),
    says: /index\.js is neither PNG nor SVG/
  },
  'L1-MAN-08': {
    fault: 'an exemption of no check',
    spoil: settings({ exemptions: [{ check: 'L2-ERR-99', reason: 'there is no such check' }] }),
    says: /there is no check 'L2-ERR-99'/
  },

  'L1-IMP-01': {
    fault: 'an import that throws',
    spoil: append("throw new Error('not today')"),
    says: /its import throws: not today/,
    needsThread: true
  },
  'L1-IMP-02': {
    fault: 'a timer that keeps no thread alive',
    spoil: append('setInterval(() => {}, 60_000).unref()'),
    says: /a Timeout is left, made by .*index\.js/,
    needsThread: true
  },
  'L1-IMP-03': {
    fault: 'a new global',
    spoil: append('globalThis.goodAdapter = true'),
    says: /goodAdapter is new or was replaced/,
    needsThread: true
  },
  'L1-IMP-04': {
    fault: 'an environment variable',
    spoil: append('const { GOOD_SHOP } = process.env'),
    says: /it reads GOOD_SHOP/,
    needsThread: true
  },
  'L1-IMP-05': {
    fault: 'a listener of warnings',
    spoil: append("process.on('warning', () => {})"),
    says: /it listens for 'warning' of process/,
    needsThread: true
  },
  'L1-IMP-06': {
    fault: 'a greeting',
    spoil: append("console.log('# ready')"),
    says: /it prints '# ready'/,
    needsThread: true
  },

  'L1-SHP-01': { fault: 'a misspelt member', spoil: member('scheduels: []'), says: /scheduels/ },
  'L1-SHP-02': {
    fault: 'another contract',
    spoil: replace(
      'export default defineAdapter({',
      "export default Object.assign({ [Symbol.for('linker.adapter')]: '9.9.9' }, {"
    ),
    says: /it was made with the contract 9\.9\.9/
  },
  'L1-SHP-03': {
    fault: 'a capability that the manifest does not name',
    spoil: linker({ capabilities: ['ProductMaster'] }),
    says: /OrderSource/
  },
  'L1-SHP-04': {
    fault: 'a schema that does not compile',
    spoil: replace("path: '/authorised',", "path: '/authorised', schema: { query: { type: 'objekt' } },"),
    says: /\/authorised/
  },
  'L1-SHP-05': {
    fault: 'one route twice',
    spoil: replace('routes: [authorised', 'routes: [authorised, authorised'),
    says: /GET .*\/authorised/
  },
  'L1-SHP-06': {
    fault: 'a config that its schema refuses',
    spoil: settings({ config: { baseUrl: 'ftp://good.example' } }),
    says: /linker\.conformance\.json\/config\/baseUrl/
  },
  'L1-SHP-07': {
    fault: 'a key of any type',
    spoil: replace('apiKey: { ...text, secret: true, title', 'apiKey: { secret: true, title'),
    says: /credentials\.apiKey may be of any type/
  },
  'L1-SHP-08': {
    fault: 'an authorisation at a route that is not there',
    spoil: replace("authorisation: { path: '/authorisations' }", "authorisation: { path: '/authorise' }"),
    says: /begins at POST \/authorise, and it has no such route/
  },
  'L1-SHP-13': { fault: 'no account', spoil: withoutAccount, says: /it has no account/ },
  'L1-PRM-01': {
    fault: 'a job that the manifest does not permit',
    spoil: linker({ permissions: { http: ['${config.baseUrl}'], routes: true, connections: true } }),
    says: /good\.product\.refresh/
  },
  'L1-SEC-01': {
    fault: 'a key in the form of the authorisation that is not marked',
    spoil: replace('connectionId: text, apiKey: { ...text, secret: true }', 'connectionId: text, apiKey: text'),
    says: /authorisation\.apiKey is not marked/
  },
  'L1-SHP-09': {
    fault: 'a signature in another header than the platform sends',
    spoil: replace("'x-good-signature'", "'x-signature'"),
    says: /deliveries\/0 is refused/
  },
  'L1-SHP-10': {
    fault: 'a challenge in another parameter than the platform sends',
    spoil: replace("when: [{ query: 'crc_token' }]", "when: [{ query: 'token' }]"),
    says: /challenges\/0 is none/
  },
  'L1-SHP-11': {
    fault: 'a key without words',
    spoil: replace("secret: true, title: 'API key'", 'secret: true'),
    says: /credentials\.apiKey has neither a title nor a description/
  },
  'L1-SHP-12': {
    fault: 'the topic in another header than the platform sends',
    spoil: replace("topic: { header: 'x-good-topic' }", "topic: { header: 'x-topic' }"),
    says: /deliveries\/0 cannot be read: The topic of the event is missing .* header x-topic/
  },

  'L1-RUN-01': {
    fault: 'another answer in a thread',
    spoil: all(
      prepend("import { isMainThread } from 'node:worker_threads'"),
      listErrors('if (isMainThread) return { items: [] }')
    ),
    says: /in the hub's thread/,
    target: listing,
    needsThread: true
  },
  'L1-RUN-02': {
    fault: 'a timer that keeps the thread alive',
    spoil: append('setTimeout(() => {}, 15_000)'),
    says: /the thread still runs/,
    // A timer is what an import leaves behind, and it also holds the thread whose calls are over.
    also: ['L1-IMP-02', 'L1-RUN-03'],
    needsThread: true
  },
  'L1-RUN-03': {
    fault: 'a timer for each connection',
    spoil: replace('connect: context => ', 'connect: context => setTimeout(() => {}, 15_000) && '),
    says: /the thread still runs .* after its last call/,
    needsThread: true
  },
  'L1-RUN-04': {
    fault: 'an init that throws',
    spoil: replace('init () {}', "init () { throw new Error('not today') }"),
    says: /it throws: not today/,
    target: 'init'
  },
  'L1-RUN-05': {
    fault: 'a function in an answer',
    spoil: replace('body: { ids } }))', 'body: { ids } }))\n      return () => {}'),
    says: /its answer cannot be copied into another thread/,
    target: 'OrderSource.acknowledge',
    // The answer that cannot be copied becomes an error that is not one of the SDK.
    also: ['L2-ERR-18']
  },
  'L1-RUN-06': {
    fault: 'a promise that nobody waits for',
    spoil: product("Promise.reject(new Error('nobody waits'))\nreturn good()"),
    says: /it left an error unhandled: nobody waits/,
    target: reading,
    needsThread: true
  },
  'L1-RUN-07': {
    fault: 'a built-in that a call replaces',
    spoil: product('JSON.parse = () => 7\nreturn good()'),
    says: /it replaces JSON\.parse/,
    target: reading,
    needsThread: true
  },
  'L1-RUN-08': {
    fault: 'nothing that the suite knows how to call',
    spoil: unknownCalls,
    says: /the suite has no arguments for it/,
    target: 'acme/Weather.forecast',
    // The suite would call an account.
    also: ['L1-SHP-13']
  },

  'L2-ERR-01': {
    fault: 'a connection test that tests nothing',
    spoil: replace("read(await client.json({ method: 'GET', path: 'me' }), 'name')", ''),
    says: /the connection test sends no request/,
    target: 'test'
  },
  'L2-ERR-02': {
    fault: 'a refusal that is repeated',
    spoil: onStatus(400, "throw new TransientError('later')"),
    says: /on 400: it ended with LNK_ADAPTER_TRANSIENT/,
    target: listing
  },
  'L2-ERR-03': {
    fault: 'a revoked key that looks like a passing fault',
    spoil: onStatus(401, "throw new TransientError('later')"),
    says: /on 401: it ended with LNK_ADAPTER_TRANSIENT/,
    target: listing
  },
  'L2-ERR-04': {
    fault: 'a key without permission that looks like a passing fault',
    spoil: onStatus(403, "throw new TransientError('later')"),
    says: /on 403: it ended with LNK_ADAPTER_TRANSIENT/,
    target: listing
  },
  'L2-ERR-05': {
    fault: 'an empty catalog out of a 404',
    spoil: onStatus(404, 'return { items: [] }'),
    says: /on 404: it answered \{"items":\[\]\}/,
    target: listing
  },
  'L2-ERR-06': {
    fault: 'a conflict that is taken for success',
    spoil: onStatus(409, 'return { items: [] }'),
    says: /on 409: it answered \{"items":\[\]\}/,
    target: listing
  },
  'L2-ERR-07': {
    fault: 'refused fields that are sent again',
    spoil: onStatus(422, "throw new TransientError('later')"),
    says: /on 422: it ended with LNK_ADAPTER_TRANSIENT/,
    target: listing
  },
  'L2-ERR-08': {
    fault: 'a delay of its own in place of Retry-After',
    spoil: all(
      withImport('RateLimitedError'),
      onStatus(429, "throw new RateLimitedError('later', { retryAfterMs: 1 })")
    ),
    says: /on 429: retryAfterMs is 1, Retry-After said 7 s/,
    target: listing
  },
  'L2-ERR-09': {
    fault: 'an outage that is a refusal',
    spoil: refused("if (error.status === 500) throw new RejectedError('no')"),
    says: /on 500: it ended with LNK_ADAPTER_REJECTED/,
    target: listing
  },
  'L2-ERR-10': {
    fault: 'maintenance that is a refusal',
    spoil: refused("if (error.status === 503 && error.retryAfterMs === undefined) throw new RejectedError('no')"),
    says: /on 503: it ended with LNK_ADAPTER_REJECTED/,
    target: listing
  },
  'L2-ERR-11': {
    fault: 'a time-out that is a refusal',
    spoil: refused("if (/ABORTED/.test(error.message)) throw new RejectedError('no')"),
    says: /on time-out: it ended with LNK_ADAPTER_REJECTED/,
    target: listing,
    // An adapter cannot tell how much of an answer had come.
    also: ['L2-ERR-12']
  },
  'L2-ERR-12': {
    fault: 'half an answer that is read as a whole one',
    spoil: listErrors('if (/ABORTED/.test(error.message)) return { items: [] }'),
    says: /on stalled answer: it answered all the same/,
    target: listing,
    also: ['L2-ERR-11']
  },
  'L2-ERR-13': {
    fault: 'a broken connection that is a refusal',
    spoil: refused("if (/after it was sent: (?!ABORTED)/.test(error.message)) throw new RejectedError('no')"),
    says: /on connection reset: it ended with LNK_ADAPTER_REJECTED/,
    target: listing
  },
  'L2-ERR-14': {
    fault: 'an empty catalog out of broken JSON',
    spoil: listErrors('if (/application\\/json.* not JSON/.test(error.message)) return { items: [] }'),
    says: /on broken JSON: it answered \{"items":\[\]\}/,
    target: listing
  },
  'L2-ERR-15': {
    fault: 'an empty catalog out of an HTML page',
    spoil: listErrors('if (/text\\/html/.test(error.message)) return { items: [] }'),
    says: /on HTML: it answered \{"items":\[\]\}/,
    target: listing
  },
  'L2-ERR-16': {
    fault: 'an empty catalog out of an empty body',
    spoil: listErrors('if (/an empty body/.test(error.message)) return { items: [] }'),
    says: /on empty body: it answered \{"items":\[\]\}/,
    target: listing
  },
  'L2-ERR-17': {
    fault: 'members that are read from null',
    spoil: replace(' && answer !== null', ''),
    says: /on JSON null: it ended with TypeError/,
    target: listing
  },
  'L2-ERR-18': {
    fault: 'a list that is used without a look',
    spoil: replace("read(await client.json(request), 'items')", 'read(await client.json(request))'),
    says: /on JSON of another shape: it ended with TypeError/,
    target: listing
  },
  'L2-ERR-19': {
    fault: 'an empty catalog out of an answer that never ends',
    spoil: listErrors('if (/more than/.test(error.message)) return { items: [] }'),
    says: /on endless body: it answered \{"items":\[\]\}/,
    target: listing
  },
  'L2-ERR-20': {
    fault: 'a missing product that is a refusal',
    spoil: all(
      withImport('RejectedError'),
      errors("throw error.status === 404 ? new RejectedError('no') : error")
    ),
    says: /it ended with LNK_ADAPTER_REJECTED .*; expected LNK_ADAPTER_NOT_FOUND/,
    target: reading
  },
  'L2-ERR-21': {
    fault: 'a missing order that is a refusal',
    spoil: all(withImport('RejectedError'), missingOrder("throw new RejectedError('no')")),
    says: /it ended with LNK_ADAPTER_REJECTED .*; expected LNK_ADAPTER_NOT_FOUND/,
    target: 'OrderSource.getOrder'
  },
  'L2-ERR-22': {
    fault: 'a maintenance page that is a refusal',
    spoil: refused("if (error.status === 503 && error.retryAfterMs > 0) throw new RejectedError('no')"),
    says: /on maintenance page: it ended with LNK_ADAPTER_REJECTED/,
    target: listing
  },

  'L2-ANS-01': {
    fault: 'a job that answers what the hub does not take',
    spoil: replace(/run: async \(client, \{ payload \}\) => .*/, 'run: async () => ({ product: [] })'),
    says: /it answered \{"product":\[\]\}, which does not fit/,
    target: 'good.product.refresh'
  },
  'L2-ANS-02': {
    fault: 'more items than were asked for',
    spoil: replace(
      "{ items, next } = read(await client.json(request), 'items')",
      "{ items = Array(limit + 1).fill({ id: 1, name: 'Mug' }), next } = read(await client.json(request))"
    ),
    says: /11 /,
    target: listing
  },
  'L2-ANS-03': {
    fault: 'two quantities of one stock',
    spoil: twoQuantities(true),
    says: /it answered several quantities of the shared stock "pool"/,
    target: 'good.product.refresh'
  },
  'L2-ANS-04': {
    fault: 'cash on delivery that is paid',
    spoil: replace(
      /run: async \(client, \{ payload \}\) => .*/,
      `run: async () => {
        const price = { amount: '5.00', currency: 'EUR' }
        return {
          orders: [{
            externalId: '1', status: 'processing', revision: '1', placedAt: '2026-01-31T12:00:00Z', buyer: {},
            lines: [{ externalId: '1', name: 'Mug', quantity: 1, unitPrice: price }], total: price,
            payment: { method: 'cash-on-delivery', paid: price },
            shipping: { methodId: '1', price: { ...price, amount: '0' } }
          }]
        }
      }`
    ),
    says: /order 1 is to be paid on delivery, and is already paid/,
    target: 'good.product.refresh'
  },
  'L2-ANS-05': {
    fault: 'a regular price below the price of today',
    spoil: oneProduct({ isActive: true, variant: { price: euros('9.00'), regularPrice: euros('8.00') } }),
    says: /with a regular price below the price of today/,
    target: 'good.product.refresh'
  },
  'L2-ANS-06': {
    fault: 'a product that is switched off, with a variant that is sellable',
    spoil: oneProduct({ isActive: false, variant: { sellable: true } }),
    says: /as switched off, with a variant that is sellable/,
    target: 'good.product.refresh'
  },

  'L2-ACC-01': {
    fault: 'an account that writes before it reads',
    spoil: account("await client.json({ method: 'POST', path: 'sessions' }).catch(() => {})"),
    says: /it sends POST \/api\/sessions/,
    target: 'account'
  },
  'L2-ACC-02': {
    fault: 'an id that is new in every call',
    spoil: replace('id: String(id), name }', 'id: crypto.randomUUID(), name }'),
    says: /it answered the id ".*", and ".*" in another call/,
    target: 'account',
    // The other key is another call, too.
    also: ['L2-ACC-03']
  },
  'L2-ACC-03': {
    fault: 'an id that comes from the key',
    spoil: all(
      replace('account: async client =>', 'account: async (client, { credentials }) =>'),
      replace('id: String(id), name }', 'id: String(credentials.apiKey.codePointAt(0)) + id, name }')
    ),
    says: /it answered the id "1037", and "1047" with another key/,
    target: 'account'
  },

  'L2-SEC-01': {
    fault: 'half a key in the log',
    spoil: leaky("client.context.log.info({ key: secret.slice(0, 12) }, 'signed in')\nreturn good()"),
    says: /it has the beginning of a secret in it/
  },
  'L2-SEC-02': {
    fault: 'half a key in an error',
    spoil: leaky(`return good().catch(error => {
  throw error.status === 500 ? new TransientError('refused with ' + secret.slice(0, 12)) : error
})`),
    says: /it has the beginning of a secret in it/,
    target: reading
  },
  'L2-SEC-03': {
    fault: 'a key in a stored value',
    spoil: leaky("await client.context.kv.set('session', { secret })\nreturn good()"),
    says: /it has a secret in it/
  },
  'L2-SEC-04': {
    fault: 'a key on the console',
    spoil: leaky('return good().catch(error => { if (error.status === 500) console.error(secret)\nthrow error })'),
    says: /it has a secret in it/,
    needsThread: true
  },
  'L2-SEC-05': {
    fault: 'a key in a path',
    spoil: leaky(`const answer = await client.json({ method: 'GET', path: 'products/' + secret })
return toProduct(read(answer, 'id', 'name'))`),
    says: /it has a secret in it/
  },

  'L2-SEC-06': {
    fault: 'the buyer of an order in an error',
    spoil: product(`return good().catch(error => {
  throw error.status === 500 ? new TransientError('refused Anna Nowak') : error
})`),
    says: /it has the last name of an order in it/,
    target: reading
  },

  'L2-ABT-01': {
    fault: 'no end after an abort',
    spoil: listErrors('if (/ABORTED/.test(error.message)) await new Promise(() => {})'),
    says: /it goes on 1000 ms after it was aborted/,
    target: listing,
    // These judge how an aborted call ends, and it has no end.
    also: ['L2-ERR-11', 'L2-ERR-12']
  },
  'L2-ABT-02': {
    fault: 'a request that nothing aborts',
    spoil: all(
      withContext,
      product("fetch(client.context.config.baseUrl + '/products').catch(() => {})\nreturn good()")
    ),
    says: /the connection of GET \/api\/products stays open/,
    // The client of the SDK aborts every request, so only another client leaves one open.
    also: ['L2-PRM-01']
  },

  'L2-PRM-01': {
    fault: 'a connection to somewhere else',
    spoil: product("await fetch('http://192.0.2.1:8080/').catch(() => undefined)\nreturn good()"),
    says: /it connects to 192\.0\.2\.1:8080 by itself/,
    needsThread: true
  },
  'L2-PRM-02': {
    fault: 'an answer without asking',
    spoil: all(
      withContext,
      errors("if (/does not permit/.test(error.message)) return toProduct({ id: 1, name: '' })\nthrow error")
    ),
    says: /it answered although it could not ask/,
    target: reading
  },
  'L2-PRM-03': {
    fault: 'an address that the manifest does not name',
    spoil: linker({
      permissions: { http: ['https://good.example'], jobs: ['good.*'], routes: true, connections: true }
    }),
    says: /the manifest does not permit/,
    target: listing,
    // A call that may not ask reaches no platform.
    also: ['L2-ERR-01', 'L2-ACC-02']
  },
  'L2-PRM-04': {
    fault: 'an environment variable that a call reads',
    spoil: product('process.env.GOOD_SHOP\nreturn good()'),
    says: /a call reads GOOD_SHOP/,
    needsThread: true
  },
  'L2-PRM-05': {
    fault: 'a capability that the manifest does not name',
    spoil: all(
      withContext,
      product(`const { baseUrl: connectionId } = client.context.config
await client.context.capability('acme/Labels', { connectionId }).createLabel(externalId)
return good()`)
    ),
    says: /the manifest does not permit calls of/,
    target: reading,
    // A refused call never asks the platform.
    also: ['L2-ERR-01']
  }
}

/**
 * Asserts that the results for the mutation of a check are those of the table: this check fails and
 * names the fault, and no other check fails but those that must.
 */
export function failsOn (t: Test, check: string, results: readonly CheckResult[]): void {
  const { says, target, also = [] } = mutations[check] ?? { says: /$^/ }
  const failed = results.filter(({ status }) => status === 'failed')
  const { findings = [] } = failed.find(({ id }) => id === check) ?? {}

  t.strictSame(failed.map(({ id }) => id).toSorted(), [check, ...also].toSorted())
  t.ok(findings.some(found => says.test(found.message) && found.target === target), { findings })
}
