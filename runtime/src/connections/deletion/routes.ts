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
    config: { scope: 'admin', dryRuns: true },
    schema: {
      tags,
      summary: 'Delete a disabled or paused connection while none of its jobs runs; its orders, jobs and audit stay',
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
      summary: 'List deleted connections, so that their orders and jobs can be shown with a name',
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
