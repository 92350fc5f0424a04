import type { Order } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import type { PiecesChange } from '../stock/reserved-pieces.ts'
import type { OrderProblem } from './problem-codes.ts'

const linesInJson =
  'jsonb_to_recordset($2::jsonb) as line ("externalId" text, "offerExternalId" text, quantity integer)'

const upsertLines = `
  insert into order_lines (order_id, external_id, offer_external_id, quantity)
  select $1, "externalId", "offerExternalId", quantity
  from ${linesInJson}
  on conflict (order_id, external_id) do update set
    offer_external_id = excluded.offer_external_id,
    quantity = excluded.quantity`

const mapLines = `
  update order_lines set variant_id = offers.variant_id
  from offers
  where order_lines.order_id = $1
    and order_lines.variant_id is null
    and offers.connection_id = $2
    and offers.external_id = order_lines.offer_external_id`

/**
 * Stores the lines with the variants that their offers sell. A line keeps its variant unless it
 * names another offer now. Until the shop has the order, removes lines that the marketplace
 * removed. Answers the changes of the reserved pieces.
 */
export async function storeLines (
  query: Query,
  { id, connectionId, isAtDestination }: { id: string, connectionId: string, isAtDestination: boolean },
  { lines }: Order
): Promise<PiecesChange[]> {
  const distinct = new Map(lines.map(line => [line.externalId, line]))
  const rows = JSON.stringify(Array.from(
    distinct.values(),
    ({ externalId, offerExternalId, quantity }) => ({ externalId, offerExternalId, quantity })
  ))
  const changes = isAtDestination ? [] : await changeLines(query, id, rows)
  await query(upsertLines, [id, rows])
  await query(mapLines, [id, connectionId])
  return changes
}

const removeLines = `
  with removed as (
    delete from order_lines as known
    where order_id = $1
      and not exists (
        select from ${linesInJson}
        where "externalId" = known.external_id
          and coalesce("offerExternalId", known.offer_external_id) is not distinct from known.offer_external_id
      )
    returning variant_id, quantity, is_reserved
  )
  select variant_id as "variantId", -quantity as by
  from removed
  where is_reserved`

const updateReserved = `
  update order_lines set quantity = line.quantity
  from ${linesInJson}, order_lines as known
  where order_lines.order_id = $1
    and order_lines.is_reserved
    and order_lines.quantity <> line.quantity
    and order_lines.external_id = "externalId"
    and known.order_id = order_lines.order_id
    and known.external_id = order_lines.external_id
  returning order_lines.variant_id as "variantId", line.quantity - known.quantity as by`

/**
 * Removes lines that the marketplace removed or that name another offer now, and updates the
 * quantities of reserved lines. Answers the changes of the reserved pieces.
 */
async function changeLines (query: Query, orderId: string, rows: string): Promise<PiecesChange[]> {
  const removed = await query<PiecesChange>(removeLines, [orderId, rows])
  const changed = await query<PiecesChange>(updateReserved, [orderId, rows])
  return [...removed, ...changed]
}

export async function areMapped (query: Query, orderId: string): Promise<boolean> {
  const unmapped = await query(
    'select external_id from order_lines where order_id = $1 and variant_id is null limit 1',
    [orderId]
  )
  return unmapped.length === 0
}

const selectUnmapped = `
  select external_id as "externalId", offer_external_id as offer
  from order_lines
  where order_id = $1 and variant_id is null
  order by external_id
  limit 20`

export async function unmappedProblems (query: Query, orderId: string): Promise<OrderProblem[]> {
  const lines = await query<{ externalId: string, offer: string | null }>(selectUnmapped, [orderId])
  return lines.map(({ externalId, offer }) => ({
    code: 'unmapped',
    detail: offer === null
      ? `line ${externalId} names no offer`
      : `no variant is linked to offer '${offer}' (line ${externalId}): POST /offers/link`
  }))
}
