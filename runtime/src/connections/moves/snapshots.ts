import { randomUUID } from 'node:crypto'
import { readCursors, replaceCursors } from '../../adapters/store.ts'
import type { Query } from '../../database/database.ts'

/** The state of a connection before a move. */
export interface Snapshot {
  id: string
  adapterKey: string
  adapterVersion: string | null
  config: Record<string, unknown>
  capabilities: string[]
  cursors: Record<string, string>
}

const mostKept = 20

/**
 * Stores the present state of the connection, in the transaction that changes it. Keeps the last 20
 * snapshots of each connection.
 */
export async function takeSnapshot (query: Query, connectionId: string): Promise<void> {
  await query(
    `
    insert into connection_snapshots (
      id, connection_id, adapter_key, adapter_version, config, capabilities, cursors, created_at
    )
    select $2, id, adapter_key, adapter_version, config, capabilities, $3::jsonb, clock_timestamp()
    from connections
    where id = $1`,
    [connectionId, randomUUID(), JSON.stringify(await readCursors(query, connectionId))]
  )
  await query(
    `
    delete from connection_snapshots
    where connection_id = $1
      and id not in (
        select id
        from connection_snapshots
        where connection_id = $1
        order by created_at desc, id desc
        limit ${mostKept}
      )`,
    [connectionId]
  )
}

/** Reads the newest snapshot that was not restored yet, so that two rollbacks undo two moves. */
export async function latestSnapshot (query: Query, connectionId: string): Promise<Snapshot | undefined> {
  const [row] = await query<Snapshot>(
    `
    select id, adapter_key as "adapterKey", adapter_version as "adapterVersion", config, capabilities, cursors
    from connection_snapshots
    where connection_id = $1 and restored_at is null
    order by created_at desc, id desc
    limit 1`,
    [connectionId]
  )
  return row
}

/**
 * Puts the cursors of a snapshot back and marks it as restored, in the transaction that restores
 * the rest. Returns false when another rollback restored the snapshot before.
 */
export async function restoreCursors (query: Query, connectionId: string, snapshot: Snapshot): Promise<boolean> {
  const marked = await query(
    'update connection_snapshots set restored_at = now() where id = $1 and restored_at is null returning id',
    [snapshot.id]
  )
  if (marked.length === 0) return false
  await replaceCursors(query, connectionId, snapshot.cursors)
  return true
}
