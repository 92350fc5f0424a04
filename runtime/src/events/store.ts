import type { Query } from '../database/database.ts'
import { deleteExcess, insertIgnored, selectReceipt, upsertReceipts } from './statements.ts'

/** The last delivery of a connection, as its row stands. Null `jobId`: it started no job. */
export interface ReceiptRow {
  connectionId: string
  /** ISO 8601. */
  deliveredAt: string
  eventType: string
  jobId: string | null
}

/** Stores the last deliveries of connections. Later ones stay; unknown connections are skipped. */
export async function storeReceipts (query: Query, receipts: readonly ReceiptRow[]): Promise<void> {
  await query(upsertReceipts, [JSON.stringify(receipts)])
}

export async function readReceipt (
  query: Query,
  connectionId: string
): Promise<{ at: string, event: string, jobId: string | null } | undefined> {
  const [row] = await query<{ at: string, event: string, jobId: string | null }>(selectReceipt, [connectionId])
  return row
}

/** An event that started no job. `message`: the fields of its stream message as JSON. */
export interface IgnoredRow {
  connectionId: string
  eventId: string
  eventType: string
  message: string
}

/**
 * Stores events, then removes the oldest of their connections until each has at most `keptBytes`.
 * Skips events of unknown connections, and events that are stored already.
 */
export async function storeIgnored (query: Query, rows: readonly IgnoredRow[], keptBytes: number): Promise<void> {
  await query(insertIgnored, [JSON.stringify(rows)])
  await query(deleteExcess, [[...new Set(rows.map(row => row.connectionId))], keptBytes])
}

export async function removeIgnoredBefore (query: Query, days: number): Promise<void> {
  await query("delete from ignored_events where ignored_at < now() - $1 * interval '1 day'", [days])
}

/** Gives the space of removed events back to the table. */
export async function vacuumIgnored (query: Query): Promise<void> {
  await query('vacuum (analyze) ignored_events')
}
