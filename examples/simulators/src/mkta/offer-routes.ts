import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Query } from '../request-log.ts'
import type { Authorise } from './authorise.ts'
import { RestError, type Problem } from './errors.ts'
import { problemsOf } from './offer-checks.ts'
import type { Offer, OfferMembers } from './offer.ts'
import type { Offers } from './offers.ts'
import type { Operation, OperationSwitches, Operations } from './operations.ts'
import { pageOf, rangeOf, refusal, sorted, valueFilter } from './query.ts'
import { newOfferBody, patchBody } from './schemas.ts'

interface ById {
  Params: { id: string }
}

export interface OfferSwitches extends OperationSwitches {
  /**
   * The answer to a PATCH and to a new offer: the offer, or 202 and an operation. Default
   * `immediate`.
   */
  patch: 'immediate' | 'asynchronous'
}

export interface OfferRoutes {
  offers: Offers
  operations: Operations
  switches: OfferSwitches
  baseUrl: () => string
}

const [read, write] = ['mkta:api:sale:offers:read', 'mkta:api:sale:offers:write']

export function registerOffers (
  app: FastifyInstance,
  { offers, operations, switches, baseUrl }: OfferRoutes,
  authorise: Authorise
): void {
  app.get<{ Querystring: Query }>('/sale/offers', async request => {
    const { query } = request
    if ([query['external.id'] ?? []].flat().length > 100) {
      throw refusal('external.id', 'external.id can be repeated 100 times at most')
    }
    const found = sorted(query, offers.ownedBy(authorise(request, read)).filter(filterOf(query)), sortKeys)
    const page = pageOf(query, found, { defaultLimit: 20, maxLimit: 1_000 })
    return { offers: page.map(listed), count: page.length, totalCount: found.length }
  })

  app.get<ById>(
    '/sale/product-offers/:id',
    async request => offers.getOwned(request.params.id, authorise(request, read))
  )

  app.post<{ Body: OfferMembers }>(
    '/sale/product-offers',
    { schema: { body: newOfferBody } },
    async (request, reply) => {
      const seller = authorise(request, write)
      check(problemsOf(request.body, 0))
      return change(offers.draft(seller).id, request.body, reply.code(201))
    }
  )

  app.patch<ById & { Body: OfferMembers }>(
    '/sale/product-offers/:id',
    { schema: { body: patchBody } },
    async (request, reply) => {
      const { id, stock } = offers.getOwned(request.params.id, authorise(request, write))
      operations.checkIdle(id)
      check([...offers.problemsOf(id), ...problemsOf(request.body, stock.available)])
      return change(id, request.body, reply)
    }
  )

  function change (id: string, members: OfferMembers, reply: FastifyReply): FastifyReply {
    if (switches.patch === 'immediate') return reply.send(offers.update(id, members))
    const operation = operations.start(id, members)
    return reply.code(202).headers({ 'location': `${urlOf(id)}/operations/${operation.id}`, 'retry-after': '5' })
      .send(offers.stored(id))
  }

  app.get<{ Params: { id: string, operation: string } }>(
    '/sale/product-offers/:id/operations/:operation',
    async (request, reply) => {
      const { id } = offers.getOwned(request.params.id, authorise(request, read))
      const operation = operations.get(id, request.params.operation)
      if (operation.status === 'IN_PROGRESS') return reply.code(202).send(operationBody(operation))
      if (operation.status === 'FAILED' && switches.failedOperation === 'refused') check(operation.problems)
      return reply.code(303).header('location', urlOf(id)).send()
    }
  )

  function urlOf (id: string): string {
    return `${baseUrl()}/sale/product-offers/${id}`
  }
}

function operationBody ({ offerId, id, status, startedAt }: Operation) {
  return { offer: { id: offerId }, operation: { id, status, startedAt } }
}

const sortKeys = {
  'sellingMode.price.amount': ({ sellingMode }: Offer) => Number(sellingMode.price.amount),
  'stock.available': ({ stock }: Offer) => stock.available,
  'stock.sold': ({ stock }: Offer) => stock.sold
}

/** Reads the values of an offer that each filter compares. */
const filterValues = {
  'offer.id': ({ id }: Offer) => [id],
  'publication.status': ({ publication }: Offer) => [publication.status],
  'publication.marketplace': ({ publication: { marketplaces: { base, additional } } }: Offer) =>
    [base, ...additional].map(({ id }) => id),
  'external.id': ({ external }: Offer) => external === null ? [] : [external.id],
  'sellingMode.format': ({ sellingMode }: Offer) => [sellingMode.format],
  'category.id': ({ category }: Offer) => [category.id],
  'delivery.shippingRates.id': ({ delivery: { shippingRates } }: Offer) =>
    shippingRates === null ? [] : [shippingRates.id]
}

function filterOf (query: Query): (offer: Offer) => boolean {
  const isWanted = valueFilter(query, filterValues)
  const isPriced = rangeOf(query, 'sellingMode.price.amount', Number)
  const name = String(query.name ?? '').toLowerCase()
  return offer =>
    isWanted(offer) && isPriced([offer.sellingMode.price.amount]) && offer.name.toLowerCase().includes(name)
}

function listed ({
  id,
  name,
  category,
  primaryImage,
  sellingMode,
  stock: { available, sold },
  publication: { endedBy: _endedBy, republish: _republish, duration: _duration, ...publication },
  afterSalesServices,
  additionalServices,
  external,
  isFulfillment,
  delivery,
  b2b
}: Offer) {
  return {
    id,
    name,
    category,
    primaryImage,
    sellingMode,
    saleInfo: { currentPrice: null, biddersCount: 0 },
    stats: { watchersCount: 0, visitsCount: 0 },
    stock: { available, sold },
    publication,
    afterSalesServices,
    additionalServices,
    external,
    isFulfillment,
    delivery,
    b2b
  }
}

function check (problems: readonly Problem[]): void {
  if (problems.length > 0) throw new RestError(422, ...problems)
}
