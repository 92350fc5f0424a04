import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { IncomingMessage } from 'node:http'

// Every path works at `/` and under `/v1` (specification, section 9): senders have stored both.

const prefix = '/v1'
const isBelow = (url: string): boolean => /^\/v1(?:[/?]|$)/.test(url)

/** Returns the path under which the routes know the path of a request. */
export function withoutVersionPrefix (request: Pick<IncomingMessage, 'url'>): string {
  const url = request.url ?? '/'
  if (!isBelow(url)) return url
  const rest = url.slice(prefix.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Where an address of the API begins. Pages of the console have addresses of their own. */
const begins = {
  location: /^(?=\/(?!\/|v1\/|console\/))/,
  link: /(?<=<)(?=\/(?!\/|v1\/))/g
}

/**
 * Keeps the addresses in `Location` and `Link` below the prefix when the request came below it: a
 * proxy may pass on only this part of the hub. Register it before the routes and after plugins that
 * store answers, so that an answer can be repeated at either address.
 */
export default fp(async app => {
  app.addHook('onRoute', route => {
    route.onSend = [...[route.onSend ?? []].flat(), (request, reply, payload, done) => {
      if (isBelow(request.originalUrl)) keepBelow(reply)
      done(null, payload)
    }]
  })
}, { name: 'version-prefix' })

function keepBelow (reply: FastifyReply): void {
  for (const [name, begin] of Object.entries(begins)) {
    const value = reply.getHeader(name)
    if (typeof value === 'string') reply.header(name, value.replace(begin, prefix))
  }
}
