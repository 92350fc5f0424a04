import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { IdempotencyHeaders } from '../../http/idempotency.ts'
import { toStorableTime } from '../../http/storable-time.ts'
import { createOrderRetries } from './retry-orders.ts'
import { OrderRetryBody, OrderRetrySummary } from './schemas.ts'
import type { RetryFilter } from './store.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(OrderRetrySummary)
  const retryOrders = createOrderRetries({
    database: app.database,
    enqueueJobs: app.jobs.enqueueJobs,
    stopping: app.readiness.stopping,
    log: app.log.child({ component: 'orders' })
  })

  app.post('/orders/retry', {
    config: {
      scope: 'operate',
      idempotent: true,
      dryRuns: true,
      problems: ['LNK_ORDER_NOT_FOUND', 'LNK_HUB_STOPPING']
    },
    schema: {
      tags: ['orders'],
      operationId: 'retryOrders',
      summary: 'Retry all orders that meet a filter and failed or wait for a variant, 10 000 at most',
      description:
        'Send `dryRun: true` first: it counts what the filter meets. While `next` is not null, repeat the request ' +
        'with it as `after`.',
      headers: IdempotencyHeaders,
      body: OrderRetryBody,
      response: { 200: Type.Ref(OrderRetrySummary), 202: Type.Ref(OrderRetrySummary) }
    }
  }, async (request, reply) => {
    const { body: { filter, after, dryRun }, operationId, id: requestId } = request
    const summary = await retryOrders({ filter: storable(filter), after, dryRun }, { operationId, requestId })
    return reply.code(dryRun ? 200 : 202).send(summary)
  })
}

function storable ({ since, until, ...filter }: OrderRetryBody['filter']): RetryFilter {
  return {
    ...filter,
    ...(since === undefined ? {} : { since: toStorableTime(since) }),
    ...(until === undefined ? {} : { until: toStorableTime(until) })
  }
}

export default routes
