import { Type } from '@sinclair/typebox'
import t from 'tap'
import { publishSchema } from '../../../src/http/description/published-schema.ts'
import { Nullable } from '../../../src/http/schemas.ts'

/** The schema as the document shows it. */
const published = (schema: object): unknown => JSON.parse(JSON.stringify(publishSchema(schema)))

t.test('a choice of literals is an enum, also below other schemas', async t => {
  const status = Type.Union([Type.Literal('open'), Type.Literal('closed')], { description: 'Of the shop' })
  const expected = { type: 'string', enum: ['open', 'closed'], description: 'Of the shop' }

  t.strictSame(published(status), expected)
  t.strictSame(published(Type.Array(status)), { type: 'array', items: expected })
  t.match(published(Type.Object({ status })), { properties: { status: expected } })
  t.strictSame(published({ anyOf: [{ type: 'string', enum: ['a'] }, { type: 'string', enum: ['b'] }] }), {
    type: 'string',
    enum: ['a', 'b']
  })
  t.match(published(Type.Union([Type.Literal('a'), Type.Literal(1)])), { anyOf: [{ const: 'a' }, { const: 1 }] })
})

t.test('a simple value that may be null has two types; an object keeps its choice', async t => {
  t.strictSame(published(Nullable(Type.String({ format: 'uuid' }))), { type: ['string', 'null'], format: 'uuid' })
  t.strictSame(published(Nullable(Type.Union([Type.Literal('a'), Type.Literal('b')]))), {
    type: ['string', 'null'],
    enum: ['a', 'b', null]
  })
  t.strictSame(published(Nullable(Type.Literal('a'))), { type: ['string', 'null'], enum: ['a', null] })
  t.match(published(Nullable(Type.Object({}))), { anyOf: [{ type: 'object' }, { type: 'null' }] })
})

t.test('members of any name are additional properties', async t => {
  t.strictSame(published(Type.Record(Type.String(), Type.Integer())), {
    type: 'object',
    additionalProperties: { type: 'integer' }
  })
  const ofPattern = { type: 'object', patternProperties: { '^x-': { type: 'string' } } }
  t.strictSame(published(ofPattern), ofPattern)
})

t.test('a keyword of our own gets our prefix, and a member may be called as one', async t => {
  const schema = Type.Object({ secret: Type.String({ secret: true, 'x-order': 1 }) }, { group: 'keys' })

  t.strictSame(published(schema), {
    type: 'object',
    required: ['secret'],
    properties: { secret: { type: 'string', 'x-linker-secret': true, 'x-order': 1 } },
    'x-linker-group': 'keys'
  })
})

t.test('the schema that validates requests stays as it is', async t => {
  const schema = Nullable(Type.String())
  publishSchema(schema)

  t.match(schema, { anyOf: [{ type: 'string' }, { type: 'null' }] })
})
