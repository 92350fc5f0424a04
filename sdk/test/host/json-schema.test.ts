import { Type } from '@sinclair/typebox'
import t from 'tap'
import { compileSchema } from '../../src/host/json-schema.ts'

t.test('a value that fits has no problems, and is neither filled in nor changed', async t => {
  const check = compileSchema(Type.Object({ a: Type.Optional(Type.Integer({ default: 1 })) }))
  const value = {}

  t.strictSame(check(value), { problems: [], unknown: [] })
  t.strictSame(value, {})
  t.strictSame(check({ a: '1' }).problems.map(problem => problem.pointer), ['/a'])
})

t.test('a single literal is reported', async t => {
  const check = compileSchema(Type.Object({ version: Type.Literal(1) }))

  t.strictSame(check({ version: 2 }).problems, [{ pointer: '/version', code: 'const', message: 'must be 1' }])
})

t.test('a union of literals is one problem that names them all', async t => {
  const check = compileSchema(Type.Object({ status: Type.Union([Type.Literal('active'), Type.Literal('disabled')]) }))

  t.strictSame(check({ status: 'off' }).problems, [{
    pointer: '/status',
    code: 'anyOf',
    message: 'must be one of active, disabled'
  }])
})

t.test('a time in another form is reported with an example', async t => {
  const check = compileSchema(Type.Object({ since: Type.String({ format: 'date-time' }) }))

  t.strictSame(check({ since: '2026-11-25' }).problems, [{
    pointer: '/since',
    code: 'format',
    message: 'must be an RFC 3339 date-time such as 2026-11-25T09:00:00Z'
  }])
})

t.test('a missing member has a pointer, and an unknown one is reported separately', async t => {
  const check = compileSchema(Type.Object({ 'a/b': Type.String(), c: Type.Object({ 'd~e': Type.Integer() }) }))

  const { problems, unknown } = check({ c: { 'd~e': 'x' }, f: 1 }, '/config')
  t.strictSame(problems.map(problem => problem.pointer).toSorted(), ['/config/a~1b', '/config/c/d~0e'])
  t.strictSame(unknown.map(problem => problem.pointer), ['/config/f'])
})

t.test('items that are objects are compared in linear time', async t => {
  const check = compileSchema({ type: 'array', items: { type: 'object' }, uniqueItems: true })
  const items = Array.from({ length: 20_000 }, (_, index) => ({ index, name: 'x' }))

  t.strictSame(check(items).problems, [])
  t.match(
    check([{ a: 1, b: [2] }, { b: [2], a: 1 }]).problems,
    [{ pointer: '', code: 'uniqueItems' }],
    'the order of members makes no difference'
  )
  t.strictSame(check([{ a: 1 }, { a: '1' }, { a: [1] }]).problems, [])
})

t.test('a text with a format is no longer than an address', async t => {
  const check = compileSchema(Type.Object({
    url: Type.Optional(Type.String({ format: 'url' })),
    day: Type.Optional(Type.String({ format: 'date' })),
    file: Type.Optional(Type.String({ format: 'byte' }))
  }))

  t.strictSame(
    check({ url: `https://shop.example/${'a'.repeat(2_000)}`, day: '2026-02-28', file: 'AAAA'.repeat(10_000) })
      .problems,
    []
  )
  t.match(check({ url: `https://shop.example/${'a'.repeat(3_000)}`, day: '2026-02-31' }).problems, [{
    pointer: '/url',
    code: 'format'
  }, { pointer: '/day', code: 'format' }])
})

t.test('one problem of a large value is reported, even if a member is unknown', async t => {
  const codes = Type.Union(Array.from({ length: 500 }, (_, index) => Type.Literal(`code-${index}`)))
  const check = compileSchema(Type.Object({ codes: Type.Array(codes) }))

  const { problems } = check({ codes: Array.from({ length: 100_000 }, () => 0) })
  t.ok(problems.length >= 1 && problems.length <= 100)
  t.match(check({ misspelt: 1, codes: Array.from({ length: 100_000 }, () => 0) }).problems.length, 1)
  t.match(check({ misspelt: 1, codes: ['code-1'] }), { problems: { length: 0 }, unknown: [{ pointer: '/misspelt' }] })
})

t.test('a schema that cannot be checked in linear time is refused with a pointer', async t => {
  t.throws(
    () => compileSchema(Type.Object({ code: Type.String({ pattern: '^(a+)+$' }) })),
    /^\/properties\/code\/pattern is a pattern that is refused: /
  )
})

t.test('two schemas may use one $id for different parts', async t => {
  const withPart = (type: string) => ({
    type: 'object',
    properties: { first: { $id: 'Part', type }, second: { $ref: 'Part' } },
    additionalProperties: false
  })
  const ofText = compileSchema(withPart('string'))
  const ofNumber = compileSchema(withPart('number'))

  t.same(ofText({ first: 'a', second: 'b' }).problems, [])
  t.same(ofNumber({ first: 1, second: 2 }).problems, [])
  t.match(ofNumber({ first: 1, second: 'b' }).problems, [{ pointer: '/second', code: 'type' }])
})
