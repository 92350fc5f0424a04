import { compileForeignSchema } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import type { OpenAPIV3_1 } from 'openapi-types'
import t from 'tap'
import { withOptionalDefaults } from '../../../src/http/description/optional-defaults.ts'

function operationOf (operation: object): OpenAPIV3_1.OperationObject | undefined {
  const paths = { '/things': { post: operation } } as unknown as OpenAPIV3_1.PathsObject
  return withOptionalDefaults(paths)['/things']?.post
}

const bodyOf = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
/** The schema as the document shows it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const inBody = (schema: object): unknown => plain(operationOf(bodyOf(schema)))

const dryRun = Type.Boolean({ default: false })

t.test('a member of a body that has a default is optional, however deep it lies', async t => {
  const inner = Type.Object({ id: Type.String(), dryRun })
  const schema = Type.Object({ dryRun, list: Type.Array(inner), both: Type.Intersect([inner, inner]) })
  const relaxed = { ...inner, required: ['id'] }

  t.strictSame(
    inBody(schema),
    plain(bodyOf({
      ...schema,
      properties: { dryRun, list: Type.Array(relaxed), both: { ...schema.properties.both, allOf: [relaxed, relaxed] } },
      required: ['list', 'both']
    }))
  )
  t.strictSame(schema.required, ['dryRun', 'list', 'both'], 'the schema that validates stays as it is')
})

t.test('a member is optional exactly where the hub fills in its default', async t => {
  const inner = Type.Object({ dryRun })
  const one = { const: 1 }
  const under = (keyword: string, schema: object, more: object) => ({ ...more, [keyword]: schema })
  const wrapped: [name: string, schema: object, value: () => object][] = [
    ['itself', inner, () => ({})],
    ['properties', Type.Object({ a: inner }), () => ({ a: {} })],
    ['patternProperties', { type: 'object', patternProperties: { '^a$': inner } }, () => ({ a: {} })],
    ['additionalProperties', { type: 'object', additionalProperties: inner }, () => ({ a: {} })],
    ['items', Type.Array(inner), () => [{}]],
    ['allOf', { allOf: [inner] }, () => ({})],
    ['then', under('then', inner, { if: {} }), () => ({})],
    ['else', { if: one, else: inner }, () => ({})],
    ['anyOf', { anyOf: [inner, one] }, () => ({})],
    ['oneOf', { oneOf: [inner, one] }, () => ({})],
    ['contains', { type: 'array', contains: inner }, () => [{}]],
    ['not', { not: { not: inner } }, () => ({})],
    ['if', { if: inner, else: one }, () => ({})],
    ['anyOf above properties', { anyOf: [Type.Object({ a: inner }), one] }, () => ({ a: {} })]
  ]

  for (const [name, schema, value] of wrapped) {
    const asValidated = compileForeignSchema(schema, { useDefaults: true })(value()).errors.length === 0
    const described = operationOf(bodyOf(schema))?.requestBody as ReturnType<typeof bodyOf>['requestBody'] | undefined
    const asDescribed = compileForeignSchema(described?.content['application/json'].schema ?? {})(value())
    t.equal(asDescribed.errors.length === 0, asValidated, name)
  }
})

t.test('a body whose members all have defaults requires none, and a member may be called as a keyword', async t => {
  const { required: _none, ...optional } = Type.Object({ dryRun })
  const named = Type.Object({ default: Type.String(), required: Type.Integer({ default: 1 }) })

  t.strictSame(inBody(Type.Object({ dryRun })), plain(bodyOf(optional)))
  t.strictSame(inBody(named), plain(bodyOf({ ...named, required: ['default'] })))
})

t.test('a query parameter that has a default is optional; a part of the path is not', async t => {
  const parameters = ['query', 'header', 'path'].map(place => ({
    name: 'limit',
    in: place,
    required: true,
    schema: Type.Integer({ default: 50 })
  }))

  t.match(operationOf({ parameters }), { parameters: [{ required: false }, { required: false }, { required: true }] })
  t.match(operationOf({ parameters: [{ in: 'query', required: true, schema: Type.Integer() }] }), {
    parameters: [{ required: true }]
  })
})

t.test('a member of an answer stays required', async t => {
  const { requestBody } = bodyOf(Type.Object({ dryRun }))

  t.strictSame(operationOf({ responses: { 200: requestBody } }), { responses: { 200: requestBody } })
})
