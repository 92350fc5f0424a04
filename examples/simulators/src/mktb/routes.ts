import type { FastifyInstance } from 'fastify'
import type { Query } from '../request-log.ts'
import { registerDelivery, type Delivery } from './delivery.ts'
import { conflict, errorBody, invalid, notFound, ShopApiError, type InvalidMember } from './errors.ts'
import { registerHooks, type Hooks } from './hooks.ts'
import { registerInbox, type Inbox } from './inbox.ts'
import { checkMembers } from './member-checks.ts'
import { registerOrders } from './order-routes.ts'
import type { Orders } from './orders.ts'
import { registerParcels, type Parcels } from './parcels.ts'
import type { Product, ProductMembers, Products, ProductUpdate } from './products.ts'
import { batchBody, createBody, externalIdParameter, searchBody, updateBody } from './schemas.ts'
import { pick, search, type Search } from './search.ts'

export interface Account {
  id: number
  name: string
  active: boolean
  company: { nip: string, name: string }
  externalMatchingPolicy: string
}

export interface ShopApi {
  apiKey: string
  account: Account
  products: Products
  /** Keys whose next batch item times out. */
  batchTimeouts: Set<string>
  delivery: Delivery
  hooks: Hooks
  orders: Orders
  parcels: Parcels
  inbox: Inbox
}

interface ByExternalId {
  Params: { externalId: string }
}

/** Registers every route below `/svc/shop-api`. */
export function registerShopApi (
  app: FastifyInstance,
  { apiKey, account, delivery, hooks, orders, parcels, inbox, ...offers }: ShopApi
): void {
  app.addHook('preValidation', async request => {
    if (request.headers.authorization !== `Bearer ${apiKey}`) {
      throw new ShopApiError(401, 'UnauthorizedError', 'Invalid API key')
    }
  })

  app.get('/me', async () => account)
  registerProducts(app, offers)
  registerDelivery(app, delivery)
  registerHooks(app, hooks)
  registerOrders(app, orders)
  registerInbox(app, inbox)
  app.register(async scope => registerParcels(scope, parcels))
}

function registerProducts (
  app: FastifyInstance,
  { products, batchTimeouts }: Pick<ShopApi, 'products' | 'batchTimeouts'>
): void {
  const params = externalIdParameter

  app.get<ByExternalId & { Querystring: Query }>('/products/:externalId', { schema: { params } }, async request => {
    const product = products.visible(request.params.externalId)
    if (product === undefined) throw notFound(request.params.externalId)
    const { fields } = request.query
    return pick(product, typeof fields === 'string' ? [fields] : fields)
  })

  app.post<ByExternalId & { Body: ProductMembers }>(
    '/products/:externalId',
    { schema: { params, body: createBody } },
    async (request, reply) => {
      const { externalId } = request.params
      checkMembers(request.body)
      if (products.stored(externalId) !== undefined) throw conflict(externalId)
      products.create(externalId, request.body)
      return reply.code(202).send()
    }
  )

  app.patch<ByExternalId & { Body: ProductUpdate }>(
    '/products/:externalId',
    { schema: { params, body: updateBody } },
    async (request, reply) => {
      const updatedFields = products.update(writable(products, request.params.externalId, request.body), request.body)
      return reply.code(202).send({ updatedFields })
    }
  )

  app.patch<{ Body: Array<ProductUpdate & { externalId: string }> }>('/products/batch-update', {
    schema: { body: batchBody }
  }, async request => {
    return request.body.map(({ externalId, ...changes }) => {
      if (batchTimeouts.delete(externalId)) {
        return {
          externalId,
          status: 408,
          error: { name: 'BatchProcessingTimeout', message: 'Batch processing timeout exceeded' }
        }
      }
      try {
        const updatedFields = products.update(writable(products, externalId, changes), changes)
        return { externalId, status: 202, result: { updatedFields } }
      } catch (error) {
        if (!(error instanceof ShopApiError)) throw error
        return { externalId, status: error.status, error: { name: error.kind, message: error.message } }
      }
    })
  })

  app.post<{ Body: Search }>(
    '/products/_search',
    { schema: { body: searchBody } },
    async request => search(products, request.body)
  )
}

/** Sets the error bodies of the whole server, also for unknown addresses. */
export function registerErrors (app: FastifyInstance): void {
  app.setSchemaErrorFormatter(problems => invalid(...problems.map(invalidMember)))
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof ShopApiError ? error : toShopApiError(error)
    return reply.code(known.status).send(errorBody(known))
  })
  app.setNotFoundHandler((request, reply) => {
    const error = new ShopApiError(404, 'NotFoundError', `No such address: ${request.method} ${request.url}`)
    return reply.code(404).send(errorBody(error))
  })
}

function invalidMember ({ instancePath, params, message = 'is invalid' }: {
  instancePath: string,
  params: Record<string, unknown>,
  message?: string
}): InvalidMember {
  const member = params['additionalProperty'] ?? params['missingProperty']
  return { path: member === undefined ? instancePath : `${instancePath}/${String(member)}`, message }
}

function toShopApiError (error: unknown): ShopApiError {
  const message = error instanceof Error ? error.message : String(error)
  const status = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500
  if (status === 400) return invalid({ path: '', message })
  return new ShopApiError(status, status < 500 ? 'ValidationError' : 'InternalServerError', message)
}

// Writes check the read cache too: within the lag of a creation, PATCH answers 404 although a
// second POST answers 409.
function writable (products: Products, externalId: string, update: ProductUpdate): Product {
  const { newExternalId } = update
  const product = products.stored(externalId)
  if (product === undefined || products.visible(externalId) === undefined) throw notFound(externalId)
  checkMembers(update, product)
  if (newExternalId !== undefined && newExternalId !== externalId && products.stored(newExternalId) !== undefined) {
    throw conflict(newExternalId)
  }
  return product
}
