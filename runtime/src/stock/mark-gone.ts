import { markMissing } from '../catalog/store.ts'
import type { Query } from '../database/database.ts'
import { clearStock, takeUnread, type StoredVersion } from './store.ts'

/**
 * Sets the stock of variants to zero that the master does not have any more. Skips variants that a
 * reading after `readAt` has found. Returns the rows whose stock changed, and how many are gone.
 */
export async function markGone (
  query: Query,
  variantIds: readonly string[],
  readAt: string
): Promise<{ stored: StoredVersion[], gone: number }> {
  const gone = await takeUnread(query, variantIds, readAt)
  await markMissing(query, gone)
  return { stored: await clearStock(query, gone), gone: gone.length }
}
