import type { OpenAPIV3_1 } from 'openapi-types'
import { isNode, mapMembers, type Node } from './schema-walk.ts'

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
  return mapMembers(paths, path => isNode(path) ? mapMembers(path, describeOperation) : path) as typeof paths
}

function describeOperation (operation: unknown): unknown {
  if (!isNode(operation)) return operation
  const { parameters, requestBody } = operation
  return {
    ...operation,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(describeParameter) } : {}),
    ...(isNode(requestBody) ? { requestBody: describeBody(requestBody) } : {})
  }
}

function describeParameter (parameter: Node): Node {
  return parameter.in !== 'path' && hasDefault(parameter.schema) ? { ...parameter, required: false } : parameter
}

function describeBody (body: Node): Node {
  const describeContent = (media: unknown) => isNode(media) ? { ...media, schema: optional(media.schema) } : media
  return isNode(body.content) ? { ...body, content: mapMembers(body.content, describeContent) } : body
}

/** Copies the schema: the same objects validate the requests. */
function optional (schema: unknown): unknown {
  if (!isNode(schema)) return schema
  const { required, ...rest } = mapMembers(schema, (value, keyword) => {
    if (ofOneSchema.has(keyword)) return optional(value)
    if (ofSchemas.has(keyword) && Array.isArray(value)) return value.map(optional)
    return ofNamedSchemas.has(keyword) && isNode(value) ? mapMembers(value, optional) : value
  })
  const properties = isNode(schema.properties) ? schema.properties : {}
  const demanded = Array.isArray(required) ? required.filter((name: string) => !hasDefault(properties[name])) : []
  return demanded.length === 0 ? rest : { ...rest, required: demanded }
}

function hasDefault (schema: unknown): boolean {
  return isNode(schema) && Object.hasOwn(schema, 'default')
}
