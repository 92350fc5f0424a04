import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { decodeCursor, linkNextPage } from '../http/paging.ts'
import { toStorableTime } from '../http/storable-time.ts'
import { AuditQuery, AuditView } from './schemas.ts'
import { listEntries } from './store.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(AuditView)

  app.get('/audit', {
    config: { scope: 'read' },
    schema: {
      tags: ['access'],
      summary: 'List who changed what, newest first. Secrets are left out',
      querystring: AuditQuery,
      response: { 200: Type.Array(Type.Ref(AuditView)) }
    }
  }, async (request, reply) => {
    const { cursor, since, ...filter } = request.query
    const found = await listEntries(app.database.query, {
      ...filter,
      since: since === undefined ? undefined : toStorableTime(since),
      after: cursor === undefined ? undefined : decodeCursor(cursor)
    })
    linkNextPage(request, reply, found, filter.limit)
    return found
  })
}

export default routes
