import type { Money } from '@linker/sdk'
import type { Static } from '@sinclair/typebox'
import type { Query } from '../../database/database.ts'
import { removeInSteps } from '../../database/remove-in-steps.ts'
import type { createOffer } from '../jobs.ts'
import type { ListedVariant } from './new-offer.ts'
import type { BulkItem } from './schemas.ts'
import {
  deleteOldBatches,
  insertBatch,
  insertItems,
  selectBatch,
  selectExisting,
  selectItemsForUpdate,
  selectListed,
  selectVariants,
  updateItems,
  upsertDrafts
} from './statements.ts'

/** A variant with all that an offer is made of, and its stock. */
export interface VariantRow extends Omit<ListedVariant, 'quantity' | 'isOnSale'> {
  stock: number | null
  reserved: number | null
  isCounted: boolean | null
  isSellable: boolean
  sellsInactive: boolean
  confirmedQuantity: number | null
}

/** Reads variants for a marketplace, without those that the master does not have any more. */
export async function readVariants (
  query: Query,
  connectionId: string,
  variantIds: readonly string[]
): Promise<VariantRow[]> {
  return query<VariantRow>(selectVariants, [variantIds, connectionId])
}

/**
 * Returns the variants that have an offer which is on sale, or will be. Ended and failed offers do
 * not count: the hub lists their variants again.
 */
export async function readOffered (
  query: Query,
  connectionId: string,
  variantIds: readonly string[]
): Promise<ReadonlySet<string>> {
  const rows = await query<{ variantId: string }>(selectExisting, [connectionId, variantIds])
  return new Set(rows.map(({ variantId }) => variantId))
}

/** An offer as its row begins. */
export interface Draft {
  id: string
  variantId: string
  externalId: string
  title: string
  price: Money
  /** The job that creates the offer. */
  jobId: string
}

/**
 * Inserts the missing offers, and makes ended and failed ones drafts again. Returns their ids by
 * variant, without the offers that another request made meanwhile.
 */
export async function storeDrafts (
  query: Query,
  connectionId: string,
  drafts: readonly Draft[],
  now: Date
): Promise<ReadonlyMap<string, string>> {
  const made = await query<{ id: string, variantId: string }>(
    upsertDrafts,
    [connectionId, JSON.stringify(drafts), now]
  )
  return new Map(made.map(({ id, variantId }) => [variantId, id]))
}

/** An offer of a variant. */
export interface ListedOffer {
  id: string
  variantId: string
  status: string
  /** The last job that creates or created the offer. */
  jobId: string | null
}

/** Returns the offers of variants: first those on sale, and of these the newest first. */
export async function listOffersOf (
  query: Query,
  connectionId: string,
  variantIds: readonly string[]
): Promise<ListedOffer[]> {
  return query<ListedOffer>(selectListed, [connectionId, variantIds])
}

/** The variant or the product that an item of a batch names. */
export type Named = Pick<BulkItem, 'variantId' | 'productId'>

/** An item of a batch and the last job that creates its offer. */
export interface BatchItem {
  position: number
  item: Named
  variantId: string
  offerId: string
  jobId: string
}

/** A batch with its items, in the order of the request. */
export interface Batch {
  id: string
  connectionId: string
  createdAt: string
  items: BatchItem[]
}

/** Stores a batch. Does nothing for a batch that is stored already. */
export async function storeBatch (
  query: Query,
  { id, connectionId, items }: Pick<Batch, 'id' | 'connectionId' | 'items'>
): Promise<void> {
  await query(insertBatch, [id, connectionId])
  await query(insertItems, [id, JSON.stringify(items)])
}

/** Reads a batch with its items. */
export async function findBatch (query: Query, id: string): Promise<Batch | undefined> {
  const [batch] = await query<Batch>(selectBatch, [id])
  return batch
}

/** An item of a batch, and how its last job ended. */
export interface LockedItem extends Pick<BatchItem, 'position' | 'offerId' | 'jobId'> {
  payload: Static<typeof createOffer.payload>
  isFailed: boolean
}

/** Locks the items of a batch whose jobs are still known. */
export async function lockItems (query: Query, batchId: string): Promise<LockedItem[]> {
  return query<LockedItem>(selectItemsForUpdate, [batchId])
}

/** Gives items their next jobs, and makes their failed offers drafts again. */
export async function reviveItems (
  query: Query,
  batchId: string,
  next: readonly Pick<BatchItem, 'position' | 'offerId' | 'jobId'>[]
): Promise<void> {
  await query(updateItems, [batchId, JSON.stringify(next)])
}

// A batch has up to 100 items, and more when an item names a product.
const mostBatchesAtOnce = 20

/** Removes batches made at least `days` ago whose jobs have ended. Returns how many. */
export async function removeOldBatches (query: Query, days: number, signal?: AbortSignal): Promise<number> {
  return removeInSteps(query, deleteOldBatches, signal, { limit: mostBatchesAtOnce, values: [days] })
}
