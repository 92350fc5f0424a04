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

  t.strictSame(check({ status: 'off' }).problems, [{ pointer: '/status', code: 'anyOf', message: 'must be one of active, disabled' }])
})

t.test('a missing member is pointed to, an unknown one is reported apart', async t => {
  const check = compileSchema(Type.Object({ 'a/b': Type.String(), c: Type.Object({ 'd~e': Type.Integer() }) }))

  const { problems, unknown } = check({ c: { 'd~e': 'x' }, f: 1 }, '/config')
  t.strictSame(problems.map(problem => problem.pointer).toSorted(), ['/config/a~1b', '/config/c/d~0e'])
  t.strictSame(unknown.map(problem => problem.pointer), ['/config/f'])
})
