import { defineAdapter, type RouteDefinition } from '@linker/sdk'
import { describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createRouteTable, type RouteTable } from '../../src/adapter-routes/route-table.ts'
import type { AdapterRecord } from '../../src/adapters/load.ts'
import { createRegistry } from '../../src/adapters/registry.ts'

const connection = '11111111-1111-4111-8111-111111111111'
const validate = () => ({ problems: [], unknown: [] })
const carrier = {
  call: async () => ({ value: undefined, effects: { cursors: {}, jobs: [] } }),
  forget: () => undefined,
  isolation: () => 'inline' as const,
  health: () => ({ state: 'ready' as const }),
  moveToWorker: () => undefined,
  redact: (value: unknown) => value,
  close: async () => undefined
}

function record (adapterKey: string, version: string, paths: readonly string[]): AdapterRecord {
  const routes = paths.map((path): RouteDefinition => {
    const [method = '', at = ''] = path.split(' ')
    return { method: method as 'GET', path: at, auth: 'admin', handler: async () => ({}) }
  })
  const description = describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => null,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    routes
  }))
  const packageName = `${adapterKey}-${version}`
  const manifest = {
    adapterKey,
    platformType: adapterKey.split('.')[0] ?? '',
    displayName: adapterKey,
    capabilities: []
  }
  const found = {
    packageName,
    selfName: packageName,
    isLocal: false,
    isolation: 'inline' as const,
    directory: '',
    version,
    manifest
  }
  return {
    packageName,
    isRequired: false,
    found,
    adapter: {
      ...found,
      description,
      validateConfig: validate,
      validateCredentials: validate,
      supportedCapabilities: [],
      carrier
    }
  }
}

const tableOf = (records: AdapterRecord[], defaults: [string, string][] = []): RouteTable =>
  createRouteTable(createRegistry(records, new Map(defaults)))
/** Returns the routes that may serve a request, as version and path, in the order of the table. */
function reach (table: RouteTable, url: string, method = 'GET'): string[] {
  const { connectionId, candidates } = table.find({ platformType: url.split('/')[2] ?? '', method, url })
  return [
    ...(connectionId === undefined ? [] : [`of ${connectionId}`]),
    ...candidates.map(({ route }) => `${route.adapter.version} ${route.description.path}`)
  ]
}

t.test('the default version serves a route of the platform, whatever routes other versions have', async t => {
  const table = tableOf([
    record('feed.api.v1', '1.0.0', ['GET /status', 'GET /old']),
    record('feed.api.v1', '1.1.0', ['GET /status']),
    record('feed.api.v1', '2.0.0-rc.1', ['GET /new'])
  ])

  t.strictSame(reach(table, '/integrations/feed/status?a=1'), ['1.1.0 /status'])
  t.strictSame(reach(table, '/integrations/feed/status', 'HEAD'), ['1.1.0 /status'])
  for (const path of ['/old', '/new', '/status/', '/Status', '']) {
    t.strictSame(reach(table, `/integrations/feed${path}`), [], path)
  }
  t.strictSame(reach(table, '/integrations/feed/status', 'POST'), [])
  t.strictSame(reach(table, '/integrations/other/status'), [])
})

t.test(
  'two adapters of one platform with the same route are no conflict: the one that the operator names serves it, ' +
    'without one nobody',
  async t => {
    const records = [record('feed.api.v1', '1.0.0', ['GET /status']), record('feed.graph.v1', '3.0.0', ['GET /status'])]

    t.strictSame(reach(tableOf(records), '/integrations/feed/status'), [])
    t.strictSame(reach(tableOf(records, [['feed', 'feed.graph.v1']]), '/integrations/feed/status'), ['3.0.0 /status'])
  }
)

t.test('every version that has a route of a connection serves it, not only the default version', async t => {
  const table = tableOf([
    record('feed.api.v1', '1.0.0', ['GET /connections/:id/x', 'GET /connections/:id/old']),
    record('feed.api.v1', '1.1.0', ['GET /connections/:connectionId/:what'])
  ])

  t.strictSame(reach(table, `/integrations/feed/connections/${connection}/x`), [
    `of ${connection}`,
    '1.1.0 /connections/:connectionId/:what',
    '1.0.0 /connections/:id/x'
  ])
  t.strictSame(reach(table, '/integrations/feed/connections/not-an-id/old'), [
    'of not-an-id',
    '1.1.0 /connections/:connectionId/:what',
    '1.0.0 /connections/:id/old'
  ])
  t.strictSame(reach(table, `/integrations/feed/connections/${connection}`), [])
})

t.test('a route of the platform never replaces a route of a connection, nor the other way round', async t => {
  const table = tableOf([
    record('feed.api.v1', '1.0.0', ['GET /connections/:id/summary']),
    record('feed.api.v1', '1.1.0', ['GET /:a/:b/:c', 'GET /connections/all/summary'])
  ])

  t.strictSame(reach(table, `/integrations/feed/connections/${connection}/summary`), [
    `of ${connection}`,
    '1.0.0 /connections/:id/summary'
  ])
  t.strictSame(reach(table, '/integrations/feed/connections/all/summary'), ['1.1.0 /connections/all/summary'])
  t.strictSame(reach(table, `/integrations/feed/connections/${connection}/other`), ['1.1.0 /:a/:b/:c'])
})

t.test('a path is taken apart first, and its parts are decoded once', async t => {
  const { candidates } = tableOf([record('feed.api.v1', '1.0.0', ['GET /offers/:id/state'])]).find({
    platformType: 'feed',
    method: 'GET',
    url: '/integrations/feed/offers/a%2Fb%2541%20c/state?x=/'
  })

  t.strictSame(candidates[0]?.params, { id: 'a/b%41 c' })
})

t.test(
  "documented is each route once: the platform's as its default has them, a connection's as the first that has " +
    'it',
  async t => {
    const table = tableOf([
      record('feed.api.v1', '1.0.0', [
        'GET /status',
        'GET /old',
        'GET /connections/:id/x',
        'DELETE /connections/:id/x'
      ]),
      record('feed.api.v1', '1.1.0', ['GET /status', 'GET /connections/:connectionId/x'])
    ])

    t.strictSame(
      table.routes.map(({ adapter, path, description }) => `${adapter.version} ${description.method} ${path}`)
        .toSorted(),
      [
        '1.0.0 DELETE /integrations/feed/connections/:id/x',
        '1.1.0 GET /integrations/feed/connections/:connectionId/x',
        '1.1.0 GET /integrations/feed/status'
      ]
    )
  }
)

t.test('the table leaves out a route that the router refuses and names it; the other routes serve', async t => {
  const table = tableOf([record('feed.api.v1', '1.0.0', ['GET /status', 'GET /status', 'GET /other'])])

  t.match(table.refused, [{ path: 'GET /integrations/feed/status', adapter: 'feed.api.v1@1.0.0' }])
  t.equal(table.refused.length, 1)
  t.strictSame(reach(table, '/integrations/feed/other'), ['1.0.0 /other'])
})
