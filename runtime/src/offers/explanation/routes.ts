import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'
import { explainQuantity } from './explain.ts'
import { readFacts, type HigherFacts } from './read-facts.ts'
import { OfferExplanation } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox<HigherFacts> = async (app, higher) => {
  app.addSchema(OfferExplanation)
  const { database: { query }, adapters: { registry }, jobs } = app

  app.get('/offers/:id/explanation', {
    config: { scope: 'read', problems: ['LNK_OFFER_NOT_FOUND'] },
    schema: {
      tags: ['offers'],
      operationId: 'explainOffer',
      summary: 'Explain why an offer shows its quantity, and what to do when it is the wrong one',
      description:
        'Follows a quantity from the shop to the marketplace, names the step that decides it, and the next ' +
        'action.',
      params: Type.Object({ id: Id }),
      response: { 200: Type.Ref(OfferExplanation) }
    }
  }, async request => explainQuantity(await readFacts({ query, registry, jobs, ...higher }, request.params.id)))
}

export default routes
