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
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readUpstream',
      summary: 'Read how fast the hub may call the platform of a connection, and whether its circuit breaker is open',
      description:
        'Shows the budget that the adapter declares, the one of an operator, the one that the hub learnt, and ' +
        'which of them holds now.',
      params: Params,
      response
    }
  }, async request => traffic.show(request.params.id))

  app.put('/connections/:id/upstream/budget', {
    config: { scope: 'operate', idempotent: true, problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'setBudget',
      summary: 'Set the budget of a connection, at most that of its adapter',
      description:
        'Slows the hub down, for example when another program uses the same account. More than the adapter ' +
        'declares is refused.',
      headers: IdempotencyHeaders,
      params: Params,
      body: BudgetBody,
      response
    }
  }, async request => traffic.limit(request.params.id, request.body))

  app.delete('/connections/:id/upstream/budget', {
    config: { scope: 'operate', idempotent: true, problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'deleteBudget',
      summary: 'Remove the budget that an operator set: that of the adapter holds again, if it declares one',
      description: 'The jobs that wait ask for a place again at once.',
      headers: IdempotencyHeaders,
      params: Params,
      response
    }
  }, async request => traffic.unlimit(request.params.id))

  app.post('/connections/:id/upstream/reset', {
    config: { scope: 'operate', idempotent: true, problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'resetUpstream',
      summary: 'Close the circuit breaker, and forget the learnt rate and the rest that the platform asked for',
      description:
        'The jobs that wait ask again at once. A test of the connection closes the breaker, too, but only if the ' +
        'platform works.',
      headers: IdempotencyHeaders,
      params: Params,
      response
    }
  }, async request => traffic.reset(request.params.id))
}

export default routes
