import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { IdempotencyHeaders } from '../../http/idempotency.ts'
import { Id } from '../../http/schemas.ts'
import { BudgetBody, UpstreamView } from './schemas.ts'
import { createTraffic } from './traffic.ts'

const Params = Type.Object({ id: Id })

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(UpstreamView)
  const { database, connections, upstream, adapters: { registry } } = app
  const traffic = createTraffic({ database, connections, registry, upstream })
  const tags = ['connections']
  const response = { 200: Type.Ref(UpstreamView) }

  app.get('/connections/:id/upstream', {
    config: { scope: 'read' },
    schema: {
      tags,
      summary: 'Read how fast the hub may call the platform of a connection, and whether its circuit breaker is open',
      params: Params,
      response
    }
  }, async request => traffic.show(request.params.id))

  app.put('/connections/:id/upstream/budget', {
    config: { scope: 'operate', idempotent: true },
    schema: {
      tags,
      summary: 'Set the budget of a connection, at most that of its adapter',
      headers: IdempotencyHeaders,
      params: Params,
      body: BudgetBody,
      response
    }
  }, async request => traffic.limit(request.params.id, request.body))

  app.delete('/connections/:id/upstream/budget', {
    config: { scope: 'operate', idempotent: true },
    schema: {
      tags,
      summary: 'Remove the budget that an operator set: that of the adapter holds again, if it declares one',
      headers: IdempotencyHeaders,
      params: Params,
      response
    }
  }, async request => traffic.unlimit(request.params.id))

  app.post('/connections/:id/upstream/reset', {
    config: { scope: 'operate', idempotent: true },
    schema: {
      tags,
      summary: 'Close the circuit breaker, and forget the learnt rate and the rest that the platform asked for',
      headers: IdempotencyHeaders,
      params: Params,
      response
    }
  }, async request => traffic.reset(request.params.id))
}

export default routes
