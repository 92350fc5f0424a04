import { createConfig, lintFromString } from '@redocly/openapi-core'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { buildTestHub } from './support/hub.ts'
import { cheapestMode } from './support/modes.ts'
import { readPage } from './support/runtime-docs.ts'

interface Media {
  schema?: Schema
  example?: unknown
}
interface Schema {
  $ref?: string
  items?: Schema
  examples?: unknown[]
}
interface Answer {
  $ref?: string
  content?: Record<string, Media>
}
interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: object[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer>
}
interface Document {
  tags: { name: string, description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>,
    responses: Record<string, { 'x-linker-codes': string[] }>
  }
}

const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
const { text, json } = await hub.call('GET', '/openapi.json')
const document = json as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
)

t.test('the description breaks no rule that linters recommend', async t => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })

  t.strictSame(
    problems.map(({ ruleId, severity, message, location }) =>
      `${severity} ${ruleId} at ${location[0]?.pointer ?? ''}: ${message}`
    ),
    []
  )
})

t.test('every operation has a name of its own, and texts for readers', async t => {
  const tags = document.tags.map(({ name }) => name)
  const missing = operations.flatMap(({ name, operation }) => {
    const { operationId = '', summary = '', description = '', tags: [tag = ''] = [], security } = operation
    const isOfAdapter = name.includes('/integrations/')
    const pattern = isOfAdapter ? /^[a-z][A-Za-z0-9]*_[a-z][A-Za-z0-9]*(?:_\d+)?$/ : /^[a-z][A-Za-z0-9]*$/
    return [
      ...pattern.test(operationId) ? [] : ["`operationId: 'listThings'` (a verb and a noun) to the `schema`"],
      ...summary === '' ? ['`summary` (what it does, in half a line) to the `schema`'] : [],
      ...description === '' ? ['`description` (when to use it, and what surprises) to the `schema`'] : [],
      ...tags.includes(tag) ? [] : [`the tag '${tag}' to runtime/src/http/description/tags.ts`],
      ...security === undefined ? ['a `scope` to the `config`'] : []
    ].map(what => `${name}: add ${what} of its route`)
  })
  const ids = operations.map(({ operation }) => operation.operationId)

  t.ok(operations.length > 90, 'the operations are found')
  t.strictSame(missing, [])
  t.strictSame(ids.filter((id, index) => ids.indexOf(id) !== index), [], 'two operations have one name')
})

/** The name of the schema that an answer is a value of, or a list of. */
function schemaNameOf ({ schema }: Media): string | undefined {
  return (schema?.$ref ?? schema?.items?.$ref)?.replace('#/components/schemas/', '')
}

/** Adapters write their examples into their schemas. */
function hasExample ({ example, schema }: Media): boolean {
  return example !== undefined || schema?.examples !== undefined
}

t.test('every body and every answer has an example', async t => {
  const where = '`examples.ts` of the folder of its route (runtime/src/api-examples/all-examples.ts lists these files)'
  const missing = operations.flatMap(({ name, operation: { operationId, requestBody, responses } }) => {
    const bodies = Object.values(requestBody?.content ?? {}).filter(media => !hasExample(media))
    const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      .flatMap(([, { content = {} }]) => Object.entries(content)).filter(([type]) => type !== '*/*')
    const withoutExample = answers.flatMap(([, media]) => {
      const schemaName = schemaNameOf(media)
      if (schemaName === undefined) return hasExample(media) ? [] : [operationId]
      return document.components.schemas[schemaName]?.examples === undefined ? [schemaName] : []
    })
    return [
      ...bodies.map(() => `${name}: add \`bodies.${operationId}\` to ${where}`),
      ...withoutExample.map(key => `${name}: add \`answers.${key}\` to ${where}`)
    ]
  })

  t.strictSame([...new Set(missing)], [])
})

t.test('every example fits its schema', async t => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'description')
  const wrong: string[] = []

  function check (place: string, schema: object, example: unknown): void {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"description#/')) as object
    if (!ajv.validate(absolute, example)) wrong.push(`${place}: ${ajv.errorsText()}`)
  }

  let checked = 0
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    for (const example of schema.examples ?? []) {
      check(`answers.${name}`, schema, example)
      checked += 1
    }
  }
  for (const { operation: { operationId = '', requestBody, responses } } of operations) {
    const parts = [
      ['bodies', requestBody] as const,
      ...Object.values(responses).map(part => ['answers', part] as const)
    ]
    for (const [kind, part] of parts) {
      for (const { schema, example } of Object.values(part?.content ?? {})) {
        for (const given of [...example === undefined ? [] : [example], ...schema?.examples ?? []]) {
          check(`${kind}.${operationId}`, schema ?? {}, given)
          checked += 1
        }
      }
    }
  }

  t.ok(checked > 80, 'the examples are found')
  t.strictSame(wrong, [])
})

t.test('every problem that a route names is in the table of errors', async t => {
  const table = await readPage('errors')
  const codes = Object.values(document.components.responses).flatMap(answer => answer['x-linker-codes'])
  const unknown = codes.filter(code => !table.includes(`| \`${code}\` |`))

  t.ok(codes.length > 50, 'the codes are found')
  t.strictSame(unknown, [])
})

t.test('the description tells generators which members of a request are secrets', async t => {
  t.ok(text.includes('"x-linker-secret":true'))
})
