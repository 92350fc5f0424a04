import { defineAdapter, type AdapterDefinition, type Manifest, type RouteDefinition } from '@linker/sdk'
import { authorisationRoute, checkAdapter, describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const manifest: Manifest = {
  adapterKey: 'feedshop.api.v1',
  platformType: 'feedshop',
  displayName: 'Feedshop',
  capabilities: [],
  permissions: { routes: true, connections: true }
}

const text = Type.String()
const form = { connectionName: text, connectionId: Type.Optional(text), secret: Type.String({ secret: true }) }
const answer = Type.Object({ authorizationUrl: text, state: text })

const begin: RouteDefinition = {
  method: 'POST',
  path: '/authorise',
  auth: 'admin',
  schema: { body: Type.Object(form), response: { 200: answer } },
  handler: async () => ({})
}

type Routes = AdapterDefinition<ReturnType<typeof Type.Object>, ReturnType<typeof Type.Null>, null>['routes']

const describe = (routes: Routes, path?: string) =>
  describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => null,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    routes,
    authorisation: path === undefined ? undefined : { path }
  }))

const faultsOf = (routes: Routes, path = '/authorise'): string[] =>
  checkAdapter(manifest, describe(routes, path)).map(({ code, message }) => `${code}: ${message}`)

const withBody = (body: object): Routes => [{ ...begin, schema: { ...begin.schema, ...body } }]

t.test('the declared route is found, with its form', async t => {
  const description = describe([{ ...begin, method: 'GET' }, begin], '/authorise')

  t.strictSame(description.authorisation, { path: '/authorise' })
  t.match(authorisationRoute(description), {
    method: 'POST',
    schema: { body: { properties: { secret: { secret: true } } } }
  })
  t.strictSame(checkAdapter(manifest, description), [])
})

t.test('an adapter without an authorisation has none, whatever its routes', async t => {
  const description = describe([begin])

  t.equal(description.authorisation, undefined)
  t.equal(authorisationRoute(description), undefined)
  t.strictSame(checkAdapter(manifest, description), [])
})

const faults: [string, Routes, RegExp][] = [
  ['a route that is not there', [], /begins at POST \/authorise, and it has no such route$/],
  [
    'a route for another method',
    [{ ...begin, method: 'GET' }],
    /begins at \/authorise, which is a route for GET and not for POST$/
  ],
  ['a public route', [{ ...begin, auth: 'public' }], /POST \/authorise, has auth 'public': 'admin' is required/],
  ['no body schema', withBody({ body: undefined }), /POST \/authorise, has no body schema/],
  ['a body that is no object', withBody({ body: Type.Array(text) }), /has a body schema of another type than object/],
  [
    'no name of the connection',
    withBody({ body: Type.Object({ connectionName: Type.Integer() }) }),
    /has no text connectionName in its body schema/
  ],
  [
    'an id of another type',
    withBody({ body: Type.Object({ ...form, connectionId: Type.Optional(Type.Integer()) }) }),
    /has a connectionId in its body schema that is not a text/
  ],
  [
    'an id that is required',
    withBody({ body: Type.Object({ ...form, connectionId: text }) }),
    /requires connectionId in its body schema/
  ],
  [
    'a member that the hub takes out of the body',
    withBody({ body: Type.Object({ ...form, returnTo: text }) }),
    /has a returnTo in its body schema: the hub keeps this member/
  ],
  [
    'an answer without a schema',
    withBody({ response: undefined }),
    /does not require the text authorizationUrl and state in its response schema 200/
  ],
  [
    'an answer that may lack its address',
    withBody({ response: { 200: Type.Object({ authorizationUrl: Type.Optional(text), state: text }) } }),
    /does not require the text authorizationUrl in its response schema 200/
  ]
]

for (const [name, routes, message] of faults) {
  t.test(`an authorisation with ${name} is refused`, async t => {
    const found = faultsOf(routes)

    t.equal(found.length, 1)
    t.match(found[0], message)
    t.match(found[0], /^LNK_ADAPTER_SHAPE_INVALID: its authorisation/)
  })
}

t.test('an authorisation of one connection is refused: its path has a parameter', async t => {
  const path = '/connections/:connectionId/authorise'

  t.match(faultsOf([{ ...begin, path }], path), [/has a parameter in its path/])
})
