import { randomUUID } from 'node:crypto'
import { readCursors, replaceCursors } from '../adapters/cursors.ts'
import type { Query } from '../database/database.ts'

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
 * Keeps what the connection has now, in the transaction that changes it. Of each connection the
 * last 20 are kept.
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

/** The newest that was not restored: rolling back twice undoes two moves. */
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
 * the rest. False: somebody restored it before.
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
