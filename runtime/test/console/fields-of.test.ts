import { Type } from '@sinclair/typebox'
import t from 'tap'
import { fieldsOf, initialOf, labelOf, sectionsOf, type Field, type Schema } from '../../console/form/fields-of.ts'

const only = (member: object, isRequired = true): Field | undefined =>
  fieldsOf({ type: 'object', properties: { it: member as Schema }, required: isRequired ? ['it'] : [] })?.[0]

t.test('each type of member gets its input', async t => {
  const literals = (count: number) =>
    Type.Union(Array.from({ length: count }, (_item, index) => Type.Literal(`choice ${index}`)))

  t.match(only(Type.String()), { kind: 'text', look: 'text' })
  t.match(only(Type.String({ maxLength: 501 })), { look: 'lines' })
  t.match(only(Type.String({ format: 'uri' })), { look: 'url' })
  t.match(only(Type.String({ pattern: '^https?://.+$' })), { look: 'url' })
  t.match(only(Type.String({ secret: true, maxLength: 1_000 })), { look: 'password', isSecret: true })
  t.match(only(Type.String({ secret: true, maxLength: 8_000 })), { look: 'lines', isSecret: true })
  t.match(only(Type.Number({ minimum: 1, maximum: 9 })), { kind: 'number', isWhole: false, least: 1, most: 9 })
  t.match(only(Type.Integer()), { kind: 'number', isWhole: true })
  t.match(only(Type.Boolean()), { kind: 'boolean' })
  t.match(only(literals(4)), { kind: 'choice', look: 'radio' })
  t.match(only(literals(5)), { kind: 'choice', look: 'select' })
  t.match(only({ enum: [1, 2] }), { kind: 'choice', choices: [{ value: 1, label: '1' }, { value: 2, label: '2' }] })
  t.match(only({ oneOf: [{ const: 'a', title: 'First' }] }), { choices: [{ value: 'a', label: 'First' }] })
  t.match(only(Type.Array(Type.String())), { kind: 'texts' })
  t.match(only(Type.Array(Type.Object({ method: Type.String() }))), { kind: 'rows', fields: [{ name: 'method' }] })
  t.match(only(Type.Object({ country: Type.String() })), { kind: 'object', fields: [{ name: 'country' }] })
})

t.test('a new connection begins with the initial values, an older one shows the default', async t => {
  const schema = Type.Object({ tells: Type.Boolean({ default: false, initial: true }), key: Type.String() })

  t.strictSame(initialOf(schema), { tells: true })
  t.strictSame(initialOf({}), {})
  t.match(fieldsOf(schema), [{ name: 'tells', default: false }, { name: 'key' }])
})

t.test('everything else is JSON', async t => {
  const deep = Type.Object({ outer: Type.Object({ inner: Type.Object({ text: Type.String() }) }) })
  const outer = fieldsOf(deep as Schema)?.[0]

  t.match(outer, { kind: 'object', fields: [{ name: 'inner', kind: 'json' }] })
  t.equal(only(Type.Record(Type.String(), Type.String()))?.kind, 'json')
  t.equal(only(Type.Union([Type.String(), Type.Null()]))?.kind, 'json')
  t.equal(only(Type.Array(Type.Array(Type.String())))?.kind, 'json')
  t.equal(only(Type.Array(Type.Object({ list: Type.Array(Type.Object({ a: Type.String() })) })))?.kind, 'json')
  t.equal(only({})?.kind, 'json')
  t.equal(fieldsOf({ anyOf: [{ type: 'object' }, { type: 'string' }] }), undefined)
  t.strictSame(fieldsOf({ type: 'null' }), [])
})

t.test('the annotations of a member come with it', async t => {
  const member = Type.String({
    title: 'Handling time',
    description: 'Until the parcel leaves',
    examples: ['PT24H'],
    unit: 'hours',
    group: 'Delivery',
    deprecated: true
  })

  t.match(only(member), {
    label: 'Handling time',
    description: 'Until the parcel leaves',
    example: 'PT24H',
    unit: 'hours',
    group: 'Delivery',
    isDeprecated: true,
    isRequired: true
  })
  t.equal(only(member, false)?.isRequired, false)
  t.equal(only(Type.String({ default: 'x' }))?.isRequired, false, 'the hub fills in the default')
})

t.test('a label comes from the name when there is no title', async t => {
  t.strictSame(['apiKey', 'callbackBaseUrl', 'shopId', 'order_path', 'x'].map(labelOf), [
    'API key',
    'Callback base URL',
    'Shop ID',
    'Order path',
    'X'
  ])
})

t.test('fields stand under their headings', async t => {
  const fields = fieldsOf({
    type: 'object',
    properties: { a: {}, b: { group: 'Prices' }, c: {}, d: { group: 'Prices' } }
  }) ?? []

  t.strictSame(sectionsOf(fields).map(({ heading, fields: members }) => [heading, members.map(({ name }) => name)]), [
    [undefined, ['a', 'c']],
    ['Prices', ['b', 'd']]
  ])
})
