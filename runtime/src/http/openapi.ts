import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import type { OpenAPIV3_1 } from 'openapi-types'
import { packageJson } from '../package-folder.ts'
import { serveDocs } from './api-docs.ts'
import { codesMember } from './description/codes.ts'
import type { Additions } from './description/document.ts'
import type { Examples } from './description/examples.ts'
import { optionalBodyMember } from './description/optional-body.ts'
import { securityOf, securitySchemes } from './description/security.ts'
import { tags } from './description/tags.ts'

const text: OpenAPIV3_1.SchemaObject = { type: 'string' }

const problem: OpenAPIV3_1.SchemaObject = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'instance', 'requestId'],
  properties: {
    type: { type: 'string', description: '`urn:linker:problem:` followed by the code' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    code: { type: 'string', description: 'Stable; docs/errors.md of @linker/runtime lists each with cause and remedy' },
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
  },
  examples: [{
    type: 'urn:linker:problem:LNK_JOB_NOT_FOUND',
    title: 'Job not found',
    status: 404,
    detail: "Job '0198c3a1-7f2e-7c41-9d0a-5b7e3c1f2a64' not found",
    code: 'LNK_JOB_NOT_FOUND',
    instance: 'urn:linker:request:0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10',
    requestId: '0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10'
  }]
}

export interface OpenapiOptions {
  version: string
  /** Whether to serve Swagger UI. */
  docs: boolean
  /** Called each time that somebody reads the document. The same object means: nothing changed. */
  more?: () => Additions
  /** Called when somebody first reads the document. */
  examples?: () => Promise<Examples>
}

const nothing: Additions = { paths: {}, tags: [] }
const noExamples: Examples = { bodies: {}, answers: {} }

/**
 * Serves OpenAPI 3.1 at `/openapi.json`, made from the schemas that validate, and Swagger UI at
 * `/api/docs` unless the operator switches it off.
 */
export default fp<OpenapiOptions>(
  async (app, { version, docs, more = () => nothing, examples = async () => noExamples }) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Linker',
          version,
          description: 'Keeps a webshop and its marketplaces in step. Errors are `application/problem+json` with a ' +
            'stable `code`. Every path also works under `/v1`.',
          license: { name: packageJson.license, identifier: packageJson.license }
        },
        servers: [{ url: '/', description: 'This hub' }],
        tags: [...tags],
        components: { securitySchemes, schemas: { Problem: problem } }
      },
      refResolver: {
        buildLocalReference: (json, _base, _fragment, index) =>
          typeof json.$id === 'string' ? json.$id : `schema-${index}`
      },
      transform: ({ schema, url, route }) => ({
        url,
        schema: {
          ...schema,
          ...(url.startsWith('/api/docs') ? { hide: true } : {}),
          security: securityOf(route.config?.scope),
          [codesMember]: route.config?.problems ?? [],
          [optionalBodyMember]: route.config?.allowsNoBody === true
        }
      })
    })
    let last: { more: Additions, text: string } | undefined

    /** Makes the text again only when the adapters' part is another one: anybody may ask for it. */
    async function describe (): Promise<string> {
      const additions = more()
      if (last?.more !== additions) {
        // Loaded now and not at the start: few hubs are asked for the document.
        const { publish } = await import('./description/document.ts')
        last = { more: additions, text: JSON.stringify(publish({ ...app.swagger() }, additions, await examples())) }
      }
      return last.text
    }

    app.get('/openapi.json', { config: { scope: 'public' }, schema: { hide: true } }, async (_request, reply) => {
      return reply.type('application/json; charset=utf-8').serializer(String).send(await describe())
    })
    if (docs) serveDocs(app, describe)
  },
  { name: 'openapi' }
)
