import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'
import { TakeOverBody, TakeOverResult } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(TakeOverResult)

  app.post('/connections/:id/take-over', {
    config: {
      scope: 'admin',
      problems: [
        'LNK_CONNECTION_NOT_FOUND',
        'LNK_TAKE_OVER_REFUSED',
        'LNK_CONNECTION_MOVING',
        'LNK_CONNECTION_BUSY'
      ]
    },
    schema: {
      tags: ['connections'],
      operationId: 'takeOverConnection',
      summary: 'Take over orders, links and cursors of a deleted connection to the same account',
      description: 'Jobs of the connection end first. A repeated request finds nothing more to take over.',
      params: Type.Object({ id: Id }),
      body: TakeOverBody,
      response: { 200: Type.Ref(TakeOverResult) }
    }
  }, async ({ params, body }) => ({ taken: await app.connections.takeOver(params.id, body.connectionId) }))
}

export default routes
