import { RejectedError, type StockLevel } from '@linker/sdk'
import { variantIdOf } from '../catalog/identity.ts'
import { clearMissing, recordReferences } from '../catalog/record-products.ts'
import type { Transaction } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { toStorableJson } from '../jobs/storable-json.ts'

/** What the column holds. */
const largestQuantity = 2_147_483_647

/** A row of stock as it stands after it was written. */
export interface StoredVersion { variantId: string, version: number }

type Writer = Pick<Transaction, 'query'>

/**
 * Writes quantities read from a master shop and answers what follows: a propagation per variant and a first reading of
 * products not seen before. The version grows only when the quantity changed, and the propagation's key carries it:
 * repeating a reading starts nothing, while 5 → 6 → 5 starts three propagations.
 */
export async function recordStock (transaction: Writer, connectionId: string, found: readonly StockLevel[], requestId?: string): Promise<JobRequest[]> {
  const { stored, newProducts } = await storeQuantities(transaction, connectionId, parseLevels(found))
  return [...newProducts.map(externalId => firstReadingJob(connectionId, externalId, requestId)), ...propagationJobs(connectionId, stored, requestId)]
}

/** Checks quantities of an adapter and makes them storable. */
export function parseLevels (found: readonly StockLevel[]): StockLevel[] {
  const levels = JSON.parse(toStorableJson(found)) as StockLevel[]
  const beyond = levels.find(level => Math.abs(level.quantity) > largestQuantity)
  if (beyond !== undefined) throw new RejectedError(`the shop says that it has ${beyond.quantity} of variant '${beyond.variantExternalId}': that is no stock`)
  return levels
}

/** Quantities as rows. A statement may not write a row twice: of a variant that is named twice, the last word counts. */
export function quantityRows (connectionId: string, levels: readonly StockLevel[]): { id: string, quantity: number }[] {
  const quantities = new Map(levels.map(level => [variantIdOf(connectionId, level.productExternalId, level.variantExternalId), level.quantity]))
  return [...quantities].map(([id, quantity]) => ({ id, quantity }))
}

/**
 * Writes quantities. With `readAt`, when the page of a listing was asked for, a row stays that was read by itself since: the page may be older.
 * Answers the rows as they stand, without those of variants made here, which no offer can sell yet.
 */
export async function storeQuantities (transaction: Writer, connectionId: string, levels: readonly StockLevel[], readAt?: string): Promise<{ stored: StoredVersion[], newProducts: string[] }> {
  if (levels.length === 0) return { stored: [], newProducts: [] }
  const { newProducts, newVariants } = await recordReferences(transaction, connectionId, levels)
  const rows = quantityRows(connectionId, levels)
  await clearMissing(transaction, rows.map(({ id }) => id))
  const stored = await transaction.query<StoredVersion>(`
    insert into stock (variant_id, quantity, version, updated_at)
    select id, quantity, 1, now() from jsonb_to_recordset($1::jsonb) as l (id uuid, quantity integer) order by id
    on conflict (variant_id) do update set
      quantity = excluded.quantity,
      version = stock.version + case when stock.quantity = excluded.quantity then 0 else 1 end,
      updated_at = case when stock.quantity = excluded.quantity then stock.updated_at else now() end,
      read_at = now()
    where $2::timestamptz is null or stock.read_at < $2
    returning variant_id as "variantId", version`, [JSON.stringify(rows), readAt ?? null])
  return { stored: stored.filter(({ variantId }) => !newVariants.has(variantId)), newProducts }
}

/** Pieces that orders of marketplaces took, or gave back, as changes of what is reserved. A change raises the version as one of the quantity does. */
export async function recordReserved (transaction: Writer, changes: readonly { variantId: string, by: number }[]): Promise<StoredVersion[]> {
  const sums = Map.groupBy(changes, ({ variantId }) => variantId)
  const rows = [...sums].map(([id, ofVariant]) => ({ id, by: ofVariant.reduce((sum, { by }) => sum + by, 0) }))
  return transaction.query<StoredVersion>(`
    with change as (select id, by from jsonb_to_recordset($1::jsonb) as c (id uuid, by integer) where by <> 0),
    locked as (select variant_id from stock where variant_id in (select id from change) order by variant_id for update)
    update stock set reserved = greatest(0, reserved + change.by), version = version + 1, updated_at = now()
    from change join locked on locked.variant_id = change.id where stock.variant_id = change.id
    returning stock.variant_id as "variantId", stock.version`, [JSON.stringify(rows)])
}

/** Lets the offers of variants follow their stock. */
export function propagationJobs (connectionId: string, stored: readonly StoredVersion[], requestId?: string): JobRequest[] {
  return stored.map(({ variantId, version }) => ({
    jobType: 'inventory.propagateToMarketplaces', connectionId, payload: { variantId, stockVersion: version }, idempotencyKey: `stock:${variantId}:${version}`, ...requestIdMember(requestId)
  }))
}

/** Reads what a product is that so far only its stock is known of. */
export function firstReadingJob (connectionId: string, externalId: string, requestId?: string): JobRequest {
  return { jobType: 'master.product.syncByExternalId', connectionId, payload: { externalId }, idempotencyKey: `product:${connectionId}:${externalId}:first`, ...requestIdMember(requestId) }
}

function requestIdMember (requestId: string | undefined): { requestId?: string } {
  return requestId === undefined ? {} : { requestId }
}
