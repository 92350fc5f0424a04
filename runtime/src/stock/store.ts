import type { StockLevel } from '@linker/sdk'
import type { ToldSellable } from '../catalog/store.ts'
import type { Query } from '../database/database.ts'
import type { Position } from '../http/paging.ts'
import type { Available } from './rules.ts'
import {
  countJumps,
  isDrifting,
  isFoundBy,
  isJumped,
  isOn,
  lockSharers,
  lockSharing,
  lockStocks,
  raiseSharing,
  raiseSwitched,
  raiseVersions,
  selectOvertaken,
  selectStock,
  selectStockOf,
  updateReserved,
  updateSharing,
  updateSold,
  updateToConfirmed,
  updateToZero,
  updateUnread,
  upsertStock,
  upsertUnshared
} from './statements.ts'

/** The version of a row of stock after a write. */
export interface StoredVersion {
  variantId: string
  version: number
}

/** The stock of a variant as its master tells it, completed. */
export interface VariantLevel extends StockLevel {
  isCounted: boolean
  /** Names the stock among those of all masters. Null: the variant shares it with none. */
  sharedId: string | null
}

/** A quantity of a variant. `readAt`: the start of the reading or earlier. */
export interface ReadQuantity extends Pick<VariantLevel, 'quantity' | 'isCounted' | 'sharedId'> {
  id: string
  readAt: string
}

export interface WrittenQuantities {
  /** The rows of the given variants, without those whose reading began later. */
  written: StoredVersion[]
  /**
   * The rows of other variants that changed with one of the stocks. `causedBy`: the given variant
   * that sells from the stock, or has left it.
   */
  sharing: (StoredVersion & { causedBy: string | undefined })[]
}

/** Writes quantities, each of another variant. Leaves rows alone whose reading began later. */
export async function writeQuantities (query: Query, quantities: readonly ReadQuantity[]): Promise<WrittenQuantities> {
  if (quantities.every(({ sharedId }) => sharedId === null)) {
    const written = await query<StoredVersion>(upsertUnshared, [JSON.stringify(quantities)])
    if (written.length > 0) return { written, sharing: [] }
  }
  return writeShared(query, quantities)
}

interface SharingRow {
  id: string
  sharedId: string | null
  version: number
  reserved: number
}

/** Like `writeQuantities`, when variants share stocks or have shared them until now. */
async function writeShared (query: Query, quantities: readonly ReadQuantity[]): Promise<WrittenQuantities> {
  const locked = await query<SharingRow>(lockSharing, [JSON.stringify(quantities)])
  await holdStocks(query, quantities)
  const before = new Map(locked.map(row => [row.id, row]))
  const newest = await replaceOvertaken(query, quantities)
  const written = await query<StoredVersion>(upsertStock, [JSON.stringify(newest)])
  const ids = new Set(written.map(({ variantId }) => variantId))
  const raised = written.filter(({ variantId, version }) => before.get(variantId)?.version !== version)
    .map(({ variantId }) => variantId)
  const levels = newest.filter(({ id }) => ids.has(id)).map(level => ({ level, row: before.get(level.id) }))
  // The reserved pieces of a variant count in the stock that it joins, not in the one that it left.
  const isMoved = ({ level, row }: { level: ReadQuantity, row: SharingRow | undefined }): boolean =>
    row !== undefined && row.reserved > 0 && row.sharedId !== level.sharedId
  const shared = levels.filter(({ level }) => level.sharedId !== null)
    .map(moving => ({ ...moving.level, isJoined: isMoved(moving) }))
  const left =
    new Map(levels.filter(isMoved).flatMap(({ level, row }) =>
      typeof row?.sharedId === 'string' ? [[row.sharedId, level.id]] : []
    ))
  const changed = await query<SharingVersion>(updateSharing, [JSON.stringify(shared), raised])
  if (left.size > 0) {
    const done = [...raised, ...changed.map(({ variantId }) => variantId)]
    changed.push(...await query<SharingVersion>(raiseSharing, [[...left.keys()], done]))
  }
  const causes = new Map([...left, ...shared.map(({ sharedId, id }) => [sharedId ?? '', id] as const)])
  const versions = new Map(changed.map(({ variantId, version }) => [variantId, version]))
  return {
    written: written.map(({ variantId, version }) => ({ variantId, version: versions.get(variantId) ?? version })),
    sharing: changed.filter(({ variantId }) => !ids.has(variantId)).map(({ variantId, version, sharedId }) => ({
      variantId,
      version,
      causedBy: causes.get(sharedId)
    }))
  }
}

type SharingVersion = StoredVersion & { sharedId: string }

/**
 * Gives levels of a shared stock the quantity that a reading of another variant told, if that
 * reading began later. The variants of a stock would have different quantities otherwise.
 */
async function replaceOvertaken (query: Query, quantities: readonly ReadQuantity[]): Promise<ReadQuantity[]> {
  const overtaken = await query<Pick<ReadQuantity, 'id' | 'quantity' | 'isCounted'>>(
    selectOvertaken,
    [JSON.stringify(quantities)]
  )
  const newer = new Map(overtaken.map(row => [row.id, row]))
  return quantities.map(level => ({ ...level, ...newer.get(level.id) }))
}

/**
 * Raises the versions of the variants that the master has switched on or off. Returns the rows that
 * changed. Store what it told afterwards: in this order, two transactions about one variant cannot
 * wait for each other.
 */
export async function raiseSwitchedVersions (query: Query, told: readonly ToldSellable[]): Promise<StoredVersion[]> {
  return query<StoredVersion>(raiseSwitched, [JSON.stringify(told)])
}

/** Returns quantities as rows for a statement. */
export function quantityRows (levels: ReadonlyMap<string, VariantLevel>): string {
  return JSON.stringify(Array.from(levels, ([id, { quantity, isCounted, sharedId, sellable }]) => ({
    id,
    quantity,
    isCounted,
    sharedId,
    isSellable: sellable
  })))
}

/**
 * Adds to the reserved pieces of variants. Returns the rows that changed, and those of the variants
 * that share a stock with them.
 */
export async function changeReserved (query: Query, pieces: ReadonlyMap<string, number>): Promise<StoredVersion[]> {
  const changed = await query<StoredVersion & Shared>(updateReserved, [piecesRows(pieces)])
  const stocks = await holdStocks(query, changed)
  // The statement saw the sharers as they were before it waited for its locks: a variant that has
  // joined since would go on selling the reserved pieces.
  const joined = stocks.length === 0
    ? []
    : await query<StoredVersion>(raiseSharing, [stocks, changed.map(({ variantId }) => variantId)])
  return [...changed, ...joined].map(({ variantId, version }) => ({ variantId, version }))
}

interface Shared {
  sharedId: string | null
}

/** Waits for transactions that change who shares the stocks of rows. Returns these stocks. */
async function holdStocks (query: Query, rows: readonly Shared[]): Promise<string[]> {
  const stocks = [...new Set(rows.flatMap(({ sharedId }) => sharedId ?? []))]
  if (stocks.length > 0) await query(lockStocks, [stocks])
  return stocks
}

/**
 * Takes pieces of variants off their quantity, and off their reserved pieces. The quantities of the
 * variants that share a stock fall with it.
 */
export async function subtractSold (query: Query, pieces: ReadonlyMap<string, number>): Promise<void> {
  // The next statement sees the sharers as the transactions that held the locks have left them.
  await holdStocks(query, await query<Shared>(lockSharers, [[...pieces.keys()]]))
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

/** The stock of a variant, as far as it says what its offers may show. */
export interface VariantStock extends Available {
  variantId: string
}

/** Returns the stock of variants. */
export async function listStockOf (query: Query, variantIds: readonly string[]): Promise<VariantStock[]> {
  return query<VariantStock>(selectStockOf, [variantIds])
}

/**
 * Ends the jumps of a variant, or of all variants of a shop, so that the stock counts again.
 * Returns the rows that waited, with their shops.
 */
export async function confirmQuantities (
  query: Query,
  of: { variantId?: string, connectionId?: string }
): Promise<(StoredVersion & { connectionId: string })[]> {
  return query(updateToConfirmed, [of.variantId ?? null, of.connectionId ?? null])
}

/** Variants of a shop whose stock has jumped. */
export interface JumpedStock {
  connectionId: string
  count: number
  /** The first jump, ISO 8601. */
  since: string
}

/** Counts the variants whose stock has jumped, by their shop. */
export async function countJumpedStock (query: Query): Promise<JumpedStock[]> {
  return query<JumpedStock>(countJumps)
}

interface StockOfferRow {
  offerId: string
  connectionId: string
  quantity: number | null
  upstreamQuantity: number | null
  buffer: number
  maxListed: number | null
  sellsInactive: boolean
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
  isCounted: boolean
  isSellable: boolean
  confirmedQuantity: number | null
  jumpedAt: string | null
  sharedStockId: string | null
  version: number
  missingSince: string | null
  updatedAt: string
  offers: StockOfferRow[]
}

export interface StockFilter {
  variantId?: string
  connectionId?: string
  drift?: boolean
  jumped?: boolean
  /** A text that finds the variant. */
  q?: string
  limit: number
  /** Position after the last variant of the page before. */
  after: Position | undefined
}

/** Returns the stock of variants in the order in which they became known. */
export async function findStock (
  query: Query,
  { variantId, connectionId, drift, jumped, q, limit, after }: StockFilter
): Promise<StockRow[]> {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions: string[] = []
  if (variantId !== undefined) conditions.push(`variants.id = ${value(variantId)}`)
  if (connectionId !== undefined) conditions.push(isOn(value(connectionId)))
  if (q !== undefined) conditions.push(isFoundBy(value(q.trim())))
  if (drift !== undefined) conditions.push(drift ? isDrifting : `not ${isDrifting}`)
  if (jumped !== undefined) conditions.push(jumped ? isJumped : `not ${isJumped}`)
  if (after !== undefined) {
    conditions.push(`(variants.created_at, variants.id) > (${value(after.createdAt)}, ${value(after.id)})`)
  }
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  return query<StockRow>(
    `${selectStock} ${where} order by variants.created_at, variants.id limit ${value(limit)}`,
    values
  )
}

/**
 * Skips the versions that the hub of a backup gave after it was taken. A version names the job that
 * writes it, and marketplaces remember the id of a write: they would ignore another quantity under
 * an id that they know.
 */
export async function skipLostVersions (query: Query): Promise<void> {
  await query(raiseVersions)
}
