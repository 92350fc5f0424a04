import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'
import { remedyOf } from './remedies.ts'
import { RefusalView } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(RefusalView)

  app.get('/connections/:id/webhooks/refusals', {
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags: ['connections'],
      operationId: 'listWebhookRefusals',
      summary: 'Count the refused deliveries of a connection by their codes, with a remedy for each; the latest first',
      description:
        'Use it when a platform says that it delivers and the hub shows no event. Deliveries that were refused ' +
        'leave no event behind, only these counts.',
      params: Type.Object({ id: Id }),
      response: { 200: Type.Array(Type.Ref(RefusalView)) }
    }
  }, async request => {
    const { id } = await app.connections.get(request.params.id)
    return (await app.webhookRefusals.list(id)).map(count => ({ ...count, remedy: remedyOf(count.code) }))
  })
}

export default routes
