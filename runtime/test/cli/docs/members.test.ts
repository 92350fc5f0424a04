import { Type } from '@sinclair/typebox'
import t from 'tap'
import { describeValue, membersOf } from '../../../src/cli/docs/members.ts'

t.test('members say what they take, what they are without a value, and what they mean', async t => {
  const schema = Type.Object({
    url: Type.String({ format: 'uri', maxLength: 200, description: 'Address of the shop' }),
    key: Type.String({ secret: true }),
    every: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, default: 5 })),
    tells: Type.Boolean({ default: false, initial: true }),
    old: Type.Optional(Type.Boolean({ deprecated: true, description: 'use `every`' })),
    limits: Type.Optional(Type.Object({ most: Type.Number({ minimum: 0 }) }))
  })

  t.strictSame(membersOf(schema).map(({ name, value, absent, meaning }) => [name, value, absent, meaning]), [
    ['url', 'text (uri), up to 200 characters', 'required', 'Address of the shop'],
    ['key', 'text', 'required', 'secret'],
    ['every', 'whole number from 1 to 60', '`5`', ''],
    ['tells', '`true` or `false`', '`true` for new connections, else `false`', ''],
    ['old', '`true` or `false`', 'none', 'deprecated; use `every`'],
    ['limits', 'object', 'none', ''],
    ['limits.most', 'number, at least 0', 'none', '']
  ])
})

t.test('values are told in words, and as JSON where words would not do', async t => {
  const told = [
    Type.Union([Type.Literal('a'), Type.Literal('b')]),
    Type.Literal(7),
    Type.Array(Type.String({ pattern: '^[A-Z]{2}$' })),
    Type.Integer({ maximum: 9 }),
    Type.Union([Type.String(), Type.Integer()]),
    Type.Array(Type.Unknown())
  ].map(schema => describeValue(schema))

  t.strictSame(told, [
    '`"a"` or `"b"`',
    '`7`',
    'list of text, of the form `^[A-Z]{2}$`',
    'whole number, at most 9',
    'JSON',
    'list of JSON'
  ])
})
