import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../http/schemas.ts'
import { Installed, WebhookStatus } from './install-schemas.ts'

const Params = Type.Object({ id: Id })

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(Installed)
  app.addSchema(WebhookStatus)
  const { webhookInstalls } = app
  const tags = ['connections']

  app.post('/connections/:id/webhooks/install', {
    config: { scope: 'admin' },
    schema: {
      tags,
      summary: 'Make the platform send its webhooks here, with a new secret',
      params: Params,
      response: { 200: Type.Ref(Installed) }
    }
  }, async (request, reply) => {
    return webhookInstalls.install(request.params.id, request.id).catch((error: unknown) => {
      if (error instanceof Error && 'retryAfterSeconds' in error && typeof error.retryAfterSeconds === 'number') {
        reply.header('retry-after', String(error.retryAfterSeconds))
      }
      throw error
    })
  })

  app.get('/connections/:id/webhooks/status', {
    config: { scope: 'read' },
    schema: {
      tags,
      summary: 'Read whether webhooks are set up, and the result of the last one',
      params: Params,
      response: { 200: Type.Ref(WebhookStatus) }
    }
  }, async request => {
    return webhookInstalls.status(request.params.id)
  })
}

export default routes
