import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { InvalidRequestError } from '../errors.ts'

/** No page may show an answer in a frame, not even a page of the hub itself. */
const frameAncestors = "'none'"

/**
 * Headers of every answer. A browser must not guess the type of the answer, keep it, show it in a
 * frame, or load or run anything that it names.
 */
export const responseHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; frame-ancestors ${frameAncestors}`
}

/**
 * The content security policy of the pages under `/api/docs`. They need the hub's own files, images
 * in `data:` addresses, and the styles that Swagger UI writes into them.
 */
export const docsPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': frameAncestors
}

/**
 * Sets `responseHeaders` on every answer; a route may override them. Refuses a request with more
 * than one Host header.
 */
export default fp(async app => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(responseHeaders)
    if (countHosts(request) > 1) done(new InvalidRequestError('The request has more than one Host header'))
    else done()
  })
}, { name: 'response-headers' })

/**
 * Lets an adapter's route answer with an HTML page that has scripts and styles of its own. The rule
 * against frames stays.
 */
export function allowPage (reply: FastifyReply): FastifyReply {
  return reply.header('content-security-policy', `frame-ancestors ${frameAncestors}`)
}

/**
 * Counts the Host headers of a request. Node keeps the first one and drops the others, but a proxy
 * may have chosen this hub by one of the others (RFC 9112, section 3.2).
 */
function countHosts ({ raw: { rawHeaders } }: FastifyRequest): number {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}
