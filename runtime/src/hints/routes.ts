import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Readable } from 'node:stream'

const Hints = {
  description: 'Server-sent events: `event: changed`, `data: {"kind":"jobs"}`; other kinds are connections, orders ' +
    'and attention. A comment comes every 15 s',
  content: { 'text/event-stream': { schema: Type.Unsafe<Readable>({ type: 'string' }) } }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/events', {
    // A request with HEAD would open a stream that nobody reads.
    exposeHeadRoute: false,
    config: { scope: 'read', problems: ['LNK_EVENT_STREAMS_FULL', 'LNK_HUB_STOPPING'] },
    schema: {
      tags: ['operation'],
      operationId: 'streamHints',
      description: 'A hint may come late, or for a change that the token does not show. It never replaces the look.',
      summary: 'Stream hints that something changed; look it up then. The stream ends with its token',
      response: { 200: Hints }
    }
  }, async (request, reply) => {
    const stream = app.hints.open(async () => {
      try {
        await app.authenticate(request, reply, 'read')
        return true
      } catch (error) {
        return !isRefusal(error)
      }
    })
    // A proxy must pass each hint on at once.
    return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream)
  })
}

/** Whether the token is no good any more. Another error says nothing about it. */
function isRefusal (error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && (error.statusCode === 401 || error.statusCode === 403)
}

export default routes
