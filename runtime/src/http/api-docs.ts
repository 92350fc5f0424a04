import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import { text } from 'node:stream/consumers'
import { docsPolicy } from './response-headers.ts'

const root = '/api/docs'
/** Headers that belong to the connection of the client, not to the page. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

/** Returns the text of the document, as `/openapi.json` does. */
type Describe = () => Promise<string>

/**
 * Serves Swagger UI at `/api/docs`. The first request loads it into a second Fastify that listens
 * on no port, because few hubs are asked for it.
 */
export function serveDocs (app: FastifyInstance, describe: Describe): void {
  let pages: Promise<FastifyInstance> | undefined

  async function openPages (): Promise<FastifyInstance> {
    pages ??= loadPages()
    try {
      return await pages
    } catch (error) {
      pages = undefined
      throw error
    }
  }

  const options = { config: { scope: 'public' }, schema: { hide: true } } as const
  // Anybody may ask for the document. Swagger UI would parse and write all of it for each request.
  app.get(`${root}/json`, options, async (_request, reply) => {
    return reply.type('application/json; charset=utf-8').serializer(String).send(await describe())
  })
  app.get(`${root}/yaml`, options, async (_request, reply) => reply.callNotFound())
  for (const url of [root, `${root}/*`]) {
    app.get(url, options, async ({ raw, headers }, reply) => {
      const pagesApp = await openPages()
      const answer = await pagesApp.inject({ url: raw.url ?? root, headers, payloadAsStream: true })
      // The caller gets a problem of the hub, and the log names the fault.
      if (answer.statusCode >= 500) throw new Error(`Swagger UI failed: ${await text(answer.stream())}`)
      if (answer.statusCode === 403 || answer.statusCode === 404) return reply.callNotFound()
      reply.code(answer.statusCode)
      for (const [name, value] of Object.entries(answer.headers)) {
        if (!ofConnection.has(name) && value !== undefined) reply.header(name, value)
      }
      return reply.send(answer.stream())
    })
  }
  app.addHook('onClose', async () => {
    await (await pages?.catch(() => undefined))?.close()
  })
}

async function loadPages (): Promise<FastifyInstance> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const { signingScript } = await import('./docs-script.ts')
  const app = Fastify()
  // Swagger UI does not start without this plugin. The hub serves the document itself.
  await app.register(swagger)
  await app.register(swaggerUi, {
    routePrefix: root,
    staticCSP: docsPolicy,
    transformSpecification: () => ({}),
    transformSpecificationClone: false,
    theme: { title: 'Linker API', js: [{ filename: 'sign-webhooks.js', content: signingScript }] },
    uiConfig: {
      deepLinking: true,
      filter: true,
      persistAuthorization: true,
      displayRequestDuration: true,
      docExpansion: 'none'
    }
  })
  await app.ready()
  return app
}
