import type { FastifyInstance } from 'fastify'
import type { Query } from '../request-log.ts'
import type { Authorise } from './authorise.ts'
import { fulfillmentStatuses, type CheckoutForm } from './checkout-form.ts'
import { orderEventTypes } from './journal.ts'
import type { Orders } from './orders.ts'
import { acceptsAny, pageOf, rangeOf, refusal, sorted, valueFilter } from './query.ts'

const fulfillmentBody = { type: 'object', required: ['status'], properties: { status: { enum: fulfillmentStatuses } } }

export function registerOrders (app: FastifyInstance, orders: Orders, authorise: Authorise): void {
  const read = 'mkta:api:orders:read'

  app.get<{ Querystring: Query }>('/order/events', async request => {
    const isOwn = orders.isSeller(authorise(request, read))
    const { from, limit, type } = request.query
    const after = eventNumber(from)
    const unknown = [type ?? []].flat().find(wanted => !orderEventTypes.some(known => known === wanted))
    if (unknown !== undefined) {
      throw refusal('type', `type must be one of ${orderEventTypes.join(', ')}, not ${unknown}`)
    }
    const found = orders.events().filter(event =>
      // A list that is filtered by type leaves out the changes of buyers.
      isOwn && BigInt(event.id) > after && (type === undefined || event.type !== 'BUYER_MODIFIED') &&
      acceptsAny(request.query, 'type', [event.type])
    )
    return { events: pageOf(limit === undefined ? {} : { limit }, found, { defaultLimit: 100, maxLimit: 1_000 }) }
  })

  app.get('/order/event-stats', async request => {
    const latest = orders.isSeller(authorise(request, read)) ? orders.events().at(-1) : undefined
    return { latestEvent: latest === undefined ? null : { id: latest.id, occurredAt: latest.occurredAt } }
  })

  app.get<{ Querystring: Query }>('/order/checkout-forms', async request => {
    const isOwn = orders.isSeller(authorise(request, read))
    const accepts = filterOf(request.query)
    const found = sorted(request.query, orders.all().filter(form => isOwn && accepts(form)), sortKeys)
    const checkoutForms = pageOf(request.query, found, { defaultLimit: 100, maxLimit: 100, maxRows: 10_000 })
    return { checkoutForms, count: checkoutForms.length, totalCount: found.length }
  })

  app.get<{ Params: { id: string } }>(
    '/order/checkout-forms/:id',
    async request => orders.getOwned(request.params.id, authorise(request, read))
  )

  app.put<{ Params: { id: string }, Querystring: Query, Body: CheckoutForm['fulfillment'] }>(
    '/order/checkout-forms/:id/fulfillment',
    { schema: { body: fulfillmentBody } },
    async (request, reply) => {
      const form = orders.getOwned(request.params.id, authorise(request, 'mkta:api:orders:write'))
      orders.fulfil(form, request.body.status, request.query['checkoutForm.revision'])
      return reply.code(204).send()
    }
  )
}

function eventNumber (from: string | string[] | undefined): bigint {
  if (from === undefined) return 0n
  if (typeof from !== 'string' || !/^\d+$/.test(from)) throw refusal('from', 'from must be an event id')
  return BigInt(from)
}

const sortKeys = {
  'lineItems.boughtAt': ({ lineItems }: CheckoutForm) =>
    Math.max(...lineItems.map(({ boughtAt }) => Date.parse(boughtAt))),
  'updatedAt': ({ updatedAt }: CheckoutForm) => Date.parse(updatedAt)
}

/** For each parameter that filters forms, the function that reads the values of a form. */
const filterValues = {
  'status': ({ status }: CheckoutForm) => [status],
  'fulfillment.status': ({ fulfillment }: CheckoutForm) => [fulfillment.status],
  'fulfillment.provider.id': ({ fulfillment }: CheckoutForm) => [fulfillment.provider.id],
  'fulfillment.shipmentSummary.lineItemsSent':
    ({ fulfillment }: CheckoutForm) => [fulfillment.shipmentSummary.lineItemsSent],
  'payment.id': ({ payment }: CheckoutForm) => [payment.id],
  'surcharges.id': ({ surcharges }: CheckoutForm) => surcharges.map(({ id }) => id),
  'delivery.method.id': ({ delivery: { method } }: CheckoutForm) => isObject(method) ? [String(method.id)] : [],
  'buyer.login': ({ buyer }: CheckoutForm) => [String(buyer.login)],
  'marketplace.id': ({ marketplace }: CheckoutForm) => [marketplace.id]
}

function filterOf (query: Query): (form: CheckoutForm) => boolean {
  if (Array.isArray(query.status)) throw refusal('status', 'status takes one value')
  const isWanted = valueFilter(query, filterValues)
  const isBought = rangeOf(query, 'lineItems.boughtAt', Date.parse)
  const isUpdated = rangeOf(query, 'updatedAt', Date.parse)
  return form =>
    isWanted(form) && isBought(form.lineItems.map(({ boughtAt }) => boughtAt)) && isUpdated([form.updatedAt])
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
