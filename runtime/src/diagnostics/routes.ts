import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../http/schemas.ts'
import { diagnose } from './diagnose.ts'
import { readFacts, type FactServices } from './read-facts.ts'
import { Diagnostics } from './schemas.ts'

type Given = 'now' | 'readWorkerAbsence' | 'eventJobsOf' | 'keptDays' | 'publicUrl'

const routes: FastifyPluginAsyncTypebox<Pick<FactServices, Given>> = async (app, options) => {
  app.addSchema(Diagnostics)
  const { database, connections, adapters, schedules, webhookInstalls, webhookRefusals } = app
  const services: FactServices = {
    query: database.query,
    connections,
    registry: adapters.registry,
    schedules,
    webhookInstalls,
    webhookRefusals,
    ...options
  }

  app.get('/connections/:id/diagnostics', {
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags: ['connections'],
      operationId: 'diagnoseConnection',
      summary: 'Say why nothing arrives from a connection, or leaves to it, and what to do; also of a deleted one',
      description: 'Each finding has a code, what the hub saw and the next action.',
      params: Type.Object({ id: Id }),
      response: { 200: Type.Ref(Diagnostics) }
    }
  }, async request => diagnose(await readFacts(services, request.params.id)))
}

export default routes
