/** A JSON Schema, or a part of an OpenAPI document, as far as this folder reads it. */
export type Node = Readonly<Record<string, unknown>>

const ofOneSchema = new Set(['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'])
const ofSchemas = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const ofNamedSchemas = new Set(['$defs', 'patternProperties', 'properties'])

export function isNode (value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function mapMembers (value: Node, map: (member: unknown, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member, name)]))
}

/** Replaces the schemas below a schema, the deepest first, and then the schema itself. */
export function mapSchema (schema: unknown, map: (schema: Node) => Node): unknown {
  if (!isNode(schema)) return schema
  return map(mapMembers(schema, (value, keyword) => {
    if (ofOneSchema.has(keyword)) return mapSchema(value, map)
    if (ofSchemas.has(keyword) && Array.isArray(value)) return value.map(member => mapSchema(member, map))
    return ofNamedSchemas.has(keyword) && isNode(value) ? mapMembers(value, member => mapSchema(member, map)) : value
  }))
}

/** Replaces the schemas of an operation: of its parameters, its body and its answers. */
export function mapOperationSchemas (operation: Node, map: (schema: unknown) => unknown): Node {
  const ofMedia = (media: unknown): unknown =>
    isNode(media) && 'schema' in media ? { ...media, schema: map(media.schema) } : media
  const ofContent = (part: unknown): unknown => {
    if (!isNode(part)) return part
    const { content, headers, schema } = part
    return {
      ...part,
      ...(isNode(content) ? { content: mapMembers(content, ofMedia) } : {}),
      ...(isNode(headers) ? { headers: mapMembers(headers, ofMedia) } : {}),
      ...(schema === undefined ? {} : { schema: map(schema) })
    }
  }
  const { parameters, requestBody, responses } = operation
  return {
    ...operation,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(ofContent) } : {}),
    ...(isNode(requestBody) ? { requestBody: ofContent(requestBody) } : {}),
    ...(isNode(responses) ? { responses: mapMembers(responses, ofContent) } : {})
  }
}
