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
    config: {
      scope: 'admin',
      dryRuns: true,
      problems: [
        'LNK_CONNECTION_NOT_FOUND',
        'LNK_CONNECTION_INVALID',
        'LNK_MOVE_REFUSED',
        'LNK_MOVE_UNCONFIRMED',
        'LNK_CONNECTION_MOVING',
        'LNK_CONNECTION_BUSY'
      ]
    },
    schema: {
      tags,
      operationId: 'moveConnection',
      summary: 'Move a connection to another adapter version while none of its jobs runs',
      description:
        'Send `dryRun: true` first: the answer tells what changes. A move that loses something needs `confirm: ' +
        'true`.',
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
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'listMoves',
      summary: 'List the last 20 moves of a connection to another adapter version, newest first',
      description: 'Says who moved the connection, and which moves were rolled back.',
      params: Params,
      response: { 200: Type.Array(Type.Ref(PastMove)) }
    }
  }, async request => moves.list(request.params.id))

  app.post('/connections/:id/adapter/rollback', {
    config: {
      scope: 'admin',
      dryRuns: true,
      allowsNoBody: true,
      problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_MOVE_REFUSED', 'LNK_CONNECTION_MOVING', 'LNK_CONNECTION_BUSY']
    },
    schema: {
      tags,
      operationId: 'rollBackMove',
      summary: 'Undo the last move: restore version, config, capabilities and cursors',
      description: 'Changes of the config after the move are lost. Send `dryRun: true` to see them.',
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
