import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { openingProblems } from '../../connections/open-connection.ts'
import { IdempotencyHeaders } from '../../http/idempotency.ts'
import { Id } from '../../http/schemas.ts'
import { printable } from '../../text-patterns.ts'
import { refuse } from '../refuse.ts'
import { createBatch, describeBatch, retryFailed } from './batches.ts'
import { misshapenImages } from './new-offer.ts'
import {
  BatchCreation,
  BatchView,
  BulkBody,
  JobReference,
  OfferBody,
  OfferCreation,
  OfferFieldsBody,
  ProductListingBody
} from './schemas.ts'

const OfParams = Type.Object({ connectionId: Id })
// `offerId` is the hub's id of an offer or the marketplace's.
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

  app.addHook('preValidation', async ({ body }) => {
    refuse(misshapenImages(body))
  })

  app.post('/listings/connections/:connectionId/offers', {
    config: {
      scope: 'operate',
      idempotent: true,
      problems: [
        ...openingProblems,
        'LNK_OFFER_INVALID',
        'LNK_CAPABILITY_NOT_SUPPORTED',
        'LNK_VARIANT_NOT_FOUND',
        'LNK_OFFER_ALREADY_LISTED'
      ]
    },
    schema: {
      tags,
      operationId: 'createOffer',
      summary: 'Create an offer for a variant',
      description:
        'Answers 202 when the job is stored. The offer exists at the marketplace when the job has succeeded.',
      params: OfParams,
      headers: IdempotencyHeaders,
      body: OfferBody,
      response: { 202: Type.Ref(OfferCreation) }
    }
  }, async (request, reply) => {
    const { params: { connectionId }, body: { variantId, ...listing }, operationId, id: requestId } = request
    const creation = await listings.listVariant(connectionId, variantId, listing, { operationId, requestId })
    return reply.code(202).send(creation)
  })

  app.post('/listings/connections/:connectionId/products/:productId/offers', {
    config: {
      scope: 'operate',
      idempotent: true,
      problems: [
        ...openingProblems,
        'LNK_OFFER_INVALID',
        'LNK_CAPABILITY_NOT_SUPPORTED',
        'LNK_PRODUCT_NOT_FOUND'
      ]
    },
    schema: {
      tags,
      operationId: 'createProductOffers',
      summary: 'Create an offer for each variant of a product',
      description: 'Answers with one entry for each variant; `reason` says why a variant gets no offer.',
      params: Type.Object({ connectionId: Id, productId: Id }),
      headers: IdempotencyHeaders,
      body: ProductListingBody,
      response: { 202: Type.Array(Type.Ref(OfferCreation)) }
    }
  }, async (request, reply) => {
    const { params: { connectionId, productId }, body, operationId, id: requestId } = request
    const creations = await listings.listProduct(connectionId, productId, body, { operationId, requestId })
    return reply.code(202).send(creations)
  })

  app.post(
    '/listings/connections/:connectionId/offers/:offerId/fields',
    {
      config: {
        scope: 'operate',
        idempotent: true,
        problems: [
          ...openingProblems,
          'LNK_OFFER_INVALID',
          'LNK_PRICE_NOT_CONFIRMED',
          'LNK_CAPABILITY_NOT_SUPPORTED',
          'LNK_OFFER_NOT_FOUND'
        ]
      },
      schema: {
        tags,
        operationId: 'updateOfferFields',
        summary: 'Change price, title or description of an offer',
        description:
          'Only the members of the body change. The currency of a price is that of the offer. The hub leaves out ' +
          'fields that the seller froze. `offerId` is the id of the hub or that of the marketplace.',
        params: OfferParams,
        headers: IdempotencyHeaders,
        body: OfferFieldsBody,
        response: { 202: Type.Ref(JobReference) }
      }
    },
    async (request, reply) => {
      const { params, body, operationId, id: requestId } = request
      return reply.code(202).send(await offers.updateFields(params, body, { operationId, requestId }))
    }
  )

  app.post(
    '/listings/connections/:connectionId/offers/:offerId/end',
    {
      config: {
        scope: 'operate',
        idempotent: true,
        problems: [
          ...openingProblems,
          'LNK_OFFER_NOT_FOUND',
          'LNK_CAPABILITY_NOT_SUPPORTED'
        ]
      },
      schema: {
        tags,
        operationId: 'endOffer',
        summary: 'Take an offer off the marketplace',
        description: 'Starts a job. `offerId` is the id of the hub or that of the marketplace.',
        params: OfferParams,
        headers: IdempotencyHeaders,
        response: { 202: Type.Ref(JobReference) }
      }
    },
    async (request, reply) => {
      const { params, operationId, id: requestId } = request
      return reply.code(202).send(await offers.end(params, { operationId, requestId }))
    }
  )

  app.post(
    '/listings/bulk-create',
    {
      config: {
        scope: 'operate',
        idempotent: true,
        problems: [
          ...openingProblems,
          'LNK_OFFER_INVALID',
          'LNK_CAPABILITY_NOT_SUPPORTED',
          'LNK_PRODUCT_NOT_FOUND',
          'LNK_VARIANT_NOT_FOUND'
        ]
      },
      schema: {
        tags,
        operationId: 'createOffers',
        summary: 'Create offers for up to 100 variants or products',
        description:
          'Answers 202 with a batch; read its progress with `readBatch`. `defaults` hold for every item that has ' +
          'no value of its own.',
        headers: IdempotencyHeaders,
        body: BulkBody,
        response: { 202: Type.Ref(BatchCreation) }
      }
    },
    async (request, reply) => {
      const { body, operationId, id: requestId } = request
      const creation = await createBatch({ database, listings }, body, { operationId, requestId })
      return reply.code(202).send(creation)
    }
  )

  app.get('/listings/batches/:batchId', {
    config: { scope: 'read', problems: ['LNK_BATCH_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readBatch',
      summary: 'Read the progress of a batch',
      description: 'The batch has ended when `status` is not `running`.',
      params: BatchParams,
      response: { 200: Type.Ref(BatchView) }
    }
  }, async request => describeBatch(database.query, request.params.batchId))

  app.post(
    '/listings/batches/:batchId/retry-failed',
    {
      config: {
        scope: 'operate',
        idempotent: true,
        problems: ['LNK_BATCH_NOT_FOUND', 'LNK_CONNECTION_NOT_FOUND', 'LNK_CONNECTION_DISABLED']
      },
      schema: {
        tags,
        operationId: 'retryBatch',
        summary: 'Retry the failed items of a batch',
        description: 'Answers with the jobs that run again.',
        params: BatchParams,
        headers: IdempotencyHeaders,
        response: { 202: Type.Object({ jobIds: Type.Array(Id) }) }
      }
    },
    async (request, reply) => {
      const { params: { batchId }, operationId, id: requestId } = request
      const options = { database, connections, enqueueJobs }
      const jobIds = await retryFailed(options, batchId, { operationId, requestId })
      return reply.code(202).send({ jobIds })
    }
  )
}

export default routes
