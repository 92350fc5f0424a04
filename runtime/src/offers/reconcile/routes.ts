import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { adapterProblems } from '../../adapters/adapter-failure.ts'
import { nameObject } from '../../audit/actor.ts'
import { openingProblems } from '../../connections/open-connection.ts'
import { IdempotencyHeaders } from '../../http/idempotency.ts'
import { Id } from '../../http/schemas.ts'
import { previewReconcile } from './preview.ts'
import { getReconcilable, startReconcile } from './reconcile.ts'
import { ReconcileBody, ReconcilePreview } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(ReconcilePreview)
  const { adapters, connections, database } = app

  app.post('/stock/reconcile', {
    config: {
      scope: 'operate',
      idempotent: true,
      dryRuns: true,
      problems: [
        ...openingProblems,
        'LNK_CONNECTION_PAUSED',
        'LNK_CAPABILITY_PAUSED',
        ...adapterProblems,
        'LNK_CAPABILITY_NOT_SUPPORTED'
      ]
    },
    schema: {
      tags: ['stock'],
      operationId: 'reconcileStock',
      summary: 'Compare all stock with the master shops and the marketplaces, and repair what differs',
      description: 'Without `connectionId` it starts a job for each connection. With `dryRun: true`, which needs a ' +
        '`connectionId`, it answers 200 with what would change.',
      headers: IdempotencyHeaders,
      body: ReconcileBody,
      response: { 200: Type.Ref(ReconcilePreview), 202: Type.Object({ jobIds: Type.Array(Id) }) }
    }
  }, async (request, reply) => {
    const { body, id: requestId, operationId } = request
    if (body.dryRun === true && body.connectionId !== undefined) {
      await getReconcilable(connections, body.connectionId)
      const opened = await connections.openEnabled(body.connectionId)
      return previewReconcile({ query: database.query, adapters, opened, requestId, signal: request.signal })
    }
    if (body.connectionId !== undefined) nameObject({ connectionId: body.connectionId })
    const options = { database, connections, enqueueJobs: app.jobs.enqueueJobs }
    const jobIds = await startReconcile(options, body, { operationId, requestId })
    return reply.code(202).send({ jobIds })
  })
}

export default routes
