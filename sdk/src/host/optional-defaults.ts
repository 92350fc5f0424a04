import { ofNamedSchemas, ofOneSchema, ofSchemas, ofUnfilled } from './schema-keywords.ts'

/**
 * Returns a copy of a schema in which every member with a default is optional. The schema of an
 * adapter requires it, because it is always there when the adapter reads the value; whoever writes
 * the value may leave it out, and a form made of the schema must not demand it.
 */
export function optionalDefaults (schema: object): object {
  const mapped = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, below(keyword, value)]))
  const { required, ...rest } = mapped
  const properties: unknown = 'properties' in schema ? schema.properties : undefined
  const members = new Map<string, unknown>(isNode(properties) ? Object.entries(properties) : [])
  const demanded: unknown[] = Array.isArray(required)
    ? required.filter((name: string) => !hasDefault(members.get(name)))
    : []
  return demanded.length === 0 ? rest : { ...rest, required: demanded }
}

export function hasDefault (schema: unknown): boolean {
  return isNode(schema) && Object.hasOwn(schema, 'default')
}

function below (keyword: string, value: unknown): unknown {
  if (ofUnfilled.has(keyword)) return value
  if (ofSchemas.has(keyword) && Array.isArray(value)) return value.map(optional)
  if (ofOneSchema.has(keyword)) return optional(value)
  if (!ofNamedSchemas.has(keyword) || !isNode(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, optional(schema)]))
}

function optional (schema: unknown): unknown {
  return isNode(schema) ? optionalDefaults(schema) : schema
}

function isNode (value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
