import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../http/schemas.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { linkNextPage } from '../http/paging.ts'
import { listStock } from './read-stock.ts'
import { getReconcilable, startReconcile } from './reconcile.ts'
import { ReconcileBody, ReconcilePreview, StockQuery, StockView, SweepQuery, SweepView } from './schemas.ts'
import { listSweeps } from './sweeps.ts'

export interface StockRoutesOptions {
  /**
   * Answers what a sweep of a master shop, or a comparison of a marketplace's offers, would change.
   * Writes nothing.
   */
  preview(of: { connectionId: string, requestId: string, signal: AbortSignal }): Promise<ReconcilePreview>
}

const routes: FastifyPluginAsyncTypebox<StockRoutesOptions> = async (app, { preview }) => {
  for (const schema of [StockView, SweepView, ReconcilePreview]) app.addSchema(schema)
  const { connections, database } = app
  const admin = { scope: 'admin' as const }
  const tags = ['stock']

  app.get('/stock', {
    config: admin,
    schema: {
      tags,
      summary: 'Stock of variants and what was written to their offers',
      querystring: StockQuery,
      response: { 200: Type.Array(Type.Ref(StockView)) }
    }
  }, async (request, reply) => {
    const found = await listStock(database.query, request.query)
    linkNextPage(request, reply, found.map(({ position }) => position), request.query.limit)
    return found.map(({ view }) => view)
  })

  app.get('/stock/sweeps', {
    config: admin,
    schema: {
      tags,
      summary: 'Sweeps over the stock of master shops, newest first',
      querystring: SweepQuery,
      response: { 200: Type.Array(Type.Ref(SweepView)) }
    }
  }, async (request, reply) => {
    const found = await listSweeps(database.query, request.query)
    linkNextPage(request, reply, found.map(({ id, startedAt }) => ({ id, createdAt: startedAt })), request.query.limit)
    return found
  })

  app.post('/stock/reconcile', {
    config: { ...admin, idempotent: true },
    schema: {
      tags,
      summary: 'Compare all stock with the master shops and the marketplaces, and repair what differs',
      headers: IdempotencyHeaders,
      body: ReconcileBody,
      response: { 200: Type.Ref(ReconcilePreview), 202: Type.Object({ jobIds: Type.Array(Id) }) }
    }
  }, async (request, reply) => {
    const { body, id: requestId, operationId } = request
    if (body.dryRun === true && body.connectionId !== undefined) {
      await getReconcilable(connections, body.connectionId)
      return preview({ connectionId: body.connectionId, requestId, signal: request.signal })
    }
    const options = { database, connections, enqueueJobs: app.jobs.enqueueJobs }
    const jobIds = await startReconcile(options, body, { operationId, requestId })
    return reply.code(202).send({ jobIds })
  })
}

export default routes
