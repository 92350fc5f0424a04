import type { Query } from '../../database/database.ts'
import { addCounts, deleteOldCounts, selectCounts, selectLateCounts } from './statements.ts'

/** How often deliveries were refused with a code. Times are ISO 8601. */
export interface RefusalCount {
  code: string
  count: number
  firstAt: string
  lastAt: string
  lastDetail: string | null
}

export interface RefusalRow extends RefusalCount {
  connectionId: string
}

/** Adds counts to those that are stored; unknown connections are skipped. */
export async function storeCounts (query: Query, rows: readonly RefusalRow[]): Promise<void> {
  await query(addCounts, [JSON.stringify(rows)])
}

export async function readCounts (query: Query, connectionId: string): Promise<RefusalCount[]> {
  return query<RefusalCount>(selectCounts, [connectionId])
}

/** The counts of connections that grew after `since`. */
export async function readLateCounts (
  query: Query,
  connectionIds: readonly string[],
  since: Date
): Promise<RefusalRow[]> {
  return query<RefusalRow>(selectLateCounts, [connectionIds, since])
}

/** Removes the counts of codes that no delivery got since `before`. */
export async function removeCountsBefore (query: Query, before: Date): Promise<void> {
  await query(deleteOldCounts, [before])
}
