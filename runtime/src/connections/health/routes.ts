import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { decodeCursor, linkNextPage } from '../../http/paging.ts'
import { ConnectionQuery } from '../schemas.ts'
import { ConnectionHealth } from './schemas.ts'
import { listHealth } from './store.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(ConnectionHealth)

  app.get('/connections/health', {
    config: { scope: 'read' },
    schema: {
      tags: ['connections'],
      operationId: 'listConnectionHealth',
      description: 'One question for a whole list; `diagnoseConnection` explains a single connection.',
      summary: 'List connections with their last success and failure, waiting and dead jobs, and the last 24 hours',
      querystring: ConnectionQuery,
      response: { 200: Type.Array(Type.Ref(ConnectionHealth)) }
    }
  }, async (request, reply) => {
    const { cursor, ...filter } = request.query
    const after = cursor === undefined ? undefined : decodeCursor(cursor)
    const found = await listHealth(app.database.query, { ...filter, after })
    linkNextPage(request, reply, found, filter.limit)
    return found
  })
}

export default routes
