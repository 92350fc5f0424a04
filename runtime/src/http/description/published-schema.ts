import { isNode, mapSchema, type Node } from './schema-walk.ts'

// The keywords of JSON Schema 2020-12 and of the schemas of OpenAPI 3.1.
const keywords = `
  $anchor $comment $defs $id $ref additionalProperties allOf anyOf const contains contentEncoding
  contentMediaType default dependentRequired dependentSchemas deprecated description discriminator else enum
  examples exclusiveMaximum exclusiveMinimum externalDocs format if items maxContains maxItems maxLength
  maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not oneOf pattern
  patternProperties prefixItems properties propertyNames readOnly required then title type unevaluatedItems
  unevaluatedProperties uniqueItems writeOnly xml
`
const known: ReadonlySet<string> = new Set(keywords.split(/\s+/))
const primitives = new Set(['boolean', 'integer', 'number', 'string'])
/** The pattern that TypeBox writes for any name. */
const anyName = '^(.*)$'

/**
 * Returns a schema that means the same and that generators of clients understand: a choice of
 * literals becomes `enum`, a value that may be null gets two types, and any member becomes
 * `additionalProperties`. Keywords of our own get the prefix `x-linker-`.
 */
export function publishSchema (schema: unknown): unknown {
  return mapSchema(schema, node => withNull(withEnum(withAnyMember(withKnownKeywords(node)))))
}

function withKnownKeywords (schema: Node): Node {
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [
    known.has(keyword) || keyword.startsWith('x-') ? keyword : `x-linker-${keyword}`,
    value
  ]))
}

function withAnyMember (schema: Node): Node {
  const { patternProperties, ...rest } = schema
  if (!isNode(patternProperties) || 'additionalProperties' in schema) return schema
  const [[name, member] = [], ...others] = Object.entries(patternProperties)
  return name === anyName && others.length === 0 ? { ...rest, additionalProperties: member } : schema
}

/** `anyOf` of literals of one type → `enum`. */
function withEnum (schema: Node): Node {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length < 2) return schema
  const choices = anyOf.map(literalsOf)
  const types = new Set(anyOf.map(choice => isNode(choice) ? choice.type : undefined))
  const [type] = types
  if (types.size > 1 || type === undefined || choices.includes(undefined)) return schema
  return { ...rest, type, enum: choices.flat() }
}

/** The values of a schema that has nothing but them. */
function literalsOf (choice: unknown): readonly unknown[] | undefined {
  if (!isNode(choice) || Object.keys(choice).length !== 2) return undefined
  if ('const' in choice) return [choice.const]
  return Array.isArray(choice.enum) ? choice.enum : undefined
}

/** `anyOf` of a simple value and null → two types. */
function withNull (schema: Node): Node {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const value: unknown = anyOf.find(choice => !isNull(choice))
  if (!anyOf.some(isNull) || !isNode(value) || typeof value.type !== 'string' || !primitives.has(value.type)) {
    return schema
  }
  const { const: only, ...simple } = value
  const choices = only === undefined ? value.enum : [only]
  return {
    ...simple,
    ...rest,
    type: [value.type, 'null'],
    ...(Array.isArray(choices) ? { enum: [...choices, null] } : {})
  }
}

function isNull (choice: unknown): boolean {
  return isNode(choice) && choice.type === 'null'
}
