import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { AttentionItem } from './schemas.ts'

// Several pages of one person ask every few seconds.
const sharedMs = 1_000

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(AttentionItem)

  app.get('/attention', {
    config: { scope: 'read' },
    schema: {
      tags: ['operation'],
      operationId: 'listAttention',
      description: 'Empty: all goes on by itself. Answers may be a second old.',
      summary: 'Say what needs a person, the gravest first, with the cause and the next action',
      response: { 200: Type.Array(Type.Ref(AttentionItem)) }
    }
  }, async () => (await app.attention.look(sharedMs)).items)
}

export default routes
