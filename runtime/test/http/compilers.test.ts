import { Type } from '@sinclair/typebox'
import t from 'tap'
import { buildValidator } from '../../src/http/compilers.ts'
import { buildHttpApp } from './support.ts'

const Page = Type.Object({ limit: Type.Integer({ minimum: 1 }) })

t.test('a query string is turned into the types of its schema, and a body is taken as it is', async t => {
  const validatorOf = buildValidator({})
  const query = { limit: '5' }
  const body = { limit: '5' }

  t.ok(validatorOf({ schema: Page, httpPart: 'querystring' })(query))
  t.strictSame(query, { limit: 5 })
  t.notOk(validatorOf({ schema: Page, httpPart: 'body' })(body))
  t.strictSame(body, { limit: '5' })
})

t.test('a validator reports only the faults of the last value', async t => {
  const validate = buildValidator({})({ schema: Page, httpPart: 'body' })

  t.notOk(validate({ limit: 0 }))
  t.match(validate.errors, [{ instancePath: '/limit', keyword: 'minimum' }])
  t.ok(validate({ limit: 1 }))
  t.notOk(validate.errors)
})

t.test('a schema that does not compile fails the request that needs it, not the start', async t => {
  const { app } = await buildHttpApp(t, {
    routes (app) {
      app.post('/broken', { config: { scope: 'public' }, schema: { body: { $ref: 'nowhere#' } } }, async () => 'in')
      app.get('/good', { config: { scope: 'public' }, schema: { querystring: Page } }, async () => 'in')
    }
  })

  t.equal((await app.inject('/good?limit=1')).statusCode, 200)
  t.equal((await app.inject('/good?limit=0')).statusCode, 400)
  t.equal((await app.inject({ method: 'POST', url: '/broken', payload: {} })).statusCode, 500)
})
