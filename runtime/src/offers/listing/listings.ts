import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { listVariantIds, requireVariants } from '../../catalog/store.ts'
import type { Connections } from '../../connections/connections.ts'
import type { OpenConnection } from '../../connections/open-connection.ts'
import { requirePresent } from '../../connections/store.ts'
import type { Database, Query, Transaction } from '../../database/database.ts'
import {
  CapabilityNotSupportedException,
  OfferAlreadyListedError,
  ProductNotFoundError,
  VariantNotFoundError
} from '../../errors.ts'
import type { RequestIds } from '../../http/request-ids.ts'
import type { EnqueueJobs } from '../../jobs/enqueue.ts'
import { jobIdOf } from '../../jobs/identity.ts'
import { createOfferChecks, type OfferChecks } from '../check-offers.ts'
import { createOffer } from '../jobs.ts'
import { readListed } from './listed-variants.ts'
import { creationKey, prepareOffers, type Prepared, type Wanted } from './prepare.ts'
import type { Listing, OfferCreation } from './schemas.ts'
import { listOffersOf, readOffered, storeDrafts, type Draft } from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    listings: Listings
  }
}

export type Listings = ReturnType<typeof createListings>

export interface ListingsOptions {
  database: Database
  connections: Pick<Connections, 'openEnabled'>
  checks: OfferChecks
  enqueueJobs: EnqueueJobs
  now: () => Date
}

export function createListings ({ database, connections, checks, enqueueJobs, now }: ListingsOptions) {
  /** Lists one variant. */
  async function listVariant (
    connectionId: string,
    variantId: string,
    listing: Listing,
    request: RequestIds
  ): Promise<OfferCreation> {
    const opened = await openListable(connectionId)
    const known = await readListed(database.query, connectionId, [variantId])
    if (!known.has(variantId)) throw new VariantNotFoundError(variantId)
    const wanted = { variantId, listing, subject: '/variantId', locate: asItIs }
    const [creation] = await list(opened, [wanted], request)
    if (creation?.jobId === undefined) throw new OfferAlreadyListedError(variantId, creation?.offerId ?? '')
    return creation
  }

  /** Lists all variants of a product. Leaves variants alone that have an offer already. */
  async function listProduct (
    connectionId: string,
    productId: string,
    listing: Listing,
    request: RequestIds
  ): Promise<OfferCreation[]> {
    const opened = await openListable(connectionId)
    const variantIds = (await listVariantIds(database.query, [productId])).get(productId)
    if (variantIds === undefined) throw new ProductNotFoundError(productId)
    const wanted = variantIds.map(variantId => ({ variantId, listing, subject: '/params/productId', locate: asItIs }))
    return list(opened, wanted, request)
  }

  async function openListable (connectionId: string): Promise<OpenConnection> {
    const opened = await connections.openEnabled(connectionId)
    if (!opened.connection.capabilities.includes('OfferManager')) {
      throw new CapabilityNotSupportedException(opened.connection.adapterKey, 'OfferManager')
    }
    return opened
  }

  /**
   * Checks all variants, then makes every offer and its job in one transaction. `inSame` stores its
   * own rows in the same transaction. Variants that have an offer already get none.
   */
  async function list (
    opened: OpenConnection,
    wanted: readonly Wanted[],
    request: RequestIds,
    inSame?: (transaction: Transaction, creations: readonly OfferCreation[]) => Promise<void>
  ): Promise<OfferCreation[]> {
    const { id: connectionId } = opened.connection
    const variantIds = wanted.map(({ variantId }) => variantId)
    const offered = await readOffered(database.query, connectionId, variantIds)
    const unlisted = wanted.filter(({ variantId }) => !offered.has(variantId))
    const prepared = await prepareOffers({ query: database.query, checks }, opened, unlisted, request)
    const creations = await database.transaction(async transaction => {
      await requirePresent(transaction.query, connectionId)
      await requireVariants(transaction.query, prepared.map(({ variantId }) => variantId))
      const made = await storeDrafts(transaction.query, connectionId, prepared.map(toDraft), now())
      const jobs = prepared.flatMap(({ variantId, key, payload }) => {
        const offerId = made.get(variantId)
        return offerId === undefined
          ? []
          : [createOffer.request({ ...payload, offerId }, { connectionId, key, requestId: request.requestId })]
      })
      await enqueueJobs(jobs, transaction)
      const result = await describeCreations(transaction.query, connectionId, wanted, request)
      await inSame?.(transaction, result)
      return result
    })
    database.notify('jobs')
    return creations
  }

  return { listVariant, listProduct, openListable, list }
}

function asItIs (pointer: string): string {
  return pointer
}

function toDraft ({ variantId, offer: { externalId, title, price }, key }: Prepared): Draft {
  return { id: randomUUID(), variantId, externalId, title, price, jobId: jobIdOf(key) }
}

async function describeCreations (
  query: Query,
  connectionId: string,
  wanted: readonly Wanted[],
  { operationId }: RequestIds
): Promise<OfferCreation[]> {
  const rows = await listOffersOf(query, connectionId, wanted.map(({ variantId }) => variantId))
  return wanted.flatMap(({ variantId }): OfferCreation[] => {
    const row = rows.find(candidate => candidate.variantId === variantId)
    if (row === undefined) return []
    const jobId = jobIdOf(creationKey(operationId, variantId))
    const reference = { variantId, offerId: row.id, status: row.status }
    return row.jobId === jobId
      ? [{ ...reference, jobId }]
      : [{ ...reference, reason: 'the variant is already listed on this connection' }]
  })
}

export default fp<{ now: () => Date }>(async (app, { now }) => {
  const { database, connections } = app
  app.decorate(
    'listings',
    createListings({
      database,
      connections,
      checks: createOfferChecks(app.adapters),
      enqueueJobs: app.jobs.enqueueJobs,
      now
    })
  )
}, { name: 'listings', dependencies: ['database', 'connections', 'adapters', 'jobs'] })
