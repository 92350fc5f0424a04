import type { CreatedOrder } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { addHistory, type OrderRow } from './order-row.ts'
import { isAboutSharedLines, type OrderProblem } from './problem-codes.ts'

// Stores on an order what became of it in its shop.

const markCreated = `
  update orders set
    status = $2,
    destination_external_id = $3,
    problems = $4,
    updated_at = now()
  where id = $1`

/**
 * Stores where the order is. A locked row is given. Problems of making it are settled; those of
 * shared lines stay, and the shop may bring new ones.
 */
export async function storeCreatedInShop (
  query: Query,
  order: OrderRow,
  { externalId, problems = [] }: CreatedOrder
): Promise<void> {
  const reported = problems.map((detail): OrderProblem => ({ code: 'shop-reported', detail }))
  const left = [...order.problems.filter(isAboutSharedLines), ...reported]
  const status = order.status === 'ready' ? 'created' : order.status
  await query(markCreated, [order.id, status, externalId, toStorableJson(left)])
  await addHistory(query, order.id, 'created', { externalId, ...(problems.length === 0 ? {} : { problems }) })
}

const markFailed = `
  update orders set status = 'failed', problems = $2, updated_at = now()
  where id = $1::uuid
    and status = 'ready'
    and destination_external_id is null
  returning id`

/** Marks an order that could not be made as failed, unless it is cancelled or made meanwhile. */
export async function storeNotCreated (
  query: Query,
  orderId: string,
  { code, message }: { code: string, message: string }
): Promise<void> {
  const problem: OrderProblem = { code: 'not-created', detail: message }
  const failed = await query<{ id: string }>(markFailed, [orderId, toStorableJson([problem])])
  for (const { id } of failed) await addHistory(query, id, 'failed', { code, problem: message })
}

export async function storeCancelledInShop (query: Query, orderId: string): Promise<void> {
  await query("update orders set destination_status = 'cancelled', updated_at = now() where id = $1", [orderId])
  await addHistory(query, orderId, 'cancelled in the shop')
}
