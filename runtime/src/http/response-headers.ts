import fp from 'fastify-plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { InvalidRequestError } from '../errors.ts'

/**
 * No page of another site may frame an answer. Adapters' pages get this rule alone, because they
 * bring their own scripts and styles.
 */
const framing = "frame-ancestors 'none'"

/**
 * Headers of every answer: browsers must not guess its type, keep it, frame it, or run anything in
 * it.
 */
export const responseHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; ${framing}`
}

/**
 * Allows what the pages of the API's description need: their own files, and the styles that Swagger
 * UI writes into them.
 */
export const docsPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'"
}

/**
 * Sets `responseHeaders`, which a route may override, and refuses a request that names more than
 * one host.
 */
export default fp(async app => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(responseHeaders)
    if (countHosts(request) > 1) done(new InvalidRequestError('The request has more than one Host header'))
    else done()
  })
}, { name: 'response-headers' })

/** Lets an adapter's route answer a page. */
export function allowPage (reply: FastifyReply): FastifyReply {
  return reply.header('content-security-policy', framing)
}

/**
 * Node keeps the first Host header and drops the others, but a proxy may have routed by another one
 * (RFC 9112, section 3.2).
 */
function countHosts ({ raw: { rawHeaders } }: FastifyRequest): number {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}
