import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../connections/schemas.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { linkNextPage } from '../http/paging.ts'
import type { Offer } from './entity.ts'
import { OfferLink, OfferQuery, OfferView } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(OfferView)
  const admin = { scope: 'admin' as const }
  const tags = ['offers']

  app.post('/offers/link', { config: { ...admin, idempotent: true }, schema: { tags, summary: 'Link an offer that exists at the marketplace to a variant', headers: IdempotencyHeaders, body: OfferLink, response: { 200: Type.Ref(OfferView), 201: Type.Ref(OfferView) } } }, async (request, reply) => {
    const { offer, isNew } = await app.offers.link(request.body, request.id)
    return reply.code(isNew ? 201 : 200).send(describeOffer(offer))
  })

  app.get('/offers', { config: admin, schema: { tags, summary: 'List offers', querystring: OfferQuery, response: { 200: Type.Array(Type.Ref(OfferView)) } } }, async (request, reply) => {
    const found = (await app.offers.list(request.query)).map(describeOffer)
    linkNextPage(request, reply, found, request.query.limit)
    return found
  })

  app.get('/offers/:id', { config: admin, schema: { tags, summary: 'Read an offer', params: Type.Object({ id: Id }), response: { 200: Type.Ref(OfferView) } } }, async request => {
    return describeOffer(await app.offers.get(request.params.id))
  })
}

function describeOffer (offer: Offer): OfferView {
  const { id, connectionId, variantId, externalId, status, frozenFields, problems } = offer
  return {
    id,
    connectionId,
    variantId,
    externalId,
    status,
    upstreamStatus: offer.upstreamStatus ?? null,
    price: offer.price ?? null,
    quantity: offer.quantity ?? null,
    frozenFields,
    problems,
    lastSyncedAt: offer.lastSyncedAt?.toISOString() ?? null,
    createdAt: offer.createdAt.toISOString(),
    updatedAt: offer.updatedAt.toISOString()
  }
}

export default routes
