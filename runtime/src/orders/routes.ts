import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { openingProblems } from '../connections/open-connection.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { linkNextPage } from '../http/paging.ts'
import { Id } from '../http/schemas.ts'
import { cancelOrder, releaseOrder, retryOrder, settleOrder } from './actions.ts'
import { findAwaitedJob } from './awaited-job.ts'
import type { OrderEvents } from './personal-data/forget.ts'
import personalDataRoutes from './personal-data/routes.ts'
import { getOrder, listOrders } from './read-orders.ts'
import retryRoutes from './retries/routes.ts'
import { OrderQuery, OrderSummary, OrderView, SweepQuery } from './schemas.ts'
import { startSweep } from './sweep.ts'

const Params = Type.Object({ id: Id })
const JobIds = Type.Object({ jobIds: Type.Array(Id) })

const routes: FastifyPluginAsyncTypebox<OrderEvents> = async (app, options) => {
  for (const schema of [OrderSummary, OrderView]) app.addSchema(schema)
  await app.register(retryRoutes)
  await app.register(personalDataRoutes, options)
  const { connections, database } = app
  const { enqueueJobs } = app.jobs
  const tags = ['orders']

  app.get('/orders', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listOrders',
      summary: 'List orders of marketplaces',
      description: 'Without the addresses of buyers, which `readOrder` shows.',
      querystring: OrderQuery,
      response: { 200: Type.Array(Type.Ref(OrderSummary)) }
    }
  }, async (request, reply) => {
    const found = await listOrders(database.query, request.query)
    linkNextPage(request, reply, found, request.query.limit)
    return found
  })

  app.get('/orders/:id', {
    config: { scope: 'read', problems: ['LNK_ORDER_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readOrder',
      summary: 'Read an order with its history',
      description:
        'The history tells what the hub did with the order. `snapshot` is the order as the marketplace showed it ' +
        'last.',
      params: Params,
      response: { 200: Type.Ref(OrderView) }
    }
  }, async request => {
    const order = await getOrder(database.query, request.params.id)
    const waitsFor = await findAwaitedJob({ query: database.query, findJobs: app.jobs.find }, order)
    return { ...order, waitsFor }
  })

  app.post(
    '/orders/:id/retry',
    {
      config: { scope: 'operate', idempotent: true, problems: ['LNK_ORDER_NOT_FOUND', 'LNK_ORDER_STATE'] },
      schema: {
        tags,
        operationId: 'retryOrder',
        summary: 'Retry an order that failed or waits for a variant',
        description: 'Starts the jobs that bring the order into the shop.',
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
      config: { scope: 'operate', idempotent: true, problems: ['LNK_ORDER_NOT_FOUND', 'LNK_ORDER_STATE'] },
      schema: {
        tags,
        operationId: 'cancelOrder',
        summary: 'Cancel an order, in the shop and at the marketplace',
        description: 'Starts the jobs that cancel the order. A repetition retries the parts that failed.',
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
    config: { scope: 'operate', idempotent: true, problems: ['LNK_ORDER_NOT_FOUND', 'LNK_ORDER_STATE'] },
    schema: {
      tags,
      operationId: 'releaseOrder',
      summary: 'Give back the pieces that a failed order keeps reserved',
      description: 'Use it when an order failed and will never be made: its pieces can be sold again.',
      params: Params,
      headers: IdempotencyHeaders,
      response: { 202: JobIds }
    }
  }, async (request, reply) => {
    const { operationId, id: requestId } = request
    const jobIds = await releaseOrder({ database, enqueueJobs }, request.params.id, { operationId, requestId })
    return reply.code(202).send({ jobIds })
  })

  app.post('/orders/:id/settle', {
    config: { scope: 'operate', problems: ['LNK_ORDER_NOT_FOUND', 'LNK_ORDER_STATE'] },
    schema: {
      tags,
      operationId: 'settleOrder',
      summary: 'End the problems of an order that somebody saw to',
      description: 'The history keeps them. An order that waits for somebody keeps its problems: retry it.',
      params: Params,
      response: { 204: Type.Null() }
    }
  }, async (request, reply) => {
    await settleOrder({ database, enqueueJobs }, request.params.id)
    return reply.code(204).send(null)
  })

  app.post('/connections/:id/orders/sweep', {
    config: {
      scope: 'operate',
      idempotent: true,
      problems: [
        ...openingProblems,
        'LNK_CAPABILITY_NOT_SUPPORTED'
      ]
    },
    schema: {
      tags,
      operationId: 'sweepOrders',
      summary: 'List the changed orders of a marketplace, and store those that the hub does not know',
      description: 'Use it after an outage, when events may have been lost. `updatedSince` says how far back to look.',
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
