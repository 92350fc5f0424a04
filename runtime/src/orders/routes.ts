import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { linkNextPage } from '../http/paging.ts'
import { Id } from '../http/schemas.ts'
import { cancelOrder, releaseOrder, retryOrder } from './actions.ts'
import { getOrder, listOrders } from './read-orders.ts'
import retryRoutes from './retries/routes.ts'
import { OrderQuery, OrderSummary, OrderView, SweepQuery } from './schemas.ts'
import { startSweep } from './sweep.ts'

const Params = Type.Object({ id: Id })
const JobIds = Type.Object({ jobIds: Type.Array(Id) })

const routes: FastifyPluginAsyncTypebox = async app => {
  for (const schema of [OrderSummary, OrderView]) app.addSchema(schema)
  await app.register(retryRoutes)
  const { connections, database } = app
  const { enqueueJobs } = app.jobs
  const tags = ['orders']

  app.get('/orders', {
    config: { scope: 'read' },
    schema: {
      tags,
      summary: 'List orders of marketplaces',
      querystring: OrderQuery,
      response: { 200: Type.Array(Type.Ref(OrderSummary)) }
    }
  }, async (request, reply) => {
    const found = await listOrders(database.query, request.query)
    linkNextPage(request, reply, found, request.query.limit)
    return found
  })

  app.get('/orders/:id', {
    config: { scope: 'read' },
    schema: { tags, summary: 'Read an order with its history', params: Params, response: { 200: Type.Ref(OrderView) } }
  }, async request => getOrder(database.query, request.params.id))

  app.post(
    '/orders/:id/retry',
    {
      config: { scope: 'operate', idempotent: true },
      schema: {
        tags,
        summary: 'Retry an order that failed or waits for a variant',
        params: Params,
        headers: IdempotencyHeaders,
        response: { 202: JobIds }
      }
    },
    async (request, reply) => {
      const { operationId, id: requestId } = request
      const jobIds = await retryOrder({ database, enqueueJobs }, request.params.id, { operationId, requestId })
      return reply.code(202).send({ jobIds })
    }
  )

  app.post(
    '/orders/:id/cancel',
    {
      config: { scope: 'operate', idempotent: true },
      schema: {
        tags,
        summary: 'Cancel an order, in the shop and at the marketplace',
        params: Params,
        headers: IdempotencyHeaders,
        response: { 202: JobIds }
      }
    },
    async (request, reply) => {
      const { operationId, id: requestId } = request
      const jobIds = await cancelOrder({ database, enqueueJobs }, request.params.id, { operationId, requestId })
      return reply.code(202).send({ jobIds })
    }
  )

  app.post('/orders/:id/release', {
    config: { scope: 'operate', idempotent: true },
    schema: {
      tags,
      summary: 'Give back the pieces that a failed order keeps reserved',
      params: Params,
      headers: IdempotencyHeaders,
      response: { 202: JobIds }
    }
  }, async (request, reply) => {
    const { operationId, id: requestId } = request
    const jobIds = await releaseOrder({ database, enqueueJobs }, request.params.id, { operationId, requestId })
    return reply.code(202).send({ jobIds })
  })

  app.post('/connections/:id/orders/sweep', {
    config: { scope: 'operate', idempotent: true },
    schema: {
      tags,
      summary: 'List the changed orders of a marketplace, and store those that the hub does not know',
      params: Params,
      headers: IdempotencyHeaders,
      querystring: SweepQuery,
      response: { 202: Type.Object({ jobId: Id }) }
    }
  }, async (request, reply) => {
    const { params, query, operationId, id: requestId } = request
    const options = { connections, enqueueJobs }
    const sweep = await startSweep(options, params.id, query.updatedSince, { operationId, requestId })
    return reply.code(202).send(sweep)
  })
}

export default routes
