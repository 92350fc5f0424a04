import t from 'tap'
import { request } from 'undici'
import type { ApiCall } from '../support/api.ts'
import { countRows } from '../support/count-rows.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'

interface Bad {
  what: string
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT'
  path?: string
  body?: ApiCall['body']
  headers?: Record<string, string>
  status?: number
  code?: string
  pointers?: string[]
  detail?: RegExp
}

const cursorOf = (text: string): string => Buffer.from(text).toString('base64url')

t.test('the answer to bad input names each fault and its place, and nothing is left behind', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const [shop, market] = [await hub.connect('shopa'), await hub.connect('mktb')]
  const credentials = { apiUrl: hub.shop.apiUrl, apiKey: 'k' }
  const good = { name: 'Shop', platformType: 'shopa', credentials }
  /** A good body whose JSON text has `config` replaced. */
  const withConfig = (config: string): string =>
    JSON.stringify({ ...good, config: {} }).replace('"config":{}', () => `"config":${config}`)
  const job = { jobType: 'master.product.syncByExternalId', connectionId: shop, payload: { externalId: '27' } }
  const link = { connectionId: market, variantId: shop, externalId: 'x' }

  const cases: Bad[] = [
    // The body as a text
    { what: 'JSON that breaks off', body: '{"name":', detail: /not JSON/ },
    { what: 'an empty body', body: '', detail: /empty/ },
    { what: 'an array', body: '[]', pointers: [''] },
    { what: 'null', body: 'null', pointers: [''] },
    {
      what: 'another content type',
      body: JSON.stringify(good),
      headers: { 'content-type': 'text/plain' },
      status: 415,
      code: 'LNK_MEDIA_TYPE_UNSUPPORTED'
    },
    {
      what: 'a merge patch that is none',
      body: JSON.stringify(good),
      headers: { 'content-type': 'application/merge-patch+json' },
      status: 415,
      code: 'LNK_MEDIA_TYPE_UNSUPPORTED'
    },
    {
      what: 'a form',
      body: 'name=Shop',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      status: 415,
      code: 'LNK_MEDIA_TYPE_UNSUPPORTED'
    },
    { what: 'a byte order mark', body: `\uFEFF${JSON.stringify(good)}`, detail: /byte order mark/ },
    {
      what: 'more than a megabyte',
      body: JSON.stringify({ ...good, config: { text: 'x'.repeat(1_048_576) } }),
      status: 413,
      code: 'LNK_PAYLOAD_TOO_LARGE'
    },
    { what: '__proto__', body: withConfig('{"__proto__":{"polluted":1}}'), detail: /forbidden member/ },
    {
      what: '__proto__ in escapes',
      body: withConfig('{"\\u005f_proto__":{"polluted":1}}'),
      detail: /forbidden member/
    },
    {
      what: 'constructor.prototype',
      body: withConfig('{"constructor":{"prototype":{"polluted":1}}}'),
      detail: /forbidden member/
    },
    {
      what: 'deep objects',
      body: withConfig(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
      detail: /deeper than 32/
    },
    {
      what: 'deep arrays',
      body: withConfig(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
      detail: /deeper than 32/
    },
    { what: 'a number above every number', body: withConfig('{"a":1e999}'), pointers: ['/config/a'] },
    { what: 'half of a surrogate pair', body: withConfig('{"a":["\\ud800"]}'), pointers: ['/config/a/0'] },
    {
      what: 'half of a surrogate pair in a name',
      body: withConfig('{"a/b":{"\\udc00":1}}'),
      pointers: ['/config/a~1b']
    },
    { what: 'a NUL character', body: withConfig('{"a":"x\\u0000"}'), pointers: ['/config/a'] },

    // The members of a connection
    { what: 'nothing that is required', body: {}, pointers: ['/name', '/platformType'] },
    {
      what: 'mass assignment',
      body: { ...good, id: shop, createdAt: '2020-01-01T00:00:00Z', updatedAt: 'x', version: 9, statusReason: 'x' },
      pointers: ['/createdAt', '/id', '/statusReason', '/updatedAt', '/version']
    },
    {
      what: 'wrong types',
      body: { ...good, name: 7, status: true, capabilities: 'all', config: [] },
      pointers: ['/capabilities', '/config', '/name', '/status']
    },
    { what: 'an unknown status', body: { ...good, status: 'paused' }, pointers: ['/status'] },
    { what: 'a name without a character', body: { ...good, name: '  ' }, pointers: ['/name'] },
    { what: 'a name that is too long', body: { ...good, name: 'n'.repeat(201) }, pointers: ['/name'] },
    { what: 'a name of two lines', body: { ...good, name: 'one\ntwo' }, pointers: ['/name'] },
    { what: 'a name with a line separator', body: { ...good, name: 'one\u2028two' }, pointers: ['/name'] },
    { what: 'a name that rings', body: { ...good, name: 'bell\u0007' }, pointers: ['/name'] },
    {
      what: 'an unknown platform',
      body: { ...good, platformType: 'nobody' },
      code: 'LNK_PLATFORM_UNKNOWN',
      detail: /mkta, mktb, shopa/
    },
    {
      what: 'a platform out of the prototype',
      body: { ...good, platformType: 'constructor' },
      code: 'LNK_PLATFORM_UNKNOWN'
    },
    { what: 'a platform that is no name', body: { ...good, platformType: '__proto__' }, pointers: ['/platformType'] },
    { what: 'an adapter key that is none', body: { ...good, adapterKey: '__proto__' }, pointers: ['/adapterKey'] },
    {
      what: 'an unknown adapter key',
      body: { ...good, adapterKey: 'shopa.webservice.v2' },
      pointers: ['/adapterKey'],
      detail: /shopa\.webservice\.v1/
    },
    {
      what: 'the adapter key of another platform',
      body: { ...good, adapterKey: 'mktb.shopapi.v1' },
      pointers: ['/adapterKey']
    },
    { what: 'an unknown adapter version', body: { ...good, adapterVersion: '9.9.9' }, pointers: ['/adapterVersion'] },
    {
      what: 'a version that is no version',
      body: { ...good, adapterVersion: 'yesterday' },
      pointers: ['/adapterVersion']
    },
    {
      what: 'config that does not fit the adapter',
      body: { ...good, config: { shopId: 'one', baseUrl: 7, timeZone: '' } },
      pointers: ['/config/baseUrl', '/config/shopId', '/config/timeZone']
    },
    {
      what: 'config that does not fit deep inside',
      body: {
        name: 'M',
        platformType: 'mktb',
        credentials: 'k',
        config: { defaultDispatchTime: { unit: 'week', hours: 1 } }
      },
      pointers: ['/config/defaultDispatchTime/period', '/config/defaultDispatchTime/unit']
    },
    {
      what: 'config that is required and missing',
      body: {
        name: 'A',
        platformType: 'mkta',
        credentials: { accessToken: 'a', refreshToken: 'r', expiresAt: '2030-01-01T00:00:00Z' }
      },
      pointers: ['/config/environment']
    },
    { what: 'missing credentials', body: { ...good, credentials: undefined }, pointers: ['/credentials'] },
    {
      what: 'credentials of another form',
      body: { ...good, credentials: { apiUrl: 'shop', key: 'k' } },
      pointers: ['/credentials/apiKey', '/credentials/apiUrl', '/credentials/key']
    },
    { what: 'a bare key where more is needed', body: { ...good, credentials: 'k' }, pointers: ['/credentials'] },
    {
      what: 'an empty key',
      body: { name: 'M', platformType: 'mktb', credentials: '  ' },
      pointers: ['/credentials/apiKey']
    },
    {
      what: 'a key with a line break',
      body: { name: 'M', platformType: 'mktb', credentials: { apiKey: 'k\r\nX: y' } },
      pointers: ['/credentials/apiKey']
    },
    {
      what: 'a reference that is none',
      body: { ...good, credentials: undefined, credentialsRef: 'env:SHOP' },
      pointers: ['/credentialsRef']
    },

    // Changes
    { what: 'a patch of nothing', method: 'PATCH', path: `/connections/${shop}`, body: {}, pointers: [''] },
    {
      what: 'a patch of what cannot change',
      method: 'PATCH',
      path: `/connections/${shop}`,
      body: { platformType: 'mktb', credentialsRef: 'db:x', credentials: 'k' },
      pointers: ['/credentials', '/credentialsRef', '/platformType']
    },
    {
      what: 'a patch with __proto__',
      method: 'PATCH',
      path: `/connections/${shop}`,
      body: '{"config":{"__proto__":{"polluted":1}}}',
      detail: /forbidden member/
    },
    {
      what: 'a patch that empties config',
      method: 'PATCH',
      path: `/connections/${shop}`,
      body: { config: null },
      pointers: ['/config']
    },
    {
      what: 'credentials beside others',
      method: 'PUT',
      path: `/connections/${shop}/credentials`,
      body: { credentials, other: 1 },
      pointers: ['/other']
    },
    {
      what: 'a test that is neither true nor false',
      method: 'PUT',
      path: `/connections/${shop}/credentials?test=maybe`,
      body: { credentials },
      pointers: ['/querystring/test']
    },

    // Ids, queries and cursors
    { what: 'an id that is no UUID', method: 'GET', path: '/connections/27', pointers: ['/params/id'] },
    { what: 'an id with a prefix', method: 'GET', path: `/connections/urn:uuid:${shop}`, pointers: ['/params/id'] },
    { what: 'a broken escape', method: 'GET', path: '/connections/%zz', detail: /./ },
    { what: 'a job id that is no UUID', method: 'GET', path: '/jobs/27', pointers: ['/params/id'] },
    { what: 'an offer id with a prefix', method: 'GET', path: `/offers/urn:uuid:${shop}`, pointers: ['/params/id'] },
    {
      what: 'a variant id with a prefix',
      method: 'GET',
      path: `/stock?variantId=urn:uuid:${shop}`,
      pointers: ['/querystring/variantId']
    },
    {
      what: 'an unknown filter',
      method: 'GET',
      path: '/connections?platform=shopa',
      pointers: ['/querystring/platform']
    },
    {
      what: 'a filter twice',
      method: 'GET',
      path: '/connections?status=active&status=error',
      pointers: ['/querystring/status']
    },
    {
      what: 'an unknown status in a filter',
      method: 'GET',
      path: '/connections?status=paused',
      pointers: ['/querystring/status']
    },
    { what: 'no rows at all', method: 'GET', path: '/connections?limit=0', pointers: ['/querystring/limit'] },
    { what: 'too many rows', method: 'GET', path: '/connections?limit=201', pointers: ['/querystring/limit'] },
    { what: 'half a row', method: 'GET', path: '/jobs?limit=1.5', pointers: ['/querystring/limit'] },
    { what: 'a cursor out of nothing', method: 'GET', path: '/connections?cursor=abc', detail: /cursor/ },
    {
      what: 'a cursor with an id that is none',
      method: 'GET',
      path: `/connections?cursor=${cursorOf(`2026-01-01T00:00:00.000Z|${'-'.repeat(36)}`)}`,
      detail: /cursor/
    },
    {
      what: 'a cursor with a year that PostgreSQL refuses',
      method: 'GET',
      path: `/connections?cursor=${cursorOf(`+275760-01-01T00:00:00.000Z|${shop}`)}`,
      detail: /cursor/
    },
    {
      what: 'a cursor with a time in words',
      method: 'GET',
      path: `/jobs?cursor=${cursorOf(`Jan 1 2026 (noon)|${shop}`)}`,
      detail: /cursor/
    },
    {
      what: 'a cursor with a month that is none',
      method: 'GET',
      path: `/offers?cursor=${cursorOf(`2026-13-01T00:00:00.000Z|${shop}`)}`,
      detail: /cursor/
    },
    ...['/connections', '/jobs', '/orders', '/offers', '/products', '/schedules', '/stock/sweeps', '/stock'].map(
      (path): Bad => ({
        what: `a cursor with a day that is none, ${path}`,
        method: 'GET',
        detail: /cursor/,
        path: `${path}?cursor=${cursorOf(`2026-02-31T00:00:00.000Z|${shop}`)}`
      })
    ),
    {
      what: 'a cursor that is too long',
      method: 'GET',
      path: `/products?cursor=${'a'.repeat(201)}`,
      pointers: ['/querystring/cursor']
    },
    {
      what: 'an external id with a NUL character',
      method: 'GET',
      path: '/products?externalId=%00',
      pointers: ['/querystring/externalId']
    },
    {
      what: 'a request id that is none',
      method: 'GET',
      path: '/jobs?requestId=a%00b',
      pointers: ['/querystring/requestId']
    },
    {
      what: 'a time that is none',
      method: 'GET',
      path: '/jobs?since=yesterday',
      pointers: ['/querystring/since'],
      detail: /must be an RFC 3339 date-time such as 2026-/
    },
    { what: 'a wait that is too long', method: 'GET', path: `/jobs/${shop}?wait=31`, pointers: ['/querystring/wait'] },

    // Jobs and offers
    { what: 'a job without a type', path: '/jobs', body: { connectionId: shop }, pointers: ['/jobType'] },
    {
      what: 'a job type that is no name',
      path: '/jobs',
      body: { ...job, jobType: '__proto__' },
      pointers: ['/jobType']
    },
    {
      what: 'a job type out of the prototype',
      path: '/jobs',
      body: { ...job, jobType: 'constructor.name' },
      pointers: ['/jobType']
    },
    {
      what: 'a job with more than it has',
      path: '/jobs',
      body: { ...job, id: shop, idempotencyKey: 'x', status: 'succeeded' },
      pointers: ['/id', '/idempotencyKey', '/status']
    },
    { what: 'a payload that is none', path: '/jobs', body: { ...job, payload: '27' }, pointers: ['/payload'] },
    {
      what: 'a payload that cannot be stored',
      path: '/jobs',
      body: { ...job, payload: { externalId: '\u0000' } },
      pointers: ['/payload/externalId']
    },
    {
      what: 'a link without its members',
      path: '/offers/link',
      body: {},
      pointers: ['/connectionId', '/externalId', '/variantId']
    },
    {
      what: 'a change of an offer whose id no marketplace has',
      path: `/listings/connections/${market}/offers/a%00b/fields`,
      body: { title: 'x' },
      pointers: ['/params/offerId']
    },
    {
      what: 'a link with an external id of two lines',
      path: '/offers/link',
      body: { ...link, externalId: 'a\nb' },
      pointers: ['/externalId']
    },
    {
      what: 'a link with an external id that is too long',
      path: '/offers/link',
      body: { ...link, externalId: 'a'.repeat(1024) },
      pointers: ['/externalId']
    },
    {
      what: 'a link with a status',
      path: '/offers/link',
      body: { ...link, status: 'ACTIVE', quantity: 5 },
      pointers: ['/quantity', '/status']
    }
  ]
  const before = await countRows(hub.database())

  for (
    const { what, method = 'POST', path = '/connections', body, headers, status = 400, code, pointers, detail } of cases
  ) {
    const answer = await hub.call(method, path, {
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers })
    })
    const problem = problemOf(answer)
    t.equal(problem.status, status, what)
    if (code !== undefined) t.equal(problem.code, code, what)
    if (pointers !== undefined) t.strictSame([...new Set(pointersOf(answer))].toSorted(), pointers, what)
    if (detail !== undefined) t.match(problem.detail, detail, what)
  }

  const latin = Buffer.from(JSON.stringify({ ...good, name: 'café' }), 'latin1')
  const response = await request(`${hub.url}/connections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${hub.keys.admin}`, 'content-type': 'application/json' },
    body: latin
  })
  t.equal(response.statusCode, 400, 'a body that is not UTF-8')
  t.match(await response.body.json(), { detail: /UTF-8/ })

  t.strictSame(await countRows(hub.database()), before, 'no row is left behind')
  t.equal(Reflect.get({}, 'polluted'), undefined)
  // On a busy machine a hub reports a blocked event loop (`blockedMs`), which is no failure.
  t.strictSame(
    hub.log.filter(line => /"level":"(error|fatal)"/.test(line) && !line.includes('"blockedMs":')),
    [],
    'nothing failed inside'
  )
})

t.test('odd but valid input is accepted', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const shop = await hub.connect('shopa')

  t.equal((await hub.call('GET', `/connections/${shop.toUpperCase()}`)).status, 200, 'an id in capitals')
  t.equal(
    (await hub.call('POST', `/connections/${shop}/test`, { body: '' })).status,
    200,
    'no body where none is needed, announced as JSON'
  )
  t.equal(
    (await hub.call('POST', '/connections', {
      body: {
        name: 'Żółć ☕ 🙂',
        platformType: 'shopa',
        allowSameAccount: true,
        credentials: { apiUrl: `${hub.shop.url}/`, apiKey: hub.keys.shop }
      }
    })).status,
    201,
    'a name in any script'
  )
  for (
    const since of [
      '0000-01-01T00:00:00Z',
      '2026-01-01t00:00:00+23:59',
      '2016-12-31T23:59:60Z',
      '9999-12-31T23:59:59.999-23:59'
    ]
  ) {
    t.equal((await hub.call('GET', `/jobs?since=${encodeURIComponent(since)}`)).status, 200, since)
  }
})

interface Operation {
  parameters?: { name: string, in: string }[]
}

t.test('a NUL character is refused by its place in each parameter of the API', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const id = await hub.connect('mktb')
  const { paths } = (await hub.call('GET', '/openapi.json')).json as {
    paths: Record<string, Record<string, Operation>>
  }
  const parameters = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      (operation.parameters ?? []).map(parameter => ({ path, method: method.toUpperCase(), ...parameter }))
    )
  )
  // Webhooks and the routes of adapters have rules of their own.
  const own = parameters.filter(({ path, in: place }) =>
    ['path', 'query'].includes(place) && !/^\/(?:webhooks|integrations)\//.test(path)
  )

  const others = []
  for (const { path, method, name, in: place } of own) {
    const filled = path.replaceAll(/{(\w+)}/g, (_all, part) => place === 'path' && part === name ? 'a%00b' : id)
    const url = place === 'query' ? `${filled}?${name}=a%00b` : filled
    const answer = await hub.call(method as 'GET', url, method === 'GET' ? {} : { body: {} })
    const pointer = `/${place === 'query' ? 'querystring' : 'params'}/${name}`
    const isRefused = answer.status === 400 && pointersOf(answer).includes(pointer)
    if (!isRefused) others.push(`${method} ${url}: ${answer.status} ${answer.text}`)
  }

  t.ok(own.length > 150)
  t.strictSame(others, [])
})
