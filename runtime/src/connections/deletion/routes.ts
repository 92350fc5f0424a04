import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { linkNextPage } from '../../http/paging.ts'
import { Id } from '../../http/schemas.ts'
import { parseIfMatch } from '../if-match.ts'
import { IfMatch } from '../schemas.ts'
import { DeletedConnection, DeletedQuery, Deletion, DeletionQuery } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(Deletion)
  app.addSchema(DeletedConnection)
  const { deletions } = app
  const tags = ['connections']

  app.delete('/connections/:id', {
    config: {
      scope: 'admin',
      dryRuns: true,
      problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_DELETION_REFUSED', 'LNK_CONNECTION_MOVING', 'LNK_CONNECTION_BUSY']
    },
    schema: {
      tags,
      operationId: 'deleteConnection',
      summary: 'Delete a disabled or paused connection while none of its jobs runs; its orders, jobs and audit stay',
      description: 'Send `dryRun=true` first: the answer lists what stands in the way, what goes and what stays.',
      params: Type.Object({ id: Id }),
      headers: IfMatch,
      querystring: DeletionQuery,
      response: { 200: Type.Ref(Deletion) }
    }
  }, async request => {
    const { params: { id }, query: { dryRun, force, waitSeconds } } = request
    return deletions.remove(id, {
      isDryRun: dryRun,
      isForced: force,
      waitMs: waitSeconds * 1_000,
      expectedVersion: parseIfMatch(request.headers['if-match'])
    })
  })

  app.get('/connections/deleted', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listDeletedConnections',
      summary: 'List deleted connections, so that their orders and jobs can be shown with a name',
      description: 'Every other route answers 404 for the id of a deleted connection.',
      querystring: DeletedQuery,
      response: { 200: Type.Array(Type.Ref(DeletedConnection)) }
    }
  }, async (request, reply) => {
    const found = await deletions.list(request.query)
    linkNextPage(request, reply, found, request.query.limit)
    return found
  })
}

export default routes
