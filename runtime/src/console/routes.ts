import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { createConsoleFiles, type ConsoleFile } from './files.ts'
import { askEachTime, consoleHeaders, forEver } from './headers.ts'

const root = '/console'
const page = 'index.html'

/**
 * Serves the operator console, a page that uses the API like every other client. The files know
 * nothing of the hub, so anybody may load them; the page then asks for a sign-in.
 */
const routes: FastifyPluginAsync = async app => {
  const load = createConsoleFiles()
  const options = { config: { scope: 'public' }, schema: { hide: true } } as const

  app.get('/', options, async (request, reply) => {
    // Programs that ask for `/` get the answer that they always got.
    if (request.headers.accept?.includes('text/html') !== true) return reply.callNotFound()
    return reply.header('vary', 'accept').redirect(`${root}/`)
  })
  app.get(root, options, async (_request, reply) => reply.redirect(`${root}/`))
  app.get<{ Params: { '*': string } }>(`${root}/*`, options, async (request, reply) => {
    const name = request.params['*']
    const files = await load()
    // The addresses of pages are the page's own affair. Only files have an extension.
    const file = files.get(name) ?? (/^[^/]+\.[a-z]+$/.test(name) ? undefined : files.get(page))
    return file === undefined ? reply.callNotFound() : send(request, reply, file)
  })
}

function send ({ headers }: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  reply.headers(consoleHeaders)
    .header('cache-control', file.isHashed ? forEver : askEachTime)
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
    .type(file.type)
  if (headers['if-none-match'] === file.etag) return reply.code(304).send()
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(headers['accept-encoding'] ?? '')
  return takesGzip && file.gzipped !== undefined
    ? reply.header('content-encoding', 'gzip').send(file.gzipped)
    : reply.send(file.bytes)
}

export default routes
