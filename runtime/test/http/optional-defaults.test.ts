import { Type } from '@sinclair/typebox'
import type { OpenAPIV3_1 } from 'openapi-types'
import t from 'tap'
import { withOptionalDefaults } from '../../src/http/optional-defaults.ts'

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
  const schema = Type.Object({ dryRun, list: Type.Array(inner), either: Type.Union([inner, Type.Null()]) })
  const relaxed = { ...inner, required: ['id'] }

  t.strictSame(
    inBody(schema),
    plain(bodyOf({
      ...schema,
      properties: { dryRun, list: Type.Array(relaxed), either: Type.Union([relaxed, Type.Null()]) },
      required: ['list', 'either']
    }))
  )
  t.strictSame(schema.required, ['dryRun', 'list', 'either'], 'the schema that validates stays as it is')
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
