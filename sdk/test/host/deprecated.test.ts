import { findDeprecated } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const old = { deprecated: true, description: 'use language' }

const schema = Type.Intersect([
  Type.Object({
    locale: Type.Optional(Type.String(old)),
    shops: Type.Optional(Type.Array(Type.Object({ 'a/b': Type.Optional(Type.Integer({ deprecated: true })) })))
  }),
  Type.Object({ carrier: Type.Optional(Type.Object({ id: Type.Optional(Type.String(old)) }, { deprecated: true })) })
])

t.test('each member given that its schema marks as deprecated has a pointer and the words of the schema', t => {
  t.strictSame(findDeprecated(schema, { locale: 'pl', shops: [{}, { 'a/b': 1 }], carrier: { id: '7' } }, '/config'), [
    { pointer: '/config/locale', code: 'deprecated', message: 'is deprecated: use language' },
    { pointer: '/config/shops/1/a~1b', code: 'deprecated', message: 'is deprecated' },
    { pointer: '/config/carrier', code: 'deprecated', message: 'is deprecated' }
  ])
  t.end()
})

t.test('a member that is absent, or a value of another form, has none', t => {
  for (const value of [{}, { shops: [] }, null, 'text', [1]]) t.strictSame(findDeprecated(schema, value), [])
  t.end()
})

t.test('of many deprecated members a hundred are told', t => {
  const items = Type.Array(Type.Integer({ deprecated: true }))

  t.equal(findDeprecated(items, Array.from({ length: 1_000 }, () => 1)).length, 100)
  t.end()
})
