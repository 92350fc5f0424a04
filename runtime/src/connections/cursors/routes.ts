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
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'listCursors',
      summary: 'List how far the hub has read the platform of a connection',
      description: 'A cursor is the position in a journal of the platform after which the hub reads on.',
      params: Type.Object({ id: Id }),
      response: { 200: Type.Array(Type.Ref(CursorView)) }
    }
  }, async request => cursors.list(request.params.id))

  app.put('/connections/:id/cursors/:key', {
    config: {
      scope: 'admin',
      problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CURSOR_NOT_FOUND', 'LNK_CONNECTION_MOVING', 'LNK_CONNECTION_BUSY']
    },
    schema: {
      tags,
      operationId: 'setCursor',
      summary: 'Set a cursor while no job of the connection runs; the next reading goes on from there',
      description: 'The hub cannot check the value; the platform may refuse a wrong one at the next reading.',
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
    config: {
      scope: 'admin',
      problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CURSOR_NOT_FOUND', 'LNK_CONNECTION_MOVING', 'LNK_CONNECTION_BUSY']
    },
    schema: {
      tags,
      operationId: 'deleteCursor',
      summary: 'Remove a cursor while no job of the connection runs; the next reading begins as for a new connection',
      description: 'Use it when the platform no longer knows the position of the cursor.',
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
