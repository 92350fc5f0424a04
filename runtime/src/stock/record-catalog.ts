import type { Product } from '@linker/sdk'
import { recordProducts, variantsById } from '../catalog/record-products.ts'
import type { Transaction } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { propagationJobs } from './record-stock.ts'
import { raiseSwitchedVersions } from './store.ts'

/**
 * Writes the products of a master shop. Returns the propagations of the variants that the shop has
 * switched on or off: their stock stays, and their offers show another quantity.
 */
export async function recordCatalog (
  transaction: Pick<Transaction, 'query'>,
  connectionId: string,
  products: readonly Product[],
  requestId?: string
): Promise<JobRequest[]> {
  if (products.length === 0) return []
  const told =
    new Map(products.flatMap(product =>
      Array.from(variantsById(connectionId, product), ([id, { sellable }]) => [id, { id, isSellable: sellable }])
    ))
  const switched = await raiseSwitchedVersions(transaction.query, [...told.values()])
  await recordProducts(transaction, connectionId, products)
  return propagationJobs(connectionId, switched, { requestId })
}
