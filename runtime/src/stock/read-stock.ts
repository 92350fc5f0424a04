import type { Query } from '../database/database.ts'
import { decodeCursor, type Position } from '../http/paging.ts'
import { offerWarnings, publishedQuantity, publishedQuantitySql } from './rules.ts'
import type { StockQuery, StockView } from './schemas.ts'

interface OfferRow {
  offerId: string
  connectionId: string
  quantity: number | null
  upstreamQuantity: number | null
  buffer: number
  maxListed: number | null
  frozenFields: string[]
}

interface Row {
  id: string
  createdAt: string
  quantity: number
  reserved: number
  version: number
  missingSince: string | null
  updatedAt: string
  offers: OfferRow[]
}

const isoOf = (time: string): string => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const followsStock = "offers.status not in ('ENDED', 'FAILED')"

const isDrifting = `
  exists (
    select from offers
    where offers.variant_id = variants.id
      and ${followsStock}
      and offers.quantity is distinct from ${publishedQuantitySql}
  )`

/** On a connection whose id is `$1`: the master of the variant, or a marketplace that offers it. */
function isOn (connectionId: string): string {
  return `(
    products.connection_id = ${connectionId}
    or exists (
      select from offers
      where offers.variant_id = variants.id and offers.connection_id = ${connectionId}
    )
  )`
}

const offersAsJson = `
  select jsonb_agg(
    jsonb_build_object(
      'offerId', id,
      'connectionId', connection_id,
      'quantity', quantity,
      'upstreamQuantity', upstream_quantity,
      'buffer', buffer,
      'maxListed', max_listed,
      'frozenFields', frozen_fields
    )
    order by id
  )
  from offers
  where offers.variant_id = variants.id`

const selectStock = `
  select
    variants.id, ${isoOf('variants.created_at')} as "createdAt",
    stock.quantity, stock.reserved, stock.version,
    ${isoOf('variants.missing_at')} as "missingSince", ${isoOf('stock.updated_at')} as "updatedAt",
    coalesce((${offersAsJson}), '[]') as offers
  from variants
  join stock on stock.variant_id = variants.id
  join products on products.id = variants.product_id`

/**
 * Answers the stock of variants and the last writes to their offers, each with its position. The
 * variants come in the order in which they became known.
 */
export async function listStock (
  query: Query,
  { variantId, connectionId, drift, limit, cursor }: StockQuery
): Promise<{ position: Position, view: StockView }[]> {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const conditions: string[] = []
  if (variantId !== undefined) conditions.push(`variants.id = ${value(variantId)}`)
  if (connectionId !== undefined) conditions.push(isOn(value(connectionId)))
  if (drift !== undefined) conditions.push(drift ? isDrifting : `not ${isDrifting}`)
  if (after !== undefined) {
    conditions.push(`(variants.created_at, variants.id) > (${value(after.createdAt)}, ${value(after.id)})`)
  }
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  const rows = await query<Row>(
    `${selectStock} ${where} order by variants.created_at, variants.id limit ${value(limit)}`,
    values
  )
  return rows.map(row => ({ position: { id: row.id, createdAt: row.createdAt }, view: describeStock(row) }))
}

function describeStock ({ id, quantity, reserved, version, missingSince, updatedAt, offers }: Row): StockView {
  const stock = { quantity, reserved }
  return {
    variantId: id,
    quantity,
    reserved,
    version,
    missingSince,
    updatedAt,
    offers: offers.map(offer => {
      const wantedQuantity = publishedQuantity(stock, offer)
      return {
        offerId: offer.offerId,
        connectionId: offer.connectionId,
        wantedQuantity,
        sentQuantity: offer.quantity,
        upstreamQuantity: offer.upstreamQuantity,
        drift: offer.quantity === null ? null : wantedQuantity - offer.quantity,
        warnings: offerWarnings(offer, stock)
      }
    })
  }
}
