import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'
import { openingProblems } from '../open-connection.ts'
import { invokeCapability } from './invoke.ts'
import { Invocation, InvocationBody } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(Invocation)
  const { connections, adapters } = app

  app.post(
    '/connections/:id/invoke',
    {
      config: {
        scope: 'admin',
        dryRuns: true,
        problems: [...openingProblems, 'LNK_CAPABILITY_NOT_SUPPORTED']
      },
      schema: {
        tags: ['connections'],
        operationId: 'invokeCapability',
        summary: 'Call one method of a capability of the adapter that serves the connection',
        description:
          'For authors of adapters, and to see what a platform says. Answers 200 also when the call fails: read ' +
          '`success`. The hub stores nothing of what the method returns. A method that writes changes the platform ' +
          'without the knowledge of the hub; in a dry run such a request fails, and the answer shows it. A dry run ' +
          'still renews an expired token. A pause does not stop the call.',
        params: Type.Object({ id: Id }),
        body: InvocationBody,
        response: { 200: Type.Ref(Invocation) }
      }
    },
    async ({ params, body, id: requestId, log }) =>
      invokeCapability({ connections, adapters }, params.id, body, { requestId, log })
  )
}

export default routes
