import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { VariantName } from '../catalog/store.ts'
import { openingProblems } from '../connections/open-connection.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { linkNextPage } from '../http/paging.ts'
import { Id } from '../http/schemas.ts'
import { offerWarnings } from '../stock/rules.ts'
import type { VariantStock } from '../stock/store.ts'
import type { Offer } from './entity.ts'
import { OfferLimits, OfferLink, OfferQuery, OfferView, UnlinkedOfferQuery, UnlinkedOfferView } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  for (const schema of [OfferView, UnlinkedOfferView]) app.addSchema(schema)
  const tags = ['offers']
  const Params = Type.Object({ id: Id })

  async function describe (offers: readonly Offer[]): Promise<OfferView[]> {
    const [stock, names, sellers] = await Promise.all([
      app.offers.stockOf(offers),
      app.offers.namesOf(offers),
      app.offers.sellingInactive(offers)
    ])
    return offers.map(offer => {
      const sellsInactive = sellers.has(offer.connectionId)
      return describeOffer(offer, stock.get(offer.variantId), sellsInactive, names.get(offer.variantId))
    })
  }

  async function describeOne (offer: Offer): Promise<OfferView> {
    const [view] = await describe([offer])
    if (view === undefined) throw new TypeError('an offer has no view')
    return view
  }

  app.post('/offers/link', {
    config: {
      scope: 'operate',
      idempotent: true,
      problems: [
        ...openingProblems,
        'LNK_VARIANT_NOT_FOUND',
        'LNK_OFFER_NOT_SHOWN',
        'LNK_OFFER_ALREADY_LINKED',
        'LNK_ADAPTER_REJECTED',
        'LNK_CAPABILITY_NOT_SUPPORTED'
      ]
    },
    schema: {
      tags,
      operationId: 'linkOffer',
      summary: 'Link an offer that exists at the marketplace to a variant',
      description:
        'Answers 201 for a new link and 200 when the same link existed. The hub writes its quantity to the offer ' +
        'from now on.',
      headers: IdempotencyHeaders,
      body: OfferLink,
      response: { 200: Type.Ref(OfferView), 201: Type.Ref(OfferView) }
    }
  }, async (request, reply) => {
    const { offer, isNew } = await app.offers.link(request.body, request.id)
    return reply.code(isNew ? 201 : 200).send(await describeOne(offer))
  })

  app.get('/offers', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listOffers',
      summary: 'List offers',
      description: 'Linked offers with the quantity that the hub wants and the one that the marketplace shows.',
      querystring: OfferQuery,
      response: { 200: Type.Array(Type.Ref(OfferView)) }
    }
  }, async (request, reply) => {
    const { offers, positions } = await app.offers.list(request.query)
    linkNextPage(request, reply, positions, request.query.limit)
    return describe(offers)
  })

  app.get('/offers/unlinked', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listUnlinkedOffers',
      summary: 'List offers of marketplaces that are linked to no variant',
      description: 'Offers that the hub found at a marketplace and does not change.',
      querystring: UnlinkedOfferQuery,
      response: { 200: Type.Array(Type.Ref(UnlinkedOfferView)) }
    }
  }, async (request, reply) => {
    const found = await app.offers.unlinked(request.query)
    linkNextPage(request, reply, found, request.query.limit)
    return found
  })

  app.get('/offers/:id', {
    config: { scope: 'read', problems: ['LNK_OFFER_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readOffer',
      summary: 'Read an offer',
      description: 'Shows the offer as the hub knows it; it does not call the marketplace.',
      params: Params,
      response: { 200: Type.Ref(OfferView) }
    }
  }, async request => describeOne(await app.offers.get(request.params.id)))

  app.delete('/offers/:id', {
    config: { scope: 'operate', problems: ['LNK_OFFER_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'unlinkOffer',
      summary: 'Unlink an offer; nothing changes at the marketplace',
      description: 'The offer stays at the marketplace with its last quantity. The hub links it again only on request.',
      params: Params,
      response: { 204: Type.Null() }
    }
  }, async (request, reply) => {
    await app.offers.unlink(request.params.id)
    return reply.code(204).send(null)
  })

  app.post(
    '/offers/:id/refresh',
    {
      config: {
        scope: 'operate',
        idempotent: true,
        problems: [
          ...openingProblems,
          'LNK_OFFER_NOT_FOUND'
        ]
      },
      schema: {
        tags,
        operationId: 'refreshOffer',
        summary: 'Read the offer at the marketplace again',
        description:
          'Starts a job; read it with `readJob` and `wait`. `result.found` of the job tells what the marketplace ' +
          'shows, what the hub last wrote (`hub`), and which of `status`, `quantity` and `price` differ (`differs`). ' +
          'Until `staleUntil` the marketplace may show the state before the last write, and the hub changes nothing. ' +
          '`quantityMayBeOlder` says whether the quantity may be from before it; if not, somebody changed it there.',
        params: Params,
        headers: IdempotencyHeaders,
        response: { 202: Type.Object({ jobId: Id }) }
      }
    },
    async (request, reply) => {
      const { params, operationId, id: requestId } = request
      return reply.code(202).send(await app.offers.refresh(params.id, { operationId, requestId }))
    }
  )

  app.patch('/offers/:id', {
    config: { scope: 'operate', problems: ['LNK_OFFER_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'limitOffer',
      summary: 'Change how much of the stock an offer shows',
      description:
        '`buffer` keeps pieces back, and `maxListed` is the most that the offer shows. The hub writes the new ' +
        'quantity.',
      params: Params,
      body: OfferLimits,
      response: { 200: Type.Ref(OfferView) }
    }
  }, async request => describeOne(await app.offers.limit(request.params.id, request.body, request.id)))
}

function describeOffer (
  offer: Offer,
  stock: VariantStock | undefined,
  sellsInactive: boolean,
  { name = null, sku = null, ean = null }: Partial<VariantName> = {}
): OfferView {
  const { id, connectionId, variantId, externalId, status, buffer, frozenFields, problems } = offer
  const [quantity, upstreamQuantity] = [offer.quantity ?? null, offer.upstreamQuantity ?? null]
  return {
    id,
    connectionId,
    variantId,
    variant: { name, sku, ean },
    externalId,
    status,
    upstreamStatus: offer.upstreamStatus ?? null,
    title: offer.title ?? null,
    price: offer.price ?? null,
    quantity,
    upstreamQuantity,
    buffer,
    maxListed: offer.maxListed ?? null,
    frozenFields,
    warnings: offerWarnings({ quantity, upstreamQuantity, frozenFields, sellsInactive }, stock),
    problems: problems.map(({ detail }) => detail),
    lastSyncedAt: offer.lastSyncedAt?.toISOString() ?? null,
    createdAt: offer.createdAt.toISOString(),
    updatedAt: offer.updatedAt.toISOString()
  }
}

export default routes
