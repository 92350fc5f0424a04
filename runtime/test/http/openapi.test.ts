import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import openapi, { type OpenapiOptions } from '../../src/http/openapi.ts'
import { buildHttpApp } from './support.ts'

async function buildDocumented (
  t: Test,
  docs = true,
  more?: Pick<OpenapiOptions, 'more' | 'examples'>
): Promise<FastifyInstance> {
  const { app } = await buildHttpApp(t)
  await app.register(openapi, { version: '1.2.3', docs, ...more })
  await app.register(async scope => {
    const Thing = Type.Object({ id: Type.String() }, { $id: 'Thing' })
    scope.addSchema(Thing)
    scope.get('/things/:id', {
      config: { scope: 'admin' },
      schema: {
        summary: 'Read a thing',
        params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
        response: { 200: Type.Ref(Thing) }
      }
    }, async () => ({ id: 'a' }))
    scope.get('/open', { config: { scope: 'public' } }, async () => 'in')
    const body = Type.Object({ reason: Type.Optional(Type.String()) })
    scope.put('/open', { config: { scope: 'public' }, schema: { body } }, async () => 'in')
    scope.post('/open', { config: { scope: 'public', allowsNoBody: true }, schema: { body } }, async () => 'in')
  })
  return app
}

t.test('the document names its schemas and says which routes need the token', async t => {
  const app = await buildDocumented(t)
  const document = (await app.inject('/openapi.json')).json()

  t.match(document, { openapi: '3.1.0', info: { title: 'Linker', version: '1.2.3' } })
  t.strictSame(Object.keys(document.components.schemas).toSorted(), ['Problem', 'Thing'])
  t.strictSame(Object.keys(document.paths).toSorted(), ['/open', '/things/{id}'])
  t.strictSame(document.paths['/things/{id}'].get.security, [{ token: ['admin'] }, { session: ['admin'] }])
  t.equal(
    document.paths['/things/{id}'].get.responses['200'].content['application/json'].schema.$ref,
    '#/components/schemas/Thing'
  )
  t.strictSame(document.paths['/open'].get.security, [])
})

t.test('a request needs a body unless the route takes one without', async t => {
  const app = await buildDocumented(t)
  const text = (await app.inject('/openapi.json')).payload
  const { put, post } = JSON.parse(text).paths['/open']

  t.equal(put.requestBody.required, true)
  t.equal(post.requestBody.required, false)
  t.notOk(text.includes('optional-body'))
})

t.test('every route has the problem among its answers', async t => {
  const app = await buildDocumented(t)
  const { paths } = (await app.inject('/openapi.json')).json()

  for (const [path, { get }] of Object.entries<{ get: { responses: { default: { content: object } } } }>(paths)) {
    t.strictSame(get.responses.default.content, {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } }
    }, path)
  }
})

t.test('the Swagger UI is open and can be switched off', async t => {
  const on = await buildDocumented(t)
  t.match((await on.inject('/api/docs')).payload, '<div id="swagger-ui">')
  t.equal((await on.inject('/api/docs/static/swagger-ui-bundle.js')).statusCode, 200)
  t.equal((await on.inject('/api/docs/json')).json().openapi, '3.1.0')
  t.equal((await on.inject({ method: 'HEAD', url: '/api/docs' })).payload, '')

  const off = await buildDocumented(t, false)
  t.equal((await off.inject('/api/docs')).statusCode, 404)
  t.equal((await off.inject('/openapi.json')).statusCode, 200)
})

t.test('a browser that has a file of the Swagger UI is not sent it again', async t => {
  const app = await buildDocumented(t)
  const url = '/api/docs/static/swagger-ui.css'
  const first = await app.inject(url)
  const again = await app.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } })

  t.equal(again.statusCode, 304)
  t.equal(again.payload, '')
  t.equal((await app.inject('/api/docs/static/none.css')).statusCode, 404)
})

t.test('the document is made again only when the part of the adapters changed', async t => {
  let additions = { paths: {}, tags: [{ name: 'first' }] }
  let made = 0
  const app = await buildDocumented(t, false, {
    more: () => additions,
    async examples () {
      made += 1
      return { bodies: {}, answers: { Thing: { id: 'a' } } }
    }
  })
  const first = await app.inject('/openapi.json')
  const again = await app.inject('/openapi.json')
  additions = { paths: {}, tags: [{ name: 'second' }] }
  const changed = await app.inject('/openapi.json')

  t.equal(first.headers['content-type'], 'application/json; charset=utf-8')
  t.match(first.json(), { components: { schemas: { Thing: { examples: [{ id: 'a' }] } } } })
  t.equal(again.payload, first.payload)
  t.match(changed.json().tags.at(-1), { name: 'second' })
  t.equal(made, 2)
})
