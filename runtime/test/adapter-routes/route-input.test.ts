import type { RouteDescription } from '@linker/sdk/host'
import type { RouteInput } from '@linker/sdk/host/routes'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createCheckInput } from '../../src/adapter-routes/route-input.ts'

interface Given {
  params?: Record<string, string>
  query?: unknown
  body?: unknown
}

function reading (schema: RouteDescription['schema']): (given?: Given) => RouteInput {
  const checkInput = createCheckInput({ schema })
  return ({ params = {}, query = {}, body } = {}) => checkInput({ params, query, body })
}

/** The pointers and codes of a refusal. */
function problemsOf (work: () => unknown): string[] {
  try {
    work()
    return []
  } catch (error) {
    const { code, statusCode, errors } = error as {
      code: string,
      statusCode: number,
      errors: { pointer: string, code: string }[]
    }
    t.strictSame([code, statusCode], ['LNK_REQUEST_INVALID', 400])
    return errors.map(problem => `${problem.pointer} ${problem.code}`)
  }
}

t.test('texts of path and query get the types of their schemas, and defaults; a body keeps its types', async t => {
  const read = reading({
    params: Type.Object({ id: Type.Integer() }),
    query: Type.Object({
      dryRun: Type.Boolean({ default: false }),
      tags: Type.Optional(Type.Array(Type.String())),
      limit: Type.Optional(Type.Integer())
    }),
    body: Type.Object({ price: Type.Number(), note: Type.String({ default: 'none' }) })
  })

  t.match(read({ params: { id: '7' }, query: { tags: 'a', limit: '3' }, body: { price: 2 } }), {
    params: { id: 7 },
    query: { dryRun: false, tags: ['a'], limit: 3 },
    body: { price: 2, note: 'none' }
  })
  t.strictSame(problemsOf(() => read({ params: { id: '7' }, body: { price: '2' } })), ['/price type'])
})

t.test('a misspelt member of query or body is refused, unless the schema says otherwise', async t => {
  const closed = Type.Object({ a: Type.Optional(Type.String()) })
  const open = Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: true })

  t.strictSame(problemsOf(() => reading({ query: closed, body: closed })({ query: { b: '1' }, body: { c: 1 } })), [
    '/querystring/b additionalProperties',
    '/c additionalProperties'
  ])
  t.strictSame(problemsOf(() => reading({ query: open, body: open })({ query: { b: '1' }, body: { c: 1 } })), [])
})

t.test('a route that wants a body gets one, and a route without schemas gets what came', async t => {
  t.strictSame(problemsOf(() => reading({ body: Type.Unknown() })()), [' required'])
  t.strictSame(reading({})({ params: { id: '7' }, query: { a: ['1', '2'] }, body: [1] }), {
    params: { id: '7' },
    query: { a: ['1', '2'] },
    body: [1]
  })
})

t.test('what the database could not keep is refused before the adapter sees it', async t => {
  const read = reading({})

  t.strictSame(problemsOf(() => read({ params: { id: 'a\0' }, query: { b: '\ud800' } })), [
    '/params/id text',
    '/querystring/b text'
  ])
  t.strictSame(problemsOf(() => read({ query: JSON.parse('{"__proto__":"x"}') })), ['/querystring/__proto__ name'])
})

t.test('two routes may use schemas of the same name', async t => {
  const named = (type: 'string' | 'number') => ({ $id: 'Thing', type })

  t.equal(reading({ body: named('string') })({ body: 'a' }).body, 'a')
  t.equal(reading({ body: named('number') })({ body: 1 }).body, 1)
})

t.test('of many problems fifty are told', async t => {
  const read = reading({ body: Type.Array(Type.Number()) })

  t.equal(problemsOf(() => read({ body: Array.from({ length: 1_000 }, () => 'x') })).length, 50)
})
