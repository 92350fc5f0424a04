import { hasDefault, optionalDefaults } from '@linker/sdk/host'
import type { OpenAPIV3_1 } from 'openapi-types'
import { isNode, mapMembers, type Node } from './schema-walk.ts'

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
  return isNode(schema) ? optionalDefaults(schema) : schema
}
