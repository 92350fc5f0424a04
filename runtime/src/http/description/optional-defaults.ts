import type { OpenAPIV3_1 } from 'openapi-types'

type Schema = Readonly<Record<string, unknown>>

// Ajv fills in no default under the keywords that are missing here, such as `anyOf` and `not`.
const ofOneSchema = new Set(['additionalProperties', 'else', 'items', 'then'])
const ofSchemas = new Set(['allOf', 'prefixItems'])
const ofNamedSchemas = new Set(['$defs', 'patternProperties', 'properties'])

/**
 * Returns the paths with every parameter and every member of a request body optional that has a
 * default. The schemas say that it is required, because it is always there when a handler reads
 * the request. A client may leave it out, and a generated one must not demand it.
 */
export function withOptionalDefaults (paths: OpenAPIV3_1.PathsObject): OpenAPIV3_1.PathsObject {
  return mapValues(paths, path => isSchema(path) ? mapValues(path, describeOperation) : path) as typeof paths
}

function describeOperation (operation: unknown): unknown {
  if (!isSchema(operation)) return operation
  const { parameters, requestBody } = operation
  return {
    ...operation,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(describeParameter) } : {}),
    ...(isSchema(requestBody) ? { requestBody: describeBody(requestBody) } : {})
  }
}

function describeParameter (parameter: Schema): Schema {
  return parameter.in !== 'path' && hasDefault(parameter.schema) ? { ...parameter, required: false } : parameter
}

function describeBody (body: Schema): Schema {
  const describeContent = (media: unknown) => isSchema(media) ? { ...media, schema: optional(media.schema) } : media
  return isSchema(body.content) ? { ...body, content: mapValues(body.content, describeContent) } : body
}

/** Copies the schema: the same objects validate the requests. */
function optional (schema: unknown): unknown {
  if (!isSchema(schema)) return schema
  const { required, ...rest } = mapValues(schema, (value, keyword) => {
    if (ofOneSchema.has(keyword)) return optional(value)
    if (ofSchemas.has(keyword) && Array.isArray(value)) return value.map(optional)
    return ofNamedSchemas.has(keyword) && isSchema(value) ? mapValues(value, optional) : value
  })
  const properties = isSchema(schema.properties) ? schema.properties : {}
  const demanded = Array.isArray(required) ? required.filter((name: string) => !hasDefault(properties[name])) : []
  return demanded.length === 0 ? rest : { ...rest, required: demanded }
}

function hasDefault (schema: unknown): boolean {
  return isSchema(schema) && Object.hasOwn(schema, 'default')
}

function isSchema (value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapValues (value: object, map: (member: unknown, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member, name)]))
}
