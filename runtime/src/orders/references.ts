import type { Query } from '../database/database.ts'
import { orderIdOf } from './ingest-order.ts'
import { listWaysTo } from './store.ts'
import type { OrderRow } from './store.ts'

/**
 * Returns the references by which a shop may have an order: its id, and the ids that it would have
 * by the connections that opened its account before the hub knew accounts.
 */
export async function findReferences (
  query: Query,
  { id, connectionId, externalId }: Pick<OrderRow, 'id' | 'connectionId' | 'externalId'>
): Promise<string[]> {
  const ways = await listWaysTo(query, connectionId)
  return [...new Set([id, ...ways.map(way => orderIdOf(way, externalId))])]
}
