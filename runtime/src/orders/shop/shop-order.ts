import type { CreatedOrder } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import { ShopOrderTakenError } from '../../errors.ts'
import { isFulfilledElsewhere, shippedTwice } from '../handled-elsewhere.ts'
import { isAboutDeletion, isAboutSharedLines, isAboutUnknown, type OrderProblem } from '../problem-codes.ts'
import { addHistory, type OrderRow } from '../store.ts'
import { openChanges } from './changed-order.ts'
import { hasChanges } from './differences.ts'
import { findOtherAtShop, markCancelledInShop, markCreated, markNotCreated } from './store.ts'

// Stores on an order what became of it in its shop.

/** The shop cannot settle these problems of an order. */
const lasting = [isAboutSharedLines, isAboutDeletion, isAboutUnknown]

/**
 * Stores where the order is. A locked row is given. Problems of making it are settled, and the shop
 * may bring new ones. Throws `LNK_SHOP_ORDER_TAKEN` when another order has this id: a shop that was
 * restored from a backup gives ids a second time.
 */
export async function storeCreatedInShop (
  query: Query,
  order: OrderRow,
  { externalId, problems = [] }: CreatedOrder
): Promise<void> {
  const otherId = await findOtherAtShop(query, order, externalId)
  if (otherId !== undefined) throw new ShopOrderTakenError(externalId, otherId)
  const reported = problems.map((detail): OrderProblem => ({ code: 'shop-reported', detail }))
  const left = [
    ...order.problems.filter(problem => lasting.some(isAbout => isAbout(problem))),
    ...reported,
    ...isFulfilledElsewhere(order.snapshot) && order.status !== 'cancelled' ? [shippedTwice] : []
  ]
  const status = order.status === 'ready' || order.status === 'elsewhere' ? 'created' : order.status
  const handedOn = status === 'created' && hasChanges(openChanges(order)) ? order.handedOn : null
  await markCreated(query, order.id, externalId, { status, problems: left, handedOn })
  await addHistory(query, order.id, 'created', { externalId, problems: problems.length === 0 ? undefined : problems })
}

/** Marks an order that could not be made as failed, unless it is cancelled or made meanwhile. */
export async function storeNotCreated (
  query: Query,
  orderId: string,
  { code, message }: { code: string, message: string }
): Promise<void> {
  const problem: OrderProblem = { code: 'not-created', detail: message }
  const isFailed = await markNotCreated(query, orderId, problem)
  if (isFailed) await addHistory(query, orderId, 'failed', { code, problem: message })
}

export async function storeCancelledInShop (query: Query, orderId: string): Promise<void> {
  await markCancelledInShop(query, orderId)
  await addHistory(query, orderId, 'cancelled in the shop')
}
