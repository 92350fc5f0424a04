import { randomUUID } from 'node:crypto'
import { readCursors, replaceCursors } from '../../adapters/store.ts'
import { currentActor } from '../../audit/actor.ts'
import type { Query } from '../../database/database.ts'
import type { PastMove, Pin } from './schemas.ts'
import { deleteSurplus, insertSnapshot, selectLatest, selectMoves, updateRestored } from './statements.ts'

/** The state of a connection before a move. */
export interface Snapshot {
  id: string
  adapterKey: string
  adapterVersion: string | null
  config: Record<string, unknown>
  capabilities: string[]
  cursors: Record<string, string>
}

/**
 * Stores the present state of the connection, in the transaction that moves it to `to`. Keeps the
 * last 20 snapshots of each connection.
 */
export async function takeSnapshot (query: Query, connectionId: string, to: Pin): Promise<void> {
  const cursors = await readCursors(query, connectionId)
  const { kind, name, tokenId } = currentActor()
  await query(insertSnapshot, [
    connectionId,
    randomUUID(),
    JSON.stringify(cursors),
    to.adapterKey,
    to.adapterVersion,
    JSON.stringify({ kind, name, tokenId })
  ])
  await query(deleteSurplus, [connectionId])
}

/** Returns the moves of a connection whose snapshots are kept, newest first. */
export async function listMoves (query: Query, connectionId: string): Promise<PastMove[]> {
  return query<PastMove>(selectMoves, [connectionId])
}

/** Reads the newest snapshot that was not restored yet, so that two rollbacks undo two moves. */
export async function readLatestSnapshot (query: Query, connectionId: string): Promise<Snapshot | undefined> {
  const [row] = await query<Snapshot>(selectLatest, [connectionId])
  return row
}

/**
 * Puts the cursors of a snapshot back and marks it as restored, in the transaction that restores
 * the rest. Returns false when another rollback has already restored the snapshot.
 */
export async function restoreCursors (query: Query, connectionId: string, snapshot: Snapshot): Promise<boolean> {
  const marked = await query(updateRestored, [snapshot.id])
  if (marked.length === 0) return false
  await replaceCursors(query, connectionId, snapshot.cursors)
  return true
}
