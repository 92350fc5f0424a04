import type { Query, Transaction } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { quantityJobs } from '../offers/quantity-jobs.ts'
import { demandRewrite, type SoldOffer } from '../offers/store-writes.ts'
import { propagationJobs } from '../stock/record-stock.ts'
import type { StoredVersion } from '../stock/store.ts'
import { recordReserved, recordSold, type PiecesChange } from '../stock/reserved-pieces.ts'
import { reservingSql } from './status.ts'
import { syncStock } from '../stock/jobs.ts'

interface Pieces {
  variantId: string
  quantity: number
}

/**
 * `changes` of lines are stored in the same statement: two statements could lock the variants in
 * different orders.
 */
interface Reserving {
  changes?: readonly PiecesChange[]
  requestId?: string | undefined
}

const reserveLines = `
  update order_lines set is_reserved = true
  where order_id = $1 and not is_reserved and variant_id is not null
  returning variant_id as "variantId", quantity`

/** Reserves the pieces of each line with a known variant, once. Answers the jobs for the offers. */
export async function reserve (
  transaction: Pick<Transaction, 'query'>,
  orderId: string,
  { changes = [], requestId }: Reserving
): Promise<JobRequest[]> {
  const taken = await transaction.query<Pieces>(reserveLines, [orderId])
  const stored = await recordReserved(transaction, [
    ...changes,
    ...taken.map(({ variantId, quantity }) => ({ variantId, by: quantity }))
  ])
  return propagate(transaction.query, stored, requestId)
}

/** Gives back the pieces that are still reserved. */
export async function release (
  transaction: Pick<Transaction, 'query'>,
  orderId: string,
  { changes = [], requestId }: Reserving
): Promise<JobRequest[]> {
  const given = await free(transaction.query, [orderId])
  const stored = await recordReserved(transaction, [
    ...changes,
    ...given.map(({ variantId, quantity }) => ({ variantId, by: -quantity }))
  ])
  return propagate(transaction.query, stored, requestId)
}

/** Stores that the shop has taken the pieces off its stock: they are neither reserved nor there. */
export async function consume (transaction: Pick<Transaction, 'query'>, orderId: string): Promise<void> {
  const sold = await free(transaction.query, [orderId])
  await recordSold(transaction, sold.map(({ variantId, quantity }) => ({ variantId, by: quantity })))
}

const selectSoldOffers = `
  select distinct orders.connection_id as "connectionId", line.offer_external_id as "externalId"
  from orders
  join order_lines as line on line.order_id = orders.id
  where orders.id = $1 and line.offer_external_id is not null`

/**
 * Answers jobs that write the offers of an order again, even when the quantity is the same: the
 * marketplace took the pieces off when the order was placed, and gives none back.
 */
export async function rewriteOffers (
  { query }: Pick<Transaction, 'query'>,
  orderId: string,
  requestId?: string
): Promise<JobRequest[]> {
  const sold = await query<SoldOffer>(selectSoldOffers, [orderId])
  const offerIds = await demandRewrite(query, sold)
  return offerIds.length === 0 ? [] : quantityJobs(query, { offerIds }, requestId)
}

const selectProducts = `
  select distinct products.connection_id as "connectionId", products.external_id as "externalId"
  from order_lines as line
  join variants on variants.id = line.variant_id
  join products on products.id = variants.product_id
  where line.order_id = $1`

/** Answers jobs that read the stock of the order's products again. */
export async function rereadJobs (
  query: Query,
  orderId: string,
  why: string,
  requestId?: string
): Promise<JobRequest[]> {
  const products = await query<{ connectionId: string, externalId: string }>(selectProducts, [orderId])
  return products.map(({ connectionId, externalId }) =>
    syncStock.request({ externalId }, { connectionId, key: `order-${why}:${orderId}:${externalId}`, requestId })
  )
}

/** The reserved pieces of a variant, and the part of them that open orders explain. */
export interface Unexplained {
  variantId: string
  reserved: number
  explained: number
  /** Ids of finished orders that still reserve pieces. */
  orders: string[]
}

const mostUnexplained = 20

const selectUnexplained = `
  with kept as (
    select
      stock.variant_id, stock.reserved, orders.id as order_id, line.quantity,
      coalesce(${reservingSql}, false) as is_live
    from stock
    left join order_lines as line on line.variant_id = stock.variant_id and line.is_reserved
    left join orders on orders.id = line.order_id
    where stock.reserved > 0
      and exists (
        select from offers
        where offers.variant_id = stock.variant_id and offers.connection_id = $1
      )
  ),
  counted as (
    select
      variant_id, reserved,
      coalesce(sum(quantity) filter (where is_live), 0)::integer as explained,
      coalesce(jsonb_agg(distinct order_id) filter (where order_id is not null and not is_live), '[]') as orders
    from kept
    group by variant_id, reserved
  )
  select variant_id as "variantId", reserved, explained, orders
  from counted
  where reserved > explained
  order by variant_id
  limit ${mostUnexplained}`

/**
 * Answers variants that a marketplace offers fewer of than it could: more pieces are reserved than
 * the orders explain that are still to be made in a shop.
 */
export async function findUnexplained (query: Query, connectionId: string): Promise<Unexplained[]> {
  return query<Unexplained>(selectUnexplained, [connectionId])
}

const freeLines = `
  update order_lines set is_reserved = false
  where order_id = any($1::uuid[]) and is_reserved
  returning variant_id as "variantId", quantity`

/** Ends the reservations of orders, and answers their pieces. */
export async function free (query: Query, orderIds: readonly string[]): Promise<Pieces[]> {
  return query<Pieces>(freeLines, [orderIds])
}

const selectMasterOf = `
  select variants.id, products.connection_id as "connectionId"
  from variants
  join products on products.id = variants.product_id
  where variants.id = any($1::uuid[])`

async function propagate (
  query: Query,
  stored: readonly StoredVersion[],
  requestId: string | undefined
): Promise<JobRequest[]> {
  if (stored.length === 0) return []
  const masters = await query<{ id: string, connectionId: string }>(
    selectMasterOf,
    [stored.map(({ variantId }) => variantId)]
  )
  const masterOf = new Map(masters.map(({ id, connectionId }) => [id, connectionId]))
  return [...Map.groupBy(stored, ({ variantId }) => masterOf.get(variantId) ?? '')].flatMap(
    ([connectionId, ofMaster]) => propagationJobs(connectionId, ofMaster, requestId)
  )
}
