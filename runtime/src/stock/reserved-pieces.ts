import type { Transaction } from '../database/database.ts'
import { changeReserved, subtractSold, type StoredVersion } from './store.ts'

type Writer = Pick<Transaction, 'query'>

/** A change of a variant's reserved pieces. */
export interface PiecesChange {
  variantId: string
  by: number
}

/**
 * Stores the pieces that orders of marketplaces reserved or gave back. Such a change raises the
 * version like a change of the quantity.
 */
export async function recordReserved (
  { query }: Writer,
  changes: readonly PiecesChange[]
): Promise<StoredVersion[]> {
  return changeReserved(query, sumByVariant(changes))
}

/**
 * Stores that the master took pieces off its stock that were reserved until now. The version stays,
 * because the offers show the same quantity as before. The hub ignores readings that it asked for
 * earlier; a later reading says what the master really has.
 */
export async function recordSold ({ query }: Writer, sold: readonly PiecesChange[]): Promise<void> {
  await subtractSold(query, sumByVariant(sold))
}

/** One sum per variant: a statement must not write a row twice. */
function sumByVariant (changes: readonly PiecesChange[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { variantId, by } of changes) sums.set(variantId, (sums.get(variantId) ?? 0) + by)
  return sums
}
