import type { CommittedCursor } from '@linker/sdk'
import type { CallEffects, CheckedListOptions } from '@linker/sdk/host'
import { countRows } from '../database/count-rows.ts'
import type { Query } from '../database/database.ts'
import { removeInSteps } from '../database/remove-in-steps.ts'
import {
  countCursorsOf,
  countValuesOf,
  deleteExpiredValues,
  deleteLapsedLocks,
  deleteOneValue,
  insertFirstCursor,
  insertFirstDefaults,
  selectCursor,
  selectCursors,
  selectDefaults,
  selectValue,
  selectValueBytes,
  selectValues,
  sumValueBytes,
  takeLock,
  updateCursor,
  upsertCursors,
  upsertValue,
  upsertValues
} from './statements.ts'

/** Returns the adapter key that served each platform first. */
export async function readDefaults (query: Query): Promise<ReadonlyMap<string, string>> {
  const rows = await query<{ platformType: string, adapterKey: string }>(selectDefaults)
  return new Map(rows.map(({ platformType, adapterKey }) => [platformType, adapterKey]))
}

/** Stores adapter keys by platform. A platform that has one keeps it. */
export async function storeFirstDefaults (query: Query, keys: Readonly<Record<string, string>>): Promise<void> {
  await query(insertFirstDefaults, [JSON.stringify(keys)])
}

export async function readCursor (query: Query, connectionId: string, name: string): Promise<string | undefined> {
  const [row] = await query<{ value: string }>(selectCursor, [connectionId, name])
  return row?.value
}

/** All cursors of a connection by name. */
export async function readCursors (query: Query, connectionId: string): Promise<Record<string, string>> {
  const cursors = await listCursors(query, connectionId)
  return Object.fromEntries(cursors.map(({ name, value }) => [name, value]))
}

export async function listCursors (query: Query, connectionId: string): Promise<CommittedCursor[]> {
  return query<CommittedCursor>(selectCursors, [connectionId])
}

/** Stores the cursors of a call, in the transaction that ends it. */
export async function storeCursors (
  query: Query,
  connectionId: string,
  cursors: CallEffects['cursors']
): Promise<void> {
  if (Object.keys(cursors).length === 0) return
  await query(upsertCursors, [connectionId, JSON.stringify(cursors)])
}

/**
 * Moves a cursor from the value that its reader found. Returns false, and moves nothing, when
 * another run has moved the cursor since. `from` undefined: the reader found no cursor.
 */
export async function moveCursor (
  query: Query,
  connectionId: string,
  { name, from, to }: { name: string, from: string | undefined, to: string }
): Promise<boolean> {
  const moved = from === undefined
    ? await query(insertFirstCursor, [connectionId, name, to])
    : await query(updateCursor, [connectionId, name, to, from])
  return moved.length > 0
}

export async function removeCursor (query: Query, connectionId: string, name: string): Promise<void> {
  await query('delete from connection_cursors where connection_id = $1 and cursor_key = $2', [connectionId, name])
}

/** Makes these the only cursors of a connection. */
export async function replaceCursors (
  query: Query,
  connectionId: string,
  cursors: Record<string, string>
): Promise<void> {
  await removeAllCursors(query, connectionId)
  await storeCursors(query, connectionId, cursors)
}

/**
 * Gives a connection the cursors of another one, in place of those that it has of the same names.
 * Returns how many.
 */
export async function takeCursors (query: Query, fromId: string, connectionId: string): Promise<number> {
  const cursors = await readCursors(query, fromId)
  await storeCursors(query, connectionId, cursors)
  await removeAllCursors(query, fromId)
  return Object.keys(cursors).length
}

/** Returns how many cursors a connection has. */
export async function countCursors (query: Query, connectionId: string): Promise<number> {
  return countRows(query, countCursorsOf, [connectionId])
}

/** Removes all cursors of a connection. */
export async function removeAllCursors (query: Query, connectionId: string): Promise<void> {
  await query('delete from connection_cursors where connection_id = $1', [connectionId])
}

/** Returns how many values an adapter keeps for a connection. */
export async function countValues (query: Query, connectionId: string): Promise<number> {
  return countRows(query, countValuesOf, [connectionId])
}

/** Removes the values and the locks of an adapter for a connection. */
export async function removeAllValues (query: Query, connectionId: string): Promise<void> {
  await query('delete from connection_values where connection_id = $1', [connectionId])
  await query('delete from connection_locks where connection_id = $1', [connectionId])
}

/** Takes a lock that is free or has lapsed. Returns its token, or undefined when it is held. */
export async function acquireLock (
  query: Query,
  { connectionId, name, token, leaseMs }: { connectionId: string, name: string, token: string, leaseMs: number }
): Promise<string | undefined> {
  const [row] = await query<{ token: string }>(takeLock, [connectionId, name, token, leaseMs])
  return row?.token
}

export async function releaseLock (query: Query, connectionId: string, name: string, token: string): Promise<void> {
  await query(
    'delete from connection_locks where connection_id = $1 and name = $2 and token = $3',
    [connectionId, name, token]
  )
}

export async function readValue (query: Query, connectionId: string, key: string): Promise<unknown> {
  const [row] = await query<{ value: unknown }>(selectValue, [connectionId, key])
  return row?.value
}

/** Returns the values whose keys are before `keysEnd`, which is the end of the prefix. */
export async function listValues (
  query: Query,
  connectionId: string,
  { prefix, keysEnd, after, limit, order }: CheckedListOptions & { keysEnd: string | undefined }
): Promise<{ key: string, value: unknown }[]> {
  return query<{ key: string, value: unknown }>(
    selectValues(order),
    [connectionId, prefix, keysEnd ?? null, after ?? null, limit]
  )
}

/** Writes one value. Returns the bytes of the value that it replaced, or undefined. */
export async function storeValue (
  query: Query,
  { connectionId, key, json, ttlSeconds }: {
    connectionId: string,
    key: string,
    json: string,
    ttlSeconds: number | undefined
  }
): Promise<number | undefined> {
  const values = [connectionId, key, json, ttlSeconds ?? null]
  const [row] = await query<{ replaced: number | null }>(upsertValue, values)
  return row?.replaced ?? undefined
}

/** Writes the values that an adapter's route stores together with its connection. */
export async function writeValues (
  query: Query,
  connectionId: string,
  values: Readonly<Record<string, unknown>>
): Promise<void> {
  if (Object.keys(values).length === 0) return
  await query(upsertValues, [connectionId, JSON.stringify(values)])
}

/** Removes a value. Returns its bytes, or undefined when there was none. */
export async function removeValue (query: Query, connectionId: string, key: string): Promise<number | undefined> {
  const [gone] = await query<{ bytes: number }>(deleteOneValue, [connectionId, key])
  return gone?.bytes
}

/** The bytes of a value, expired or not. Undefined: there is none. */
export async function readValueBytes (query: Query, connectionId: string, key: string): Promise<number | undefined> {
  const [row] = await query<{ bytes: number }>(selectValueBytes, [connectionId, key])
  return row?.bytes
}

/** The bytes that the values of a connection count for, keys included. */
export async function readConnectionBytes (query: Query, connectionId: string): Promise<number> {
  const [row] = await query<{ bytes: number }>(sumValueBytes, [connectionId])
  return row?.bytes ?? 0
}

/**
 * Removes values that have expired and locks that have lapsed, which nobody reads any more. Returns
 * how many.
 */
export async function removeExpiredState (query: Query, signal?: AbortSignal): Promise<number> {
  return await removeInSteps(query, deleteExpiredValues, signal) + await removeInSteps(query, deleteLapsedLocks, signal)
}
