import type { Order } from '@linker/sdk'
import type { Query, Transaction } from '../../database/database.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { quantityJobs } from '../../offers/quantity-jobs.ts'
import { demandRewrite } from '../../offers/store.ts'
import { syncStock } from '../../stock/jobs.ts'
import { propagationJobs } from '../../stock/record-stock.ts'
import { recordReserved, recordSold, type PiecesChange } from '../../stock/reserved-pieces.ts'
import type { StoredVersion } from '../../stock/store.ts'
import { findProducts, findSoldOffers, freeLines, markKnownAtShop, reserveLines, takeLines } from './store.ts'

/**
 * `changes` are those of changed lines. One statement stores all of them, because two statements
 * could lock the variants in different orders.
 */
interface Reserving {
  changes?: readonly PiecesChange[]
  requestId?: string | undefined
}

/** Reserves the pieces of each line with a known variant, once. Returns the jobs for the offers. */
export async function reserve (
  transaction: Pick<Transaction, 'query'>,
  orderId: string,
  { changes = [], requestId }: Reserving
): Promise<JobRequest[]> {
  const taken = await reserveLines(transaction.query, orderId)
  const stored = await recordReserved(transaction, [
    ...changes,
    ...taken.map(({ variantId, quantity }) => ({ variantId, by: quantity }))
  ])
  return propagate(stored, requestId)
}

/** Gives back the pieces that are still reserved. */
export async function release (
  transaction: Pick<Transaction, 'query'>,
  orderId: string,
  { changes = [], requestId }: Reserving
): Promise<JobRequest[]> {
  const given = await freeLines(transaction.query, [orderId])
  const stored = await recordReserved(transaction, [
    ...changes,
    ...given.map(({ variantId, quantity }) => ({ variantId, by: -quantity }))
  ])
  return propagate(stored, requestId)
}

/**
 * Stores that the shop has taken the pieces off its stock: they count neither as reserved nor as
 * stock. `taken`: the lines that the shop got, when the order has others now; what is missing there
 * stays reserved. Returns the jobs for the offers.
 */
export async function consume (
  transaction: Pick<Transaction, 'query'>,
  orderId: string,
  { taken, requestId }: { taken?: Order['lines'] | undefined, requestId?: string | undefined } = {}
): Promise<JobRequest[]> {
  if (taken === undefined) {
    const sold = await freeLines(transaction.query, [orderId])
    await recordSold(transaction, sold.map(({ variantId, quantity }) => ({ variantId, by: quantity })))
    return []
  }
  const lines = await takeLines(transaction.query, orderId, taken)
  // First, because the reserved pieces never fall below 0: the shop may have taken more of them.
  const corrections = lines.map(({ variantId, corrected }) => ({ variantId, by: corrected }))
  const stored = await recordReserved(transaction, corrections)
  await recordSold(transaction, lines.map(({ variantId, sold }) => ({ variantId, by: sold })))
  return propagate(stored, requestId)
}

/**
 * Stores that the shop's order has the lines of the marketplace now. Returns the jobs that read the
 * stock of the products again, one for each revision of the order.
 */
export async function endMissingPieces (
  transaction: Pick<Transaction, 'query'>,
  orderId: string,
  revision: string,
  requestId?: string
): Promise<JobRequest[]> {
  await consume(transaction, orderId)
  await markKnownAtShop(transaction.query, orderId)
  return rereadJobs(transaction.query, orderId, `changed-${revision}`, requestId)
}

/**
 * Returns jobs that write the offers of an order again, even when the quantity is the same: the
 * marketplace took the pieces off when the buyer ordered, and does not give them back.
 */
export async function rewriteOffers (
  { query }: Pick<Transaction, 'query'>,
  orderId: string,
  requestId?: string
): Promise<JobRequest[]> {
  const offerIds = await demandRewrite(query, await findSoldOffers(query, orderId))
  return offerIds.length === 0 ? [] : quantityJobs(query, { offerIds }, requestId)
}

/** Returns jobs that read the stock of the order's products again. */
export async function rereadJobs (
  query: Query,
  orderId: string,
  occasion: string,
  requestId?: string
): Promise<JobRequest[]> {
  const products = await findProducts(query, orderId)
  return products.map(({ connectionId, externalId }) =>
    syncStock.request({ externalId }, { connectionId, key: `order-${occasion}:${orderId}:${externalId}`, requestId })
  )
}

/**
 * For the hub and not for the shop: while the shop is paused, disabled or in error, its jobs wait,
 * and the other marketplaces would go on selling the reserved pieces.
 */
function propagate (stored: readonly StoredVersion[], requestId: string | undefined): JobRequest[] {
  return propagationJobs(null, stored, { requestId })
}
