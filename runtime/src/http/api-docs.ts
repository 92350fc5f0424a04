import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import { text } from 'node:stream/consumers'
import { docsPolicy } from './response-headers.ts'

const root = '/api/docs'
/** Headers that belong to the connection of the client, not to the page. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])
const ofDocument = /^\/api\/docs\/(?:json|yaml)\b/

/** Returns the text of the document, as `/openapi.json` does. */
type Describe = () => Promise<string>

interface Pages {
  app: FastifyInstance
  /** Takes the document that the next request for it gets. */
  show(document: object): void
}

/**
 * Serves Swagger UI at `/api/docs`. The first request loads it into a second Fastify that listens
 * on no port, because few hubs are asked for it.
 */
export function serveDocs (app: FastifyInstance, describe: Describe): void {
  let pages: Promise<Pages> | undefined

  async function openPages (): Promise<Pages> {
    pages ??= loadPages()
    try {
      return await pages
    } catch (error) {
      pages = undefined
      throw error
    }
  }

  for (const url of [root, `${root}/*`]) {
    app.get(url, { config: { scope: 'public' }, schema: { hide: true } }, async ({ raw, headers }, reply) => {
      const opened = await openPages()
      if (ofDocument.test(raw.url ?? '')) opened.show(JSON.parse(await describe()) as object)
      const answer = await opened.app.inject({ url: raw.url ?? root, headers, payloadAsStream: true })
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
    await (await pages?.catch(() => undefined))?.app.close()
  })
}

async function loadPages (): Promise<Pages> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const { signingScript } = await import('./docs-script.ts')
  const app = Fastify()
  let shown: object = {}
  // Swagger UI does not start without this plugin. `transformSpecification` replaces the document
  // of the plugin by that of the hub.
  await app.register(swagger)
  await app.register(swaggerUi, {
    routePrefix: root,
    staticCSP: docsPolicy,
    transformSpecification: () => shown,
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
  return { app, show: document => void (shown = document) }
}
