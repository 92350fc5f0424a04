import type { StockLevel } from '@linker/sdk'
import type { Database, Query } from '../database/database.ts'
import type { Position } from '../http/paging.ts'
import { Stock } from './entity.ts'
import {
  isDrifting,
  isFoundBy,
  isOn,
  selectStock,
  updateReserved,
  updateSold,
  updateToZero,
  updateUnread,
  upsertStock
} from './statements.ts'

/** The version of a row of stock after a write. */
export interface StoredVersion {
  variantId: string
  version: number
}

/** A quantity of a variant. `readAt`: the start of the reading or earlier. */
export interface ReadQuantity {
  id: string
  quantity: number
  readAt: string
}

/**
 * Writes quantities, each of another variant. Leaves rows alone whose reading began later, and
 * returns the others.
 */
export async function writeQuantities (query: Query, quantities: readonly ReadQuantity[]): Promise<StoredVersion[]> {
  return query<StoredVersion>(upsertStock, [JSON.stringify(quantities)])
}

/** Returns quantities as rows for a statement. */
export function quantityRows (levels: ReadonlyMap<string, StockLevel>): string {
  return JSON.stringify(Array.from(levels, ([id, { quantity }]) => ({ id, quantity })))
}

/** Adds to the reserved pieces of variants. Returns the rows that changed. */
export async function changeReserved (query: Query, pieces: ReadonlyMap<string, number>): Promise<StoredVersion[]> {
  return query<StoredVersion>(updateReserved, [piecesRows(pieces)])
}

/** Takes pieces of variants off their quantity and off their reserved pieces. */
export async function subtractSold (query: Query, pieces: ReadonlyMap<string, number>): Promise<void> {
  await query(updateSold, [piecesRows(pieces)])
}

function piecesRows (pieces: ReadonlyMap<string, number>): string {
  return JSON.stringify(Array.from(pieces, ([id, by]) => ({ id, by })))
}

/**
 * Marks variants as read at `readAt`, except those that a later reading has found. Returns the ids
 * of the marked ones.
 */
export async function takeUnread (query: Query, variantIds: readonly string[], readAt: string): Promise<string[]> {
  const rows = await query<{ id: string }>(updateUnread, [variantIds, readAt])
  return rows.map(({ id }) => id)
}

/** Sets the stock of variants to zero. Returns the rows that changed. */
export async function clearStock (query: Query, variantIds: readonly string[]): Promise<StoredVersion[]> {
  return query<StoredVersion>(updateToZero, [variantIds])
}

/** Returns the stock of variants. */
export async function listStockOf ({ orm }: Pick<Database, 'orm'>, variantIds: readonly string[]): Promise<Stock[]> {
  return orm.em.fork().find(Stock, { variantId: { $in: [...variantIds] } })
}

interface StockOfferRow {
  offerId: string
  connectionId: string
  quantity: number | null
  upstreamQuantity: number | null
  buffer: number
  maxListed: number | null
  frozenFields: string[]
}

/** The stock of a variant with its offers. */
export interface StockRow {
  id: string
  createdAt: string
  name: string | null
  sku: string | null
  ean: string | null
  quantity: number
  reserved: number
  version: number
  missingSince: string | null
  updatedAt: string
  offers: StockOfferRow[]
}

export interface StockFilter {
  variantId?: string
  connectionId?: string
  drift?: boolean
  /** A text that finds the variant. */
  q?: string
  limit: number
  /** Position after the last variant of the page before. */
  after: Position | undefined
}

/** Returns the stock of variants in the order in which they became known. */
export async function findStock (
  query: Query,
  { variantId, connectionId, drift, q, limit, after }: StockFilter
): Promise<StockRow[]> {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions: string[] = []
  if (variantId !== undefined) conditions.push(`variants.id = ${value(variantId)}`)
  if (connectionId !== undefined) conditions.push(isOn(value(connectionId)))
  if (q !== undefined) conditions.push(isFoundBy(value(q.trim())))
  if (drift !== undefined) conditions.push(drift ? isDrifting : `not ${isDrifting}`)
  if (after !== undefined) {
    conditions.push(`(variants.created_at, variants.id) > (${value(after.createdAt)}, ${value(after.id)})`)
  }
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  return query<StockRow>(
    `${selectStock} ${where} order by variants.created_at, variants.id limit ${value(limit)}`,
    values
  )
}
