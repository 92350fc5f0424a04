import { RejectedError, type StockLevel } from '@linker/sdk'
import { variantIdOf } from '../catalog/identity.ts'
import { recordReferences } from '../catalog/record-products.ts'
import type { Transaction } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { toStorableJson } from '../jobs/storable-json.ts'

/** What the column holds. */
const largestQuantity = 2_147_483_647

/**
 * Writes quantities read from a master shop and answers what follows: a propagation per variant and a first reading of
 * products not seen before. The version grows only when the quantity changed, and the propagation's key carries it:
 * repeating a reading starts nothing, while 5 → 6 → 5 starts three propagations.
 */
export async function recordStock (transaction: Pick<Transaction, 'query'>, connectionId: string, found: readonly StockLevel[], requestId?: string): Promise<JobRequest[]> {
  if (found.length === 0) return []
  const levels = JSON.parse(toStorableJson(found)) as StockLevel[]
  const beyond = levels.find(level => Math.abs(level.quantity) > largestQuantity)
  if (beyond !== undefined) throw new RejectedError(`the shop says that it has ${beyond.quantity} of variant '${beyond.variantExternalId}': that is no stock`)
  const newProducts = await recordReferences(transaction, connectionId, levels)
  // A statement may not write a row twice: of a variant that is named twice, the last word counts.
  const quantities = new Map(levels.map(level => [variantIdOf(connectionId, level.productExternalId, level.variantExternalId), level.quantity]))
  const rows = [...quantities].map(([id, quantity]) => ({ id, quantity }))
  const stored = await transaction.query<{ variant_id: string, version: number }>(`
    insert into stock (variant_id, quantity, version, updated_at)
    select id, quantity, 1, now() from jsonb_to_recordset($1::jsonb) as l (id uuid, quantity integer) order by id
    on conflict (variant_id) do update set
      quantity = excluded.quantity,
      version = stock.version + case when stock.quantity = excluded.quantity then 0 else 1 end,
      updated_at = case when stock.quantity = excluded.quantity then stock.updated_at else now() end
    returning variant_id, version`, [JSON.stringify(rows)])
  const request = requestId === undefined ? {} : { requestId }
  return [
    ...newProducts.map(externalId => ({
      jobType: 'master.product.syncByExternalId', connectionId, payload: { externalId }, idempotencyKey: `product:${connectionId}:${externalId}:first`, ...request
    })),
    ...stored.map(row => ({
      jobType: 'inventory.propagateToMarketplaces', connectionId, payload: { variantId: row.variant_id, stockVersion: row.version }, idempotencyKey: `stock:${row.variant_id}:${row.version}`, ...request
    }))
  ]
}
