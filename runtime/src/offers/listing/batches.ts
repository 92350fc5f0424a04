import { nameObject } from '../../audit/actor.ts'
import { listVariantIds } from '../../catalog/store.ts'
import type { Connections } from '../../connections/connections.ts'
import type { Database, Query } from '../../database/database.ts'
import { BatchNotFoundError } from '../../errors.ts'
import type { RequestIds } from '../../http/request-ids.ts'
import type { EnqueueJobs } from '../../jobs/enqueue.ts'
import { jobIdOf } from '../../jobs/identity.ts'
import { getJobs } from '../../jobs/store.ts'
import { createOffer } from '../jobs.ts'
import { refuse } from '../refuse.ts'
import type { Listings } from './listings.ts'
import { creationKey, type Wanted } from './prepare.ts'
import type { BatchCreation, BatchView, BulkBody, BulkItem, Listing, OfferCreation } from './schemas.ts'
import {
  findBatch,
  lockItems,
  reviveItems,
  storeBatch,
  type Batch,
  type BatchItem,
  type LockedItem,
  type Named
} from './store.ts'

export interface BatchesOptions {
  database: Database
  connections: Pick<Connections, 'getEnabled'>
  listings: Listings
  enqueueJobs: EnqueueJobs
}

interface BatchWanted extends Wanted {
  pointer: string
  item: Named
}

const mostOffers = 5_000

/**
 * Lists the variants and products that a request names, as a batch whose progress can be read.
 * Checks the whole request before it queues a job.
 */
export async function createBatch (
  { database, listings }: Pick<BatchesOptions, 'database' | 'listings'>,
  { connectionId, items, defaults = {} }: BulkBody,
  request: RequestIds
): Promise<BatchCreation> {
  nameObject({ connectionId })
  const opened = await listings.openListable(connectionId)
  const wanted = await expand(database.query, items, defaults)
  const itemOf = new Map(wanted.map(({ variantId, item }) => [variantId, item]))
  const batchId = request.operationId
  const creations = await listings.list(
    opened,
    wanted,
    request,
    ({ query }, made) => storeBatch(query, { id: batchId, connectionId, items: itemsOf(made, itemOf) })
  )
  const unmade = creations.filter(({ jobId }) => jobId === undefined)
  return {
    batchId,
    jobIds: creations.flatMap(({ jobId }) => jobId ?? []),
    skipped: unmade.map(({ variantId, offerId, reason = '' }) => {
      return { item: itemOf.get(variantId) ?? {}, variantId, offerId, reason }
    })
  }
}

/** Returns the items of a batch: the offers that the request makes, at their place among all. */
function itemsOf (creations: readonly OfferCreation[], itemOf: ReadonlyMap<string, Named>): BatchItem[] {
  return creations.flatMap(({ variantId, offerId, jobId }, position) =>
    jobId === undefined ? [] : [{ position, item: itemOf.get(variantId) ?? {}, variantId, offerId, jobId }]
  )
}

/** Returns one entry per variant; the item's own members win over the defaults of the request. */
async function expand (query: Query, items: readonly BulkItem[], defaults: Listing): Promise<BatchWanted[]> {
  const named = items.map(({ variantId, productId }) => ({ variantId, productId }))
  refuse(named.flatMap(({ variantId, productId }, index) => {
    if ((variantId === undefined) !== (productId === undefined)) return []
    const message = 'exactly one of variantId and productId is required'
    return [{ pointer: `/items/${index}`, code: 'required', message }]
  }))
  const products = await listVariantIds(query, named.flatMap(({ productId }) => productId ?? []))
  refuse(named.flatMap(({ productId }, index) => {
    if (productId === undefined || products.has(productId)) return []
    const message = `the catalog has no product '${productId}' with variants`
    return [{ pointer: `/items/${index}/productId`, code: 'unknown', message }]
  }))
  const wanted = items.flatMap(({ variantId, productId, ...listing }, index): BatchWanted[] => {
    const merged = mergeListing(defaults, listing)
    const ids = variantId === undefined ? products.get(productId ?? '') ?? [] : [variantId]
    const pointer = `/items/${index}`
    const subject = `${pointer}/${variantId === undefined ? 'productId' : 'variantId'}`
    const locate = (member: string): string => (isDefault(member, listing, defaults) ? '/defaults' : pointer) + member
    return ids.map(id => ({ variantId: id, listing: merged, pointer, subject, locate, item: named[index] ?? {} }))
  })
  const seen = new Set<string>()
  const repeated = wanted.filter(({ variantId }) => seen.size === seen.add(variantId).size)
  const problems = repeated.map(({ variantId, pointer }) => ({
    pointer,
    code: 'duplicate',
    message: `variant '${variantId}' is named twice`
  }))
  if (wanted.length > mostOffers) {
    const message = `the products have ${wanted.length} variants; a batch has at most ${mostOffers}`
    problems.push({ pointer: '/items', code: 'maximum', message })
  }
  refuse(problems)
  return wanted
}

function mergeListing (defaults: Listing, listing: Listing): Listing {
  return { ...defaults, ...listing, overrides: { ...defaults.overrides, ...listing.overrides } }
}

/** Whether the value at a pointer into an item's listing comes from the defaults of the request. */
function isDefault (pointer: string, own: Listing, defaults: Listing): boolean {
  const [, member = '', part = ''] = pointer.split('/')
  const isOverride = member === 'overrides'
  const has = (listing: Listing): boolean => {
    return isOverride ? Object.hasOwn(listing.overrides ?? {}, part) : Object.hasOwn(listing, member)
  }
  return has(defaults) && !has(own)
}

async function readBatch (query: Query, id: string): Promise<Batch> {
  const batch = await findBatch(query, id)
  if (batch === undefined) throw new BatchNotFoundError(id)
  return batch
}

/**
 * Returns how far a batch is. The jobs of its items say how each one ended: a stored counter would
 * be wrong after a crash.
 */
export async function describeBatch (query: Query, id: string): Promise<BatchView> {
  const { items, connectionId, createdAt } = await readBatch(query, id)
  const jobs = await getJobs(query, items.map(({ jobId }) => jobId))
  const described = items.map(({ item, variantId, offerId, jobId }) => {
    const job = jobs.get(jobId)
    // Retention has removed a missing job. It keeps failures longer, so this item succeeded.
    const status = job?.status ?? 'succeeded' as const
    return {
      item,
      variantId,
      offerId,
      jobId,
      status,
      problem: status === 'dead' || status === 'cancelled' ? job?.problem : undefined
    }
  })
  const count = (...statuses: string[]): number => described.filter(({ status }) => statuses.includes(status)).length
  const [succeeded, failed] = [count('succeeded'), count('dead', 'cancelled')]
  const endedAs = failed > 0 ? 'failed' as const : 'succeeded' as const
  const status = succeeded + failed < items.length ? 'running' as const : endedAs
  return {
    id,
    connectionId,
    status,
    total: items.length,
    succeeded,
    failed,
    items: described as BatchView['items'],
    createdAt: new Date(createdAt).toISOString()
  }
}

/** Tries the failed items once more, each with a new job. Returns the ids of the new jobs. */
export async function retryFailed (
  { database, connections, enqueueJobs }: Omit<BatchesOptions, 'listings'>,
  id: string,
  { operationId, requestId }: RequestIds
): Promise<string[]> {
  const { connectionId } = await readBatch(database.query, id)
  nameObject({ connectionId })
  await connections.getEnabled(connectionId)
  const jobIds = await database.transaction(async transaction => {
    const tried = await takeFailed(transaction.query, id, operationId)
    const requests = tried.map(({ payload, key }) => createOffer.request(payload, { connectionId, key, requestId }))
    return (await enqueueJobs(requests, transaction)).map(job => job.id)
  })
  database.notify('jobs')
  return jobIds
}

/**
 * Gives the items whose job failed the id of their next job, and makes their offers drafts again.
 * Returns these items, and those that an earlier try of this request took.
 */
async function takeFailed (
  query: Query,
  batchId: string,
  operationId: string
): Promise<(Pick<LockedItem, 'payload'> & { key: string })[]> {
  const items = await lockItems(query, batchId)
  const next = items.flatMap(({ position, offerId, jobId, isFailed, payload }) => {
    const key = creationKey(operationId, offerId)
    const nextId = jobIdOf(key)
    return isFailed || jobId === nextId ? [{ position, offerId, payload, key, jobId: nextId }] : []
  })
  await reviveItems(query, batchId, next)
  return next
}
