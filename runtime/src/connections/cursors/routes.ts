import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'
import { createCursors } from './cursors.ts'
import { CursorBody, CursorChangeQuery, CursorParams, CursorView } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(CursorView)
  const cursors = createCursors({ database: app.database, connections: app.connections })
  const tags = ['connections']

  app.get('/connections/:id/cursors', {
    config: { scope: 'read' },
    schema: {
      tags,
      summary: 'List how far the hub has read the platform of a connection',
      params: Type.Object({ id: Id }),
      response: { 200: Type.Array(Type.Ref(CursorView)) }
    }
  }, async request => cursors.list(request.params.id))

  app.put('/connections/:id/cursors/:key', {
    config: { scope: 'admin' },
    schema: {
      tags,
      summary: 'Set a cursor while no job of the connection runs; the next reading goes on from there',
      params: CursorParams,
      querystring: CursorChangeQuery,
      body: CursorBody,
      response: { 204: Type.Null() }
    }
  }, async (request, reply) => {
    const { params: { id: connectionId, key }, query, body: { value, create } } = request
    await cursors.change({ connectionId, key, value, mayBeNew: create, waitMs: query.waitSeconds * 1_000 })
    return reply.code(204).send(null)
  })

  app.delete('/connections/:id/cursors/:key', {
    config: { scope: 'admin' },
    schema: {
      tags,
      summary: 'Remove a cursor while no job of the connection runs; the next reading begins as for a new connection',
      params: CursorParams,
      querystring: CursorChangeQuery,
      response: { 204: Type.Null() }
    }
  }, async (request, reply) => {
    const { params: { id: connectionId, key }, query } = request
    await cursors.change({ connectionId, key, waitMs: query.waitSeconds * 1_000 })
    return reply.code(204).send(null)
  })
}

export default routes
