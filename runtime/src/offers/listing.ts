import type { FieldError, NewOffer } from '@linker/sdk'
import type { Static } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import type { Connections } from '../connections/connections.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import type { Database, Transaction } from '../database/database.ts'
import {
  CapabilityNotSupportedException,
  InvalidOfferError,
  OfferAlreadyListedError,
  ProductNotFoundError,
  VariantNotFoundError
} from '../errors.ts'
import type { ProblemDetail } from '../http/problem.ts'
import type { EnqueueJobs } from '../jobs/enqueue.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { createOfferChecks, type OfferChecks } from './check-offers.ts'
import { readExisting, readListed, variantsOf } from './listed-variants.ts'
import type { Listing, OfferCreation } from './listing-schemas.ts'
import { createOffer } from './jobs.ts'
import { draftOffer, toListingPointer } from './new-offer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    listings: Listings
  }
}

export type Listings = ReturnType<typeof createListings>

export interface ListingsOptions {
  database: Database
  connections: Connections
  checks: OfferChecks
  enqueueJobs: EnqueueJobs
  now: () => Date
}

/** A variant to list. */
export interface Wanted {
  variantId: string
  listing: Listing
  /** Pointer to the member of the request that names the variant. */
  subject: string
  /** Translates a pointer into the listing to a pointer into the request. */
  locate(pointer: string): string
}

/** The ids of an HTTP request. Its repetitions have the same `operationId`. */
export interface ListingRequest {
  operationId: string
  requestId: string
}

interface Prepared {
  variantId: string
  offer: NewOffer
  /** The key of the job that creates the offer. */
  key: string
  payload: Omit<CreationPayload, 'offerId'>
}

type CreationPayload = Static<typeof createOffer.payload>

function createListings ({ database, connections, checks, enqueueJobs, now }: ListingsOptions) {
  /** Lists one variant. */
  async function listVariant (
    connectionId: string,
    variantId: string,
    listing: Listing,
    request: ListingRequest
  ): Promise<OfferCreation> {
    const opened = await openListable(connectionId)
    if (!(await readListed(database.query, [variantId])).has(variantId)) throw new VariantNotFoundError(variantId)
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
    request: ListingRequest
  ): Promise<OfferCreation[]> {
    const opened = await openListable(connectionId)
    const variantIds = (await variantsOf(database.query, [productId])).get(productId)
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
    request: ListingRequest,
    inSame?: (transaction: Transaction, creations: readonly OfferCreation[]) => Promise<void>
  ): Promise<OfferCreation[]> {
    const { id: connectionId } = opened.connection
    const variantIds = wanted.map(({ variantId }) => variantId)
    const listed = await readExisting(database.query, connectionId, variantIds)
    const prepared = await prepare(opened, wanted.filter(({ variantId }) => !listed.has(variantId)), request)
    const creations = await database.transaction(async transaction => {
      const made = await insertOffers(transaction, connectionId, prepared, now())
      const jobs = prepared.flatMap(({ variantId, key, payload }) => {
        const offerId = made.get(variantId)
        return offerId === undefined
          ? []
          : [createOffer.request({ ...payload, offerId }, { connectionId, key, requestId: request.requestId })]
      })
      await enqueueJobs(jobs, transaction)
      const result = await describeCreations(transaction, connectionId, wanted, request)
      await inSame?.(transaction, result)
      return result
    })
    database.notify('jobs')
    return creations
  }

  async function prepare (
    opened: OpenConnection,
    wanted: readonly Wanted[],
    request: ListingRequest
  ): Promise<Prepared[]> {
    const variants = await readListed(database.query, wanted.map(({ variantId }) => variantId))
    const drafts = wanted.flatMap(item => {
      const variant = variants.get(item.variantId)
      return variant === undefined ? [] : [{ item, ...draftOffer(variant, item.listing) }]
    })
    const unknown = wanted.filter(({ variantId }) => !variants.has(variantId))
    const offers = drafts.map(({ offer }) => offer)
    const found = offers.length === 0 ? [] : await checks.ofNew(opened, offers, request.requestId)
    refuse([
      ...unknown.map(unknownVariant),
      ...drafts.flatMap(({ item, problems }, index) => locateProblems(item, problems, found[index] ?? []))
    ])
    return drafts.map(({ item: { variantId, listing }, offer }) => ({
      variantId,
      offer,
      key: creationKey(request.operationId, variantId),
      payload: creationPayload(listing, offer)
    }))
  }

  return { listVariant, listProduct, openListable, list }
}

/** The idempotency key of a creation: a repeated request makes no second job for an offer. */
export function creationKey (operationId: string, variantId: string): string {
  return `api:offer-create:${operationId}:${variantId}`
}

/** Without a quantity of the operator, the job reads the stock when it creates the offer. */
function creationPayload (
  listing: Listing,
  { externalId: _key, quantity, ...offer }: NewOffer
): Omit<CreationPayload, 'offerId'> {
  return { offer, quantity: listing.stock === undefined ? undefined : quantity }
}

function asItIs (pointer: string): string {
  return pointer
}

function unknownVariant ({ variantId, subject }: Wanted): ProblemDetail {
  return { pointer: subject, code: 'unknown', message: `the catalog has no variant '${variantId}'` }
}

/** Answers the problems that the hub and the adapter found, with pointers into the request. */
function locateProblems (item: Wanted, own: readonly FieldError[], found: readonly FieldError[]): ProblemDetail[] {
  const { listing, subject, locate } = item
  // Ignore what the adapter says of a stand-in: the hub reports the missing value itself.
  const isStandIn = (pointer: string): boolean => {
    return pointer !== '' && own.some(known => isWithin(known.pointer, pointer) || isWithin(pointer, known.pointer))
  }
  const others = found.flatMap(problem => {
    const pointer = toListingPointer(problem.pointer, listing)
    const member = problem.pointer.slice(1)
    if (pointer === undefined) return [{ ...problem, pointer: subject, message: `${member}: ${problem.message}` }]
    return isStandIn(pointer) ? [] : [{ ...problem, pointer: locate(pointer) }]
  })
  return [...own.map(problem => ({ ...problem, pointer: locate(problem.pointer) })), ...others]
}

function isWithin (inner: string, outer: string): boolean {
  return `${inner}/`.startsWith(`${outer}/`)
}

/**
 * Throws `InvalidOfferError` when there are problems. The message is the platform's own, so that a
 * client can look for it; the pointers say where. Variants of one product share their problems:
 * each one is reported once.
 */
export function refuse (found: readonly ProblemDetail[]): void {
  const problems = [...new Map(found.map(problem => [`${problem.pointer}\n${problem.message}`, problem])).values()]
  if (problems.length === 0) return
  const message = [...new Set(problems.map(problem => problem.message))].join('; ')
  throw Object.assign(new InvalidOfferError(message), { errors: problems })
}

const insertDrafts = `
  insert into offers (
    id, connection_id, variant_id, external_id, status, title, price, create_job_id,
    frozen_fields, problems, created_at, updated_at
  )
  select id, $1, "variantId", "externalId", 'DRAFT', title, price, "jobId", '[]', '[]', $3, $3
  from jsonb_to_recordset($2::jsonb) as wanted (
    id uuid, "variantId" uuid, "externalId" text, title text, price jsonb, "jobId" uuid
  )
  order by "externalId"
  on conflict (connection_id, external_id) do update set
    status = 'DRAFT',
    title = excluded.title,
    price = excluded.price,
    create_job_id = excluded.create_job_id,
    frozen_fields = '[]',
    problems = '[]',
    upstream_status = null,
    quantity = null,
    stock_version = null,
    sent_link_version = null,
    upstream_quantity = null,
    created_upstream_at = null,
    last_synced_at = null,
    written_at = null,
    seen_at = null,
    updated_at = $3
  where offers.status in ('ENDED', 'FAILED')
    and offers.variant_id = excluded.variant_id
    -- A repetition of the request whose job has died already makes no other job.
    and offers.create_job_id is distinct from excluded.create_job_id
  returning id, variant_id as "variantId"`

/**
 * Inserts the missing offers, and makes ended and failed ones drafts again. Answers their ids by
 * variant, without the offers that another request made meanwhile.
 */
async function insertOffers (
  { query }: Transaction,
  connectionId: string,
  prepared: readonly Prepared[],
  now: Date
): Promise<ReadonlyMap<string, string>> {
  const rows = prepared.map(({ variantId, offer, key }) => ({
    id: randomUUID(),
    variantId,
    externalId: offer.externalId,
    title: offer.title,
    price: offer.price,
    jobId: jobIdOf(key)
  }))
  const made = await query<{ id: string, variantId: string }>(insertDrafts, [connectionId, JSON.stringify(rows), now])
  return new Map(made.map(({ id, variantId }) => [variantId, id]))
}

const selectListed = `
  select id, variant_id as "variantId", status, create_job_id as "jobId"
  from offers
  where connection_id = $1 and variant_id = any($2::uuid[])
  order by (status in ('ENDED', 'FAILED')), created_at desc, id`

async function describeCreations (
  { query }: Transaction,
  connectionId: string,
  wanted: readonly Wanted[],
  { operationId }: ListingRequest
): Promise<OfferCreation[]> {
  const rows = await query<{ id: string, variantId: string, status: string, jobId: string | null }>(
    selectListed,
    [connectionId, wanted.map(({ variantId }) => variantId)]
  )
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
