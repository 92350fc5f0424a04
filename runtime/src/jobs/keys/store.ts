import type { Query } from '../../database/database.ts'
import type { Position } from '../../http/paging.ts'
import { positionCondition } from '../statements.ts'
import { scan } from './statements.ts'

/** A part of a walk through the ledger. */
export interface KeyScan {
  /** The idempotency keys of the wanted jobs begin with this text. */
  prefix: string
  connectionId?: string | undefined
  /** ISO 8601: made at this time or later. */
  since?: string | undefined
  /** ISO 8601: made before this time. */
  until?: string | undefined
  /** The walk goes on after this job. */
  after?: Position | undefined
  /** Most jobs that it looks at. */
  limit: number
}

/** Jobs whose keys begin with the prefix, newest first, by their ids. */
export interface ScannedKeys {
  ids: string[]
  /** The last job that the walk looked at; undefined at the end of the ledger. */
  last: Position | undefined
}

/**
 * Walks through the ledger, newest jobs first, and finds jobs by the beginning of their keys. No
 * index has the keys, so each step looks at `limit` jobs at most, however many it finds.
 */
export async function scanKeys (
  query: Query,
  { prefix, connectionId, since, until, after, limit }: KeyScan
): Promise<ScannedKeys> {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = [
    ...(connectionId === undefined ? [] : [`jobs.connection_id = ${value(connectionId)}`]),
    ...(since === undefined ? [] : [`jobs.created_at >= ${value(since)}`]),
    ...(until === undefined ? [] : [`jobs.created_at < ${value(until)}`]),
    ...(after === undefined ? [] : [positionCondition(value(after.createdAt), value(after.id))])
  ]
  const text = scan(conditions, value(prefix), value(limit))
  const [row] = await query<{ ids: string[], seen: number, createdAt: string, id: string }>(text, values)
  if (row === undefined) return { ids: [], last: undefined }
  const { ids, seen, createdAt, id } = row
  return { ids, last: seen < limit ? undefined : { createdAt, id } }
}
