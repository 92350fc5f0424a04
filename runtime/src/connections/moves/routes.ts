import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'
import { parseIfMatch } from '../if-match.ts'
import { IfMatch } from '../schemas.ts'
import { Move, MoveBody, PastMove, RollbackBody } from './schemas.ts'

const Params = Type.Object({ id: Id })

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(Move)
  app.addSchema(PastMove)
  const { moves } = app
  const tags = ['connections']

  app.post('/connections/:id/adapter', {
    config: { scope: 'admin', dryRuns: true },
    schema: {
      tags,
      summary: 'Move a connection to another adapter version while none of its jobs runs',
      params: Params,
      headers: IfMatch,
      body: MoveBody,
      response: { 200: Type.Ref(Move) }
    }
  }, async request => {
    return moves.move(request.params.id, request.body, {
      requestId: request.id,
      log: request.log,
      expectedVersion: parseIfMatch(request.headers['if-match'])
    })
  })

  app.get('/connections/:id/adapter/moves', {
    config: { scope: 'read' },
    schema: {
      tags,
      summary: 'List the last 20 moves of a connection to another adapter version, newest first',
      params: Params,
      response: { 200: Type.Array(Type.Ref(PastMove)) }
    }
  }, async request => moves.list(request.params.id))

  app.post('/connections/:id/adapter/rollback', {
    config: { scope: 'admin', dryRuns: true, allowsNoBody: true },
    schema: {
      tags,
      summary: 'Undo the last move: restore version, config, capabilities and cursors',
      params: Params,
      headers: IfMatch,
      body: RollbackBody,
      response: { 200: Type.Ref(Move) }
    }
  }, async request => {
    return moves.rollback(request.params.id, request.body, {
      expectedVersion: parseIfMatch(request.headers['if-match'])
    })
  })
}

export default routes
