import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { InvalidRequestError } from '../errors.ts'
import { decodeCursor, linkNextPage } from '../http/paging.ts'
import { refusal } from '../http/refusal.ts'
import { toStorableTime } from '../http/storable-time.ts'
import { findActionProblem, storedAction } from './actions.ts'
import { AuditQuery, AuditView } from './schemas.ts'
import { listEntries } from './store.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(AuditView)

  app.get('/audit', {
    config: { scope: 'read' },
    schema: {
      tags: ['access'],
      operationId: 'listAudit',
      summary: 'List who changed what, newest first. Secrets are left out',
      description:
        'Each entry names the token, adapter or part of the hub that made a change, and what it changed by JSON ' +
        'pointers.',
      querystring: AuditQuery,
      response: { 200: Type.Array(Type.Ref(AuditView)) }
    }
  }, async (request, reply) => {
    const { cursor, since, action: given, ...filter } = request.query
    const action = given === undefined ? undefined : storedAction(given)
    refuseUnknown(action, app.auditedCommands)
    const found = await listEntries(app.database.query, {
      ...filter,
      action,
      since: since === undefined ? undefined : toStorableTime(since),
      after: cursor === undefined ? undefined : decodeCursor(cursor)
    })
    linkNextPage(request, reply, found, filter.limit)
    return found
  })
}

/** A mistyped action would look like one that nobody ever did. */
function refuseUnknown (action: string | undefined, commands: Iterable<string>): void {
  const message = action === undefined ? undefined : findActionProblem(action, commands)
  if (message !== undefined) throw refusal([{ pointer: '/action', code: 'enum', message }], InvalidRequestError)
}

export default routes
