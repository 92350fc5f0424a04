import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import type { OpenAPIV3_1 } from 'openapi-types'
import { serveDocs } from './api-docs.ts'
import { isTokenScope } from './authentication.ts'
import { withOptionalDefaults } from './optional-defaults.ts'

const text: OpenAPIV3_1.SchemaObject = { type: 'string' }

const problem: OpenAPIV3_1.SchemaObject = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'instance', 'requestId'],
  properties: {
    type: { type: 'string', description: '`urn:linker:problem:` followed by the code' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    code: { type: 'string', description: 'Stable; listed in the README of the runtime with cause and remedy' },
    instance: { type: 'string', description: '`urn:linker:request:` followed by the request id' },
    requestId: text,
    errors: {
      type: 'array',
      description: 'Faults of the input, each with a JSON pointer to its place',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: { pointer: text, code: text, message: text, hint: text }
      }
    }
  }
}

export const anyProblem = {
  description: 'A problem (RFC 9457)',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
}

/**
 * Serves OpenAPI 3.1 at `/openapi.json`, made from the schemas that validate, and Swagger UI at
 * `/api/docs` unless the operator switches it off. `morePaths` is called each time that somebody
 * reads the document.
 */
export default fp<{ version: string, docs: boolean, morePaths?: () => OpenAPIV3_1.PathsObject }>(
  async (app, { version, docs, morePaths = () => ({}) }) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Linker',
          version,
          description:
            'Keeps a webshop and its marketplaces in step. Errors are application/problem+json. Every path also ' +
            'works under /v1.'
        },
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Problem: problem } }
      },
      refResolver: {
        buildLocalReference: (json, _base, _fragment, index) =>
          typeof json.$id === 'string' ? json.$id : `schema-${index}`
      },
      transform: ({ schema, url, route }) => ({
        url,
        schema: {
          ...schema,
          response: { ...(schema?.response as object | undefined), default: anyProblem },
          ...(url.startsWith('/api/docs') ? { hide: true } : {}),
          security: securityOf(route.config?.scope)
        }
      })
    })
    const describe = (): object => withMorePaths(app.swagger())
    app.get('/openapi.json', { config: { scope: 'public' }, schema: { hide: true } }, async () => describe())
    if (docs) serveDocs(app, describe)

    function withMorePaths<Document extends { paths?: object }> (document: Document): Document {
      return { ...document, paths: withOptionalDefaults({ ...document.paths, ...morePaths() }) }
    }
  },
  { name: 'openapi' }
)

/** Names the scope that a token needs. OpenAPI 3.1 allows roles for every kind of security. */
export function securityOf (scope: unknown): OpenAPIV3_1.SecurityRequirementObject[] | undefined {
  return isTokenScope(scope) ? [{ token: [scope] }] : undefined
}
