import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../http/schemas.ts'
import { printable } from '../text-patterns.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { createBatch, describeBatch, retryFailed } from './batches.ts'
import {
  BatchCreation,
  BatchView,
  BulkBody,
  JobReference,
  OfferBody,
  OfferCreation,
  OfferFieldsBody,
  ProductListingBody
} from './listing-schemas.ts'

const OfParams = Type.Object({ connectionId: Id })
// The hub's id of an offer, or the marketplace's.
const OfferParams = Type.Object({
  connectionId: Id,
  offerId: Type.String({ minLength: 1, maxLength: 1023, pattern: printable })
})
const BatchParams = Type.Object({ batchId: Id })

const routes: FastifyPluginAsyncTypebox = async app => {
  for (const schema of [JobReference, OfferCreation, BatchCreation, BatchView]) app.addSchema(schema)
  const { database, connections, listings, offers } = app
  const { enqueueJobs } = app.jobs
  const tags = ['listings']
  const command = { scope: 'admin' as const, idempotent: true }

  app.post('/listings/connections/:connectionId/offers', {
    config: command,
    schema: {
      tags,
      summary: 'Create an offer of a variant',
      params: OfParams,
      headers: IdempotencyHeaders,
      body: OfferBody,
      response: { 202: Type.Ref(OfferCreation) }
    }
  }, async (request, reply) => {
    const { variantId, ...listing } = request.body
    return reply.code(202)
      .send(await listings.listVariant(request.params.connectionId, variantId, listing, {
        operationId: request.operationId,
        requestId: request.id
      }))
  })

  app.post('/listings/connections/:connectionId/products/:productId/offers', {
    config: command,
    schema: {
      tags,
      summary: 'Create an offer of each variant of a product',
      params: Type.Object({ connectionId: Id, productId: Id }),
      headers: IdempotencyHeaders,
      body: ProductListingBody,
      response: { 202: Type.Array(Type.Ref(OfferCreation)) }
    }
  }, async (request, reply) => {
    const { connectionId, productId } = request.params
    return reply.code(202)
      .send(await listings.listProduct(connectionId, productId, request.body, {
        operationId: request.operationId,
        requestId: request.id
      }))
  })

  app.post(
    '/listings/connections/:connectionId/offers/:offerId/fields',
    {
      config: command,
      schema: {
        tags,
        summary: 'Change price, title or description of an offer',
        params: OfferParams,
        headers: IdempotencyHeaders,
        body: OfferFieldsBody,
        response: { 202: Type.Ref(JobReference) }
      }
    },
    async (request, reply) =>
      reply.code(202)
        .send(await offers.updateFields(request.params, request.body, {
          operationId: request.operationId,
          requestId: request.id
        }))
  )

  app.post(
    '/listings/connections/:connectionId/offers/:offerId/end',
    {
      config: command,
      schema: {
        tags,
        summary: 'Take an offer off the marketplace',
        params: OfferParams,
        headers: IdempotencyHeaders,
        response: { 202: Type.Ref(JobReference) }
      }
    },
    async (request, reply) =>
      reply.code(202)
        .send(await offers.end(request.params, { operationId: request.operationId, requestId: request.id }))
  )

  app.post(
    '/listings/bulk-create',
    {
      config: command,
      schema: {
        tags,
        summary: 'Create offers of up to 100 variants or products',
        headers: IdempotencyHeaders,
        body: BulkBody,
        response: { 202: Type.Ref(BatchCreation) }
      }
    },
    async (request, reply) =>
      reply.code(202)
        .send(await createBatch({ database, listings }, request.body, {
          operationId: request.operationId,
          requestId: request.id
        }))
  )

  app.get('/listings/batches/:batchId', {
    config: { scope: 'admin' },
    schema: { tags, summary: 'Read how far a batch is', params: BatchParams, response: { 200: Type.Ref(BatchView) } }
  }, async request => describeBatch(database.query, request.params.batchId))

  app.post(
    '/listings/batches/:batchId/retry-failed',
    {
      config: command,
      schema: {
        tags,
        summary: 'Try the items of a batch that failed once more',
        params: BatchParams,
        headers: IdempotencyHeaders,
        response: { 202: Type.Object({ jobIds: Type.Array(Id) }) }
      }
    },
    async (request, reply) =>
      reply.code(202).send({
        jobIds: await retryFailed({ database, connections, enqueueJobs }, request.params.batchId, {
          operationId: request.operationId,
          requestId: request.id
        })
      })
  )
}

export default routes
