import { defineAdapter, type RouteDefinition } from '@linker/sdk'
import { checkAdapter, describeAdapter } from '@linker/sdk/host'
import { Type, type TSchema } from '@sinclair/typebox'
import t from 'tap'

const text = Type.String()
const options = Type.Array(Type.Object({ const: text, title: text }))
const sites: RouteDefinition = {
  method: 'GET',
  path: '/sites',
  auth: 'read',
  schema: { response: { 200: options } },
  handler: async () => ({ body: [] })
}
const begin: RouteDefinition = {
  method: 'POST',
  path: '/authorise',
  auth: 'admin',
  schema: {
    body: Type.Object({ connectionName: text, site: Type.String({ optionsFrom: '/sites' }) }),
    response: { 200: Type.Object({ authorizationUrl: text, state: text }) }
  },
  handler: async () => ({})
}

function faultsOf (routes: RouteDefinition[], config: TSchema = Type.Object({}), path?: string): string[] {
  const definition = defineAdapter({
    config,
    credentials: Type.Object({ account: Type.Optional(Type.String({ optionsFrom: '/sites' })) }),
    connect: () => null,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    routes,
    authorisation: path === undefined ? undefined : { path }
  })
  return checkAdapter(
    {
      adapterKey: 'feedshop.api.v1',
      platformType: 'feedshop',
      displayName: 'Feedshop',
      capabilities: [],
      permissions: { routes: true, connections: true }
    },
    describeAdapter(definition)
  ).map(({ code, message }) => `${code}: ${message}`)
}

t.test('a route of the adapter answers the choices of members, wherever they stand', async t => {
  const site = Type.String({ optionsFrom: '/sites' })
  const config = Type.Object({ site, more: Type.Object({ sites: Type.Array(site) }) })

  t.strictSame(faultsOf([sites, begin], config, '/authorise'), [])
})

const response = (schema: TSchema): RouteDefinition[] => [{ ...sites, schema: { response: { 200: schema } } }]
const wrong: [string, RouteDefinition[], RegExp][] = [
  ['no route', [], /must be the path of a GET route/],
  ['a route for another method', [{ ...sites, method: 'POST' }], /must be the path of a GET route/],
  ['an open route', [{ ...sites, auth: 'public' }], /auth 'public': 'read' is required/],
  ['a route that shows secrets', [{ ...sites, auth: 'admin' }], /auth 'admin': 'read' is required/],
  ['no response schema', [{ ...sites, schema: {} }], /no list of objects/],
  ['one object', response(Type.Object({ const: text, title: text })), /no list of objects/],
  ['objects without a title', response(Type.Array(Type.Object({ const: text }))), /no list of objects/],
  [
    'a title that may lack',
    response(Type.Array(Type.Object({ const: text, title: Type.Optional(text) }))),
    /no list of objects/
  ]
]

for (const [name, routes, message] of wrong) {
  t.test(`choices from ${name} are refused`, async t => {
    const faults = faultsOf(routes)

    t.equal(faults.length, 1)
    t.match(faults[0], message)
    t.match(faults[0], /^LNK_ADAPTER_SHAPE_INVALID: its credentials schema at \/properties\/account\/optionsFrom /)
  })
}

t.test('a path with a parameter, and a value that is no path, are refused', async t => {
  const path = '/connections/:connectionId/sites'
  const config = Type.Object({ site: Type.String({ optionsFrom: path }), other: Type.String({ optionsFrom: 7 }) })

  t.match(faultsOf([sites, { ...sites, path }], config), [
    /\/site\/.* a route with a parameter/,
    /\/other\/.* GET route/
  ])
})
