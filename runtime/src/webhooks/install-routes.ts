import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { adapterProblems } from '../adapters/adapter-failure.ts'
import { openingProblems } from '../connections/open-connection.ts'
import { Id } from '../http/schemas.ts'
import { Installed, WebhookStatus, WebhookTest } from './install-schemas.ts'

const Params = Type.Object({ id: Id })

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(Installed)
  app.addSchema(WebhookStatus)
  app.addSchema(WebhookTest)
  const { webhookInstalls } = app
  const tags = ['connections']

  app.post('/connections/:id/webhooks/install', {
    config: {
      scope: 'admin',
      problems: [
        ...openingProblems,
        'LNK_CONNECTION_INVALID',
        'LNK_WEBHOOK_INSTALL_UNSUPPORTED',
        'LNK_CONNECTION_PAUSED',
        'LNK_WEBHOOK_INSTALL_RUNNING',
        ...adapterProblems
      ]
    },
    schema: {
      tags,
      operationId: 'installWebhooks',
      summary: 'Make the platform send its webhooks here, with a new secret',
      description:
        'The adapter registers the address of the hub at the platform, with a secret that the hub makes and ' +
        'stores as it stores credentials. Repeat the request to replace the secret.',
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

  app.post('/connections/:id/webhooks/test', {
    config: {
      scope: 'operate',
      problems: [
        'LNK_CONNECTION_NOT_FOUND',
        'LNK_CONNECTION_DISABLED',
        'LNK_CONNECTION_INVALID',
        'LNK_WEBHOOK_NOT_INSTALLED'
      ]
    },
    schema: {
      tags,
      operationId: 'testWebhooks',
      summary: 'Send a test event through the public address of the hub',
      description:
        'The hub sends `test.ping` to the address that the platform has, proves it with the secret that the platform ' +
        'has, and says what came back. Tells a wrong address or a proxy in the way from a platform that sends nothing.',
      params: Params,
      response: { 200: Type.Ref(WebhookTest) }
    }
  }, async request => {
    return webhookInstalls.test(request.params.id)
  })

  app.get('/connections/:id/webhooks/status', {
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readWebhookStatus',
      summary: 'Read whether webhooks are set up, and the result of the last one',
      description:
        'Tells whether the hub has a secret for the connection, how old it is, and what became of the last ' +
        'delivery.',
      params: Params,
      response: { 200: Type.Ref(WebhookStatus) }
    }
  }, async request => {
    return webhookInstalls.status(request.params.id)
  })
}

export default routes
