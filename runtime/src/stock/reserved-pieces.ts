import type { Transaction } from '../database/database.ts'
import type { StoredVersion } from './record-stock.ts'

type Writer = Pick<Transaction, 'query'>

/** A change of a variant's reserved pieces. */
export interface PiecesChange {
  variantId: string
  by: number
}

const updateReserved = `
  with change as (
    select id, by
    from jsonb_to_recordset($1::jsonb) as c (id uuid, by integer)
    where by <> 0
  ),
  locked as (
    select variant_id
    from stock
    where variant_id in (select id from change)
    order by variant_id
    for update
  )
  update stock set
    reserved = greatest(0, reserved + change.by),
    version = version + 1,
    updated_at = now()
  from change
  join locked on locked.variant_id = change.id
  where stock.variant_id = change.id
  returning stock.variant_id as "variantId", stock.version`

/**
 * Stores the pieces that orders of marketplaces reserved or gave back. Such a change raises the
 * version like a change of the quantity.
 */
export async function recordReserved (
  transaction: Writer,
  changes: readonly PiecesChange[]
): Promise<StoredVersion[]> {
  return transaction.query<StoredVersion>(updateReserved, [sumRows(changes)])
}

const takeSold = `
  with sold as (
    select id, by from jsonb_to_recordset($1::jsonb) as s (id uuid, by integer)
  ),
  locked as (
    select variant_id
    from stock
    where variant_id in (select id from sold)
    order by variant_id
    for update
  )
  update stock set
    quantity = quantity - sold.by,
    reserved = greatest(0, reserved - sold.by),
    updated_at = now(),
    read_at = greatest(read_at, now())
  from sold
  join locked on locked.variant_id = sold.id
  where stock.variant_id = sold.id`

/**
 * Stores that the master took pieces off its stock that were reserved until now. The version stays,
 * because the offers show the same quantity as before. The hub ignores readings that it asked for
 * earlier; a later reading says what the master really has.
 */
export async function recordSold (transaction: Writer, sold: readonly PiecesChange[]): Promise<void> {
  await transaction.query(takeSold, [sumRows(sold)])
}

/** One row per variant: a statement must not write a row twice. */
function sumRows (changes: readonly PiecesChange[]): string {
  const sums = Map.groupBy(changes, ({ variantId }) => variantId)
  return JSON.stringify([...sums].map(([id, ofVariant]) => ({
    id,
    by: ofVariant.reduce((sum, { by }) => sum + by, 0)
  })))
}
