import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Connection } from '../../connections/entity.ts'
import { InvalidRequestError } from '../../errors.ts'
import { IdempotencyHeaders } from '../../http/idempotency.ts'
import { decodeIdCursor, encodeIdCursor, linkCursor } from '../../http/paging.ts'
import { refusal } from '../../http/refusal.ts'
import { Id } from '../../http/schemas.ts'
import { requireOfferCapability } from '../offer-capability.ts'
import type { WaitingOrderJobs } from '../offers.ts'
import { linkCertain } from './link-certain.ts'
import { listMarketplaceOffers } from './list-offers.ts'
import { LinkBody, LinkSummary, MarketplaceOffer, MarketplaceOfferQuery } from './schemas.ts'

const Params = Type.Object({ id: Id })

const routes: FastifyPluginAsyncTypebox<{ waitingOrderJobs: WaitingOrderJobs }> = async (app, { waitingOrderJobs }) => {
  for (const schema of [MarketplaceOffer, LinkSummary]) app.addSchema(schema)
  const { connections, database } = app
  const { enqueueJobs } = app.jobs
  const tags = ['offers']

  /** Throws for a connection whose offers the hub cannot list, and so does not know. */
  function requireListing (connection: Connection): void {
    requireOfferCapability({ connection, adapter: connections.adapterOf(connection) }, 'listOffers')
  }

  app.get('/connections/:id/marketplace-offers', {
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CAPABILITY_NOT_SUPPORTED'] },
    schema: {
      tags,
      operationId: 'listMarketplaceOffers',
      summary: 'List the offers that a marketplace has, linked or not, with the variants that may be theirs',
      description: 'As the last comparison read them, by their ids at the marketplace. `POST /stock/reconcile` with ' +
        'the id of the connection reads them again. One page looks at 10 000 offers: with a filter it may be short, ' +
        'or empty, and still have a next page.',
      params: Params,
      querystring: MarketplaceOfferQuery,
      response: { 200: Type.Array(Type.Ref(MarketplaceOffer)) }
    }
  }, async (request, reply) => {
    const { params: { id }, query: { cursor, ...filter } } = request
    const after = cursor === undefined ? undefined : decodeIdCursor(cursor)
    const connection = await connections.get(id)
    requireListing(connection)
    const { offers, next } = await listMarketplaceOffers(database.query, connection.id, { ...filter, after })
    if (next !== undefined) linkCursor(request, reply, encodeIdCursor(next))
    return offers
  })

  app.post('/connections/:id/marketplace-offers/link', {
    config: {
      scope: 'operate',
      idempotent: true,
      dryRuns: true,
      problems: [
        'LNK_CONNECTION_NOT_FOUND',
        'LNK_CAPABILITY_NOT_SUPPORTED',
        'LNK_CONNECTION_DISABLED',
        'LNK_HUB_STOPPING'
      ]
    },
    schema: {
      tags,
      operationId: 'linkMarketplaceOffers',
      summary: 'Link all offers of a marketplace whose variant is certain',
      description:
        'One request looks at 50 000 unlinked offers at most and links 10 000 at most. While `next` is not ' +
        'null, repeat it with that id as `after`. The offers are linked in groups of 500. When the hub stops between ' +
        'two groups, the answer is 503, and the same request links the rest. It counts only what it finds: the ' +
        'offers that were linked before are not unlinked any more, and those that it names are `already-linked`.',
      params: Params,
      headers: IdempotencyHeaders,
      body: LinkBody,
      response: { 200: Type.Ref(LinkSummary) }
    }
  }, async request => {
    const { params: { id }, body, id: requestId } = request
    if (body.filter !== undefined && body.externalIds !== undefined) {
      throw refusal([{
        pointer: '/externalIds',
        code: 'exclusive',
        message: 'goes without `filter`: the request names its offers by one of them'
      }], InvalidRequestError)
    }
    if (body.after !== undefined && body.externalIds !== undefined) {
      throw refusal([{
        pointer: '/after',
        code: 'exclusive',
        message: 'goes without `externalIds`: a request links all offers that it names'
      }], InvalidRequestError)
    }
    const connection = await connections.getEnabled(id)
    requireListing(connection)
    const options = { database, enqueueJobs, waitingOrderJobs, stopping: app.readiness.stopping }
    return linkCertain(options, { connectionId: connection.id, requestId }, body)
  })
}

export default routes
