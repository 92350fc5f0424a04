import type { OpenAPIV3_1 } from 'openapi-types'
import { withExamples, withSchemaExamples, type Examples } from './examples.ts'
import { withOptionalBody } from './optional-body.ts'
import { withOptionalDefaults } from './optional-defaults.ts'
import { describeCodes, problemResponses, withProblems } from './problems.ts'
import { publishSchema } from './published-schema.ts'
import { isNode, mapMembers, mapOperationSchemas, type Node } from './schema-walk.ts'

/** The paths and tags that adapters add to the description. */
export interface Additions {
  paths: OpenAPIV3_1.PathsObject
  tags: readonly OpenAPIV3_1.TagObject[]
}

/**
 * Makes the description that clients read out of the one that the schemas of the routes make: with
 * the problems of each operation, with examples, and with schemas that generators understand.
 */
export function publish (document: Node, more: Additions, examples: Examples): Node {
  const { components, tags, paths } = document
  const { schemas, ...others } = isNode(components) ? components : {}
  const codes = describeCodes()
  const described = withOptionalDefaults({ ...paths as OpenAPIV3_1.PathsObject, ...more.paths }) as Node
  const published = mapMembers(
    described,
    path => isNode(path) ? mapMembers(path, (operation, method) => publishOperation(operation, method)) : path
  )

  function publishOperation (operation: unknown, method: string): unknown {
    if (!isNode(operation)) return operation
    const withSchemas = mapOperationSchemas(operation, publishSchema)
    return withExamples(withProblems(withPageLink(withOptionalBody(withSchemas)), method, codes), examples)
  }

  const operations = Object.values(published).filter(isNode).flatMap(path => Object.values(path)).filter(isNode)
  return {
    ...document,
    tags: [...Array.isArray(tags) ? tags as unknown[] : [], ...more.tags],
    components: {
      ...others,
      schemas: withSchemaExamples(mapMembers(isNode(schemas) ? schemas : {}, publishSchema), examples),
      responses: problemResponses(operations, codes)
    },
    paths: published
  }
}

/** Lists with a `cursor` name their next page in a header. */
function withPageLink (operation: Node): Node {
  const { parameters, responses } = operation
  const isPaged = Array.isArray(parameters) && parameters.some(({ name }: { name?: unknown }) => name === 'cursor')
  const page = isNode(responses) ? responses['200'] : undefined
  if (!isPaged || !isNode(responses) || !isNode(page)) return operation
  const Link = { description: '`<…>; rel="next"`: the next page, when there may be one', schema: { type: 'string' } }
  return { ...operation, responses: { ...responses, 200: { ...page, headers: { Link } } } }
}
