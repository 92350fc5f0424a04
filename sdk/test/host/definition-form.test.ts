import { defineAdapter } from '@linker/sdk'
import { checkAdapter, describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const run = async (): Promise<undefined> => undefined
const whole = {
  config: Type.Object({}),
  credentials: Type.Null(),
  normalizeCredentials: (given: unknown) => given,
  init: () => undefined,
  connect: () => undefined,
  test: run,
  account: async () => ({ id: '1', name: 'Test' }),
  capabilities: { 'acme/Weather': () => ({ forecast: run }) },
  webhooks: {
    scheme: 'hmac' as const,
    events: { 'article.changed': 'feed.article.refresh' },
    windowMs: 60_000,
    install: run,
    body: {
      eventType: 'order.changed',
      objectType: 'order',
      externalId: '/id',
      occurredAt: ['/at']
    }
  },
  offers: { visibleAfterMs: 0 },
  orders: { keepsLineIds: true },
  jobs: { 'feed.article.refresh': { payload: Type.Object({}), capabilities: ['ProductMaster'], run } },
  schedules: [{ name: 'feed-articles', every: '6h', job: 'feed.article.refresh', payload: {} }],
  routes: [{
    method: 'GET' as const,
    path: '/state',
    auth: 'admin' as const,
    summary: 'State',
    servesUnusable: true,
    readsHubOnly: true,
    schema: { query: Type.Object({}), response: { 200: Type.Null() } },
    handler: async () => ({})
  }],
  authorisation: { path: '/state' },
  migrations: [{ from: 'feed.api.v1', to: '1.2.0', up: () => ({}), down: () => ({}) }]
}

type Change = Readonly<Record<string, unknown>>

/** Describes a definition that bypasses the types, as from JavaScript. */
const describeIt = (change: Change): unknown => describeAdapter(defineAdapter(Object.assign({}, whole, change)))

const job = (change: Change): Change => ({
  jobs: { 'feed.article.refresh': { ...whole.jobs['feed.article.refresh'], ...change } }
})
const schedule = (change: Change): Change => ({ schedules: [{ ...whole.schedules[0], ...change }] })
const route = (change: Change): Change => ({ routes: [{ ...whole.routes[0], ...change }] })
const webhooks = (change: Change): Change => ({ webhooks: { ...whole.webhooks, ...change } })
const migration = (change: Change): Change => ({ migrations: [{ ...whole.migrations[0], ...change }] })

t.test('a definition with every possible member has no fault', async t => {
  t.doesNotThrow(() => describeIt({}))
})

const faults: [Change, RegExp][] = [
  [
    { scheduels: [] },
    /^its definition has an unknown member 'scheduels': allowed are config, credentials, .*schedules/
  ],
  [{ webhook: { scheme: 'hmac' } }, /unknown member 'webhook': allowed are .*webhooks/],
  [{ config: undefined }, /^its config is missing: an object is allowed$/],
  [{ credentials: 'none' }, /^its credentials is 'none': an object is allowed$/],
  [{ connect: {} }, /^its connect is of the type object: a function is allowed$/],
  [{ init: true }, /its init is true/],
  [{ test: 'me' }, /its test is 'me'/],
  [{ account: { id: '7' } }, /^its account is of the type object: a function is allowed$/],
  [{ normalizeCredentials: null }, /its normalizeCredentials is null/],
  [{ capabilities: [] }, /its capabilities is an array: an object is allowed/],
  [
    { capabilities: { ProductMastr: () => ({}) } },
    /its capabilities has an unknown member 'ProductMastr': allowed are ProductMaster, .*acme\/Name/
  ],
  [webhooks({ scheme: 'sha1' }), /^its webhooks\.scheme is 'sha1': 'hmac' or 'bearer' is allowed$/],
  [webhooks({ scheme: undefined }), /its webhooks\.scheme is missing: .*or webhooks\.verify in its place/],
  [webhooks({ verify: { kind: 'basic' } }), /its webhooks has both scheme and verify: keep one of them/],
  [webhooks({ event: {} }), /its webhooks has an unknown member 'event': allowed are scheme, /],
  [
    webhooks({ events: { 'article.changed': 7 } }),
    /its webhooks\.events\['article\.changed'\] is 7: a text is allowed/
  ],
  [webhooks({ install: 'later' }), /its webhooks\.install/],
  [
    webhooks({ body: { ...whole.webhooks.body, occurredAt: '/at' } }),
    /its webhooks\.body\.occurredAt is '\/at': an array is allowed/
  ],
  [{ offers: { visibleAfter: 1 } }, /its offers has an unknown member 'visibleAfter': allowed are visibleAfterMs/],
  [{ orders: { keepsLineIds: 'yes' } }, /its orders\.keepsLineIds is 'yes': true or false is allowed/],
  [job({ run: undefined }), /its jobs\['feed\.article\.refresh'\]\.run is missing: a function is allowed/],
  [job({ payload: undefined }), /\.payload is missing/],
  [job({ capabilities: 'ProductMaster' }), /\.capabilities is 'ProductMaster': an array is allowed/],
  [schedule({ jobs: 'x' }), /its schedules\[0\] has an unknown member 'jobs': allowed are name, every, job, payload/],
  [schedule({ every: 60 }), /its schedules\[0\]\.every is 60: a text is allowed/],
  [{ schedules: { sweep: whole.schedules[0] } }, /its schedules is of the type object: an array is allowed/],
  [route({ handler: undefined }), /^its routes\[0\]\.handler is missing: a function is allowed$/],
  [
    route({ method: 'get' }),
    /its routes\[0\]\.method is 'get': 'GET' or 'POST' or 'PUT' or 'PATCH' or 'DELETE' is allowed/
  ],
  [route({ auth: 'open' }), /its routes\[0\]\.auth is 'open': 'read' or 'operate' or 'admin' or 'public' is allowed/],
  [route({ path: undefined }), /its routes\[0\]\.path is missing/],
  [route({ readsHubOnly: 1 }), /its routes\[0\]\.readsHubOnly/],
  [route({ servesUnusable: 'yes' }), /its routes\[0\]\.servesUnusable/],
  [route({ method: 'POST', rawBody: 'yes' }), /its routes\[0\]\.rawBody is 'yes'/],
  [route({ rawBody: true }), /^its routes\[0\]\.rawBody is true, and a GET has no body$/],
  [
    route({ schema: { querystring: {} } }),
    /its routes\[0\]\.schema has an unknown member 'querystring': allowed are params, query, body, response/
  ],
  [route({ schema: { response: { 200: true } } }), /its routes\[0\]\.schema\.response\['200'\] is true/],
  [{ authorisation: '/state' }, /its authorisation is '\/state': an object is allowed/],
  [{ authorisation: {} }, /its authorisation\.path is missing: a text is allowed/],
  [
    { authorisation: { path: '/state', method: 'POST' } },
    /its authorisation has an unknown member 'method': allowed are path/
  ],
  [migration({ up: undefined }), /its migrations\[0\]\.up is missing/],
  [migration({ from: 1 }), /its migrations\[0\]\.from is 1/]
]

t.test('a misspelt, missing or malformed member is named, with the allowed values', async t => {
  for (const [change, message] of faults) {
    t.throws(() => describeIt(change), { code: 'LNK_ADAPTER_SHAPE_INVALID', message }, String(message))
  }
})

t.test('all faults are reported together', async t => {
  t.throws(() => describeIt({ scheduels: [], ...route({ auth: 'open' }) }), {
    message: /scheduels.*; its routes\[0\]\.auth/
  })
})

t.test('a key begins with its platform', async t => {
  const description = describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {}
  }))
  const check = (adapterKey: string) =>
    checkAdapter({ adapterKey, platformType: 'feed', displayName: 'Feed', capabilities: [] }, description)

  t.strictSame(check('feed.api.v1'), [])
  t.match(check('feeds.api.v1'), [{
    code: 'LNK_ADAPTER_SHAPE_INVALID',
    message: /'feeds\.api\.v1' .* use feed\.<api>\.v<n>/
  }])
})
