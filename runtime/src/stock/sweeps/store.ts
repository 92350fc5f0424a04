import type { Query } from '../../database/database.ts'
import { decodeCursor } from '../../http/paging.ts'
import type { SweepQuery, SweepView } from '../schemas.ts'
import { quantityRows, type VariantLevel } from '../store.ts'
import {
  abandonStale,
  countMissingOfIds,
  countMissingOfSweep,
  deleteOld,
  insertAccepting,
  insertPage,
  insertSweep,
  lockUntaken,
  selectDifferences,
  selectHeld,
  selectLastSweeps,
  selectMissing,
  selectSweeps,
  selectUnseen,
  touchRunning,
  updateFinished,
  updateProgress
} from './statements.ts'

/** A comparison of all stock of one master connection, as its row stands. */
export interface Sweep {
  id: string
  connectionId: string
  phase: 'stock' | 'missing' | 'products'
  cursor: string | null
  acceptMissing: boolean
  steps: number
  pages: number
  seen: number
  changed: number
  missing: number
  startedAt: string
}

/** The progress of one step of a sweep. */
export interface SweepStep {
  phase: Sweep['phase']
  cursor: string | null
  pages?: number
  seen?: number
  changed?: number
  missing?: number
}

export type SweepOutcome = 'complete' | 'held' | 'abandoned'

/**
 * Abandons the running sweep of a connection that no run touched for an hour, or whose cursor
 * belongs to another adapter version.
 */
export async function abandonStaleSweep (query: Query, connectionId: string, adapter: string): Promise<void> {
  await query(abandonStale, [connectionId, adapter])
}

/** Removes the sweeps of a connection that ended long ago, and the pages of all that ended. */
export async function removeOldSweeps (query: Query, connectionId: string): Promise<void> {
  await query(deleteOld, [connectionId])
}

/** Starts a sweep, unless one runs or the id is known. */
export async function addSweep (query: Query, id: string, connectionId: string): Promise<void> {
  await query(insertSweep, [id, connectionId])
}

/** Returns the running sweep of a connection. */
export async function touchRunningSweep (
  query: Query,
  connectionId: string,
  adapter: string
): Promise<Sweep | undefined> {
  const [sweep] = await query<Sweep>(touchRunning, [connectionId, adapter])
  return sweep
}

/** Lets the running sweep, or a new one, accept that many variants are missing. */
export async function acceptMissing (query: Query, connectionId: string, id: string): Promise<void> {
  await query(insertAccepting, [connectionId, id])
}

/** Locks a sweep until the transaction ends. Returns false when another run took it further. */
export async function lockSweep (query: Query, { id, steps }: Sweep): Promise<boolean> {
  const held = await query(lockUntaken, [id, steps])
  return held.length > 0
}

/** Stores a step. Returns undefined when another run took the sweep further. */
export async function storeProgress (query: Query, sweep: Sweep, step: SweepStep): Promise<Sweep | undefined> {
  const [advanced] = await query<Sweep>(updateProgress, [
    sweep.id,
    sweep.steps,
    step.phase,
    step.cursor,
    step.pages ?? 0,
    step.seen ?? 0,
    step.changed ?? 0,
    step.missing ?? 0
  ])
  return advanced
}

/** Stores the end of a sweep. Returns false when another run took it further. */
export async function storeOutcome (
  query: Query,
  { id, steps }: Sweep,
  outcome: SweepOutcome,
  problem: string | null
): Promise<boolean> {
  const finished = await query(updateFinished, [id, steps, outcome, problem])
  return finished.length > 0
}

/** Notes the variants that a page named. */
export async function markSeen (query: Query, sweep: Sweep, variantIds: readonly string[]): Promise<void> {
  if (variantIds.length === 0) return
  await query(insertPage, [sweep.id, sweep.steps, variantIds])
}

/** Forgets the variants that the pages of a sweep named. */
export async function removePages (query: Query, { id }: Sweep): Promise<void> {
  await query('delete from inventory_sweep_pages where sweep_id = $1', [id])
}

/**
 * Returns the levels of a page that differ from the hub's stock, or whose variant is unknown or
 * missing. `readAt`: when the hub asked for the page; stock that it asked for later is newer.
 */
export async function findDifferences (
  query: Query,
  levels: ReadonlyMap<string, VariantLevel>,
  readAt: string | null
): Promise<{ id: string, from: number | null }[]> {
  return query<{ id: string, from: number | null }>(selectDifferences, [quantityRows(levels), readAt])
}

/** Counts the variants of a sweep's connection, and those that it did not see. */
export async function countMissing (
  query: Query,
  { id, connectionId, startedAt }: Sweep
): Promise<{ known: number, missing: number }> {
  const [row] = await query<{ known: number, missing: number }>(countMissingOfSweep, [id, connectionId, startedAt])
  return row ?? { known: 0, missing: 0 }
}

/** Like `countMissing`, for a preview, which stores no pages in the database. */
export async function countUnseen (
  query: Query,
  connectionId: string,
  seen: readonly string[]
): Promise<{ known: number, missing: number }> {
  const [row] = await query<{ known: number, missing: number }>(countMissingOfIds, [connectionId, seen])
  return row ?? { known: 0, missing: 0 }
}

/** A variant that the hub knows and that the shop did not list. */
export interface UnseenVariant {
  variantId: string
  name: string | null
  sku: string | null
  productExternalId: string
  externalId: string
  quantity: number
}

/** Returns the first of the variants that `countUnseen` counts as missing. */
export async function listUnseen (
  query: Query,
  connectionId: string,
  seen: readonly string[],
  limit: number
): Promise<UnseenVariant[]> {
  return query<UnseenVariant>(selectUnseen, [connectionId, seen, limit])
}

export interface MissingProduct {
  externalId: string
  variants: { id: string, externalId: string }[]
}

/** Returns the first products with variants that the sweep did not see, at most `limit`. */
export async function listMissing (
  query: Query,
  { id, connectionId, startedAt }: Sweep,
  limit: number
): Promise<MissingProduct[]> {
  return query<MissingProduct>(selectMissing, [id, connectionId, startedAt, limit])
}

/** Returns sweeps, newest first. */
export async function listSweeps (query: Query, { connectionId, limit, cursor }: SweepQuery): Promise<SweepView[]> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  return query<SweepView>(selectSweeps, [connectionId ?? null, after?.createdAt ?? null, after?.id ?? null, limit])
}

/** Returns the newest ended sweep of a connection, and the newest complete one, if they exist. */
export async function readLastSweeps (
  query: Query,
  connectionId: string
): Promise<{ last?: SweepView | undefined, complete?: SweepView | undefined }> {
  const found = await query<SweepView>(selectLastSweeps, [connectionId])
  const [last] = found.toSorted((a, b) => a.startedAt < b.startedAt ? 1 : -1)
  return { last, complete: found.find(({ status }) => status === 'complete') }
}

/** A sweep that waits for a person, because too many variants were missing. */
export interface HeldSweep {
  id: string
  connectionId: string
  missing: number
  /** When it was held, ISO 8601. */
  since: string
}

/** Returns the connections whose last ended sweep is held. */
export async function listHeldSweeps (query: Query, connectionIds: readonly string[]): Promise<HeldSweep[]> {
  return query<HeldSweep>(selectHeld, [connectionIds])
}
