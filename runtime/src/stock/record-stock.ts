import { RejectedError, type StockLevel } from '@linker/sdk'
import { variantIdOf } from '../catalog/identity.ts'
import { syncProduct } from '../catalog/jobs.ts'
import { recordReferences } from '../catalog/record-products.ts'
import { clearMissing } from '../catalog/store.ts'
import type { Transaction } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import type { JobRequest } from '../jobs/job.ts'
import { noteOutdated } from '../jobs/store.ts'
import { propagateStock } from './jobs.ts'
import { writeQuantities, type StoredVersion } from './store.ts'

/** The largest number of the column. */
const largestQuantity = 2_147_483_647

type Writer = Pick<Transaction, 'query'>

/** The job that read quantities. `claimedAt`: the reading did not begin before this time. */
export interface Reading {
  id: string
  connectionId: string
  claimedAt: string
  requestId?: string
}

/**
 * Writes quantities that a job read from a master shop. Returns the jobs that follow: a propagation
 * per variant, and a first reading of each new product. The version grows only when the quantity
 * changed, and the propagation's key carries it: repeating a reading starts nothing, while 5 → 6 →
 * 5 starts three propagations. Call it in the transaction that ends the job: the job's result says
 * how many quantities came too late.
 */
export async function recordStock (
  transaction: Writer,
  { id, connectionId, claimedAt, requestId }: Reading,
  found: readonly StockLevel[]
): Promise<JobRequest[]> {
  const levels = parseLevels(found)
  const { stored, newProducts, outdated } = await storeQuantities(transaction, connectionId, levels, claimedAt)
  if (outdated > 0) await noteOutdated(transaction.query, id, outdated)
  return [
    ...newProducts.map(externalId => firstReadingJob(connectionId, externalId, requestId)),
    ...propagationJobs(connectionId, stored, requestId)
  ]
}

/** Checks quantities of an adapter and makes them storable. */
export function parseLevels (found: readonly StockLevel[]): StockLevel[] {
  const levels = JSON.parse(toStorableJson(found)) as StockLevel[]
  const beyond = levels.find(level => Math.abs(level.quantity) > largestQuantity)
  if (beyond !== undefined) {
    const { quantity, variantExternalId } = beyond
    throw new RejectedError(`the shop reports an invalid quantity of variant '${variantExternalId}': ${quantity}`)
  }
  return levels
}

/**
 * Returns quantities by the id of their variant. When a variant is named twice, the last quantity
 * counts: a statement must not write a row twice.
 */
export function byVariant (connectionId: string, levels: readonly StockLevel[]): Map<string, StockLevel> {
  return new Map(levels.map(
    level => [variantIdOf(connectionId, level.productExternalId, level.variantExternalId), level]
  ))
}

export interface StoredQuantities {
  stored: StoredVersion[]
  newProducts: string[]
  outdated: number
}

/**
 * Writes quantities. `readAt`: the start of the reading or earlier, by the clock of the database.
 * Rows with a later reading stay, and are counted as `outdated`. Returns the written rows, without
 * those of new variants, which no offer can sell yet.
 */
export async function storeQuantities (
  transaction: Writer,
  connectionId: string,
  levels: readonly StockLevel[],
  readAt: string
): Promise<StoredQuantities> {
  if (levels.length === 0) return { stored: [], newProducts: [], outdated: 0 }
  const { newProducts, newVariants } = await recordReferences(transaction, connectionId, levels)
  const found = byVariant(connectionId, levels)
  const stored = await writeQuantities(transaction.query, found, readAt)
  await clearMissing(transaction.query, stored.map(({ variantId }) => variantId))
  return {
    stored: stored.filter(({ variantId }) => !newVariants.has(variantId)),
    newProducts,
    outdated: found.size - stored.length
  }
}

/** Returns the jobs that write the offers of variants after a change of their stock. */
export function propagationJobs (
  connectionId: string,
  stored: readonly StoredVersion[],
  requestId?: string
): JobRequest[] {
  return stored.map(({ variantId, version }) =>
    propagateStock.request({ variantId, stockVersion: version }, {
      connectionId,
      key: `stock:${variantId}:${version}`,
      requestId
    })
  )
}

/** The job that reads a product of which the hub only knows the stock. */
export function firstReadingJob (connectionId: string, externalId: string, requestId?: string): JobRequest {
  return syncProduct.request({ externalId }, {
    connectionId,
    key: `product:${connectionId}:${externalId}:first`,
    requestId
  })
}
