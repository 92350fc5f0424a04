import type { CommittedCursor } from '@linker/sdk'
import type { CallEffects } from '@linker/sdk/host'
import type { Query } from '../database/database.ts'

// The table `connection_cursors` says how far each connection has read the listings of its
// platform. The cursors of the hub's own readings stand beside those of adapters, so that all of
// them move with a connection to another adapter version, and back.

export async function readCursor (query: Query, connectionId: string, name: string): Promise<string | undefined> {
  const [row] = await query<{ value: string }>(
    'select value from connection_cursors where connection_id = $1 and cursor_key = $2',
    [connectionId, name]
  )
  return row?.value
}

/** All cursors of a connection by name. */
export async function readCursors (query: Query, connectionId: string): Promise<Record<string, string>> {
  const cursors = await listCursors(query, connectionId)
  return Object.fromEntries(cursors.map(({ name, value }) => [name, value]))
}

export async function listCursors (query: Query, connectionId: string): Promise<CommittedCursor[]> {
  return query<CommittedCursor>(
    `
    select cursor_key as name, value,
      to_char(updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
    from connection_cursors
    where connection_id = $1
    order by cursor_key collate "C"`,
    [connectionId]
  )
}

/** Stores the cursors of a call, in the transaction that ends it. */
export async function storeCursors (
  query: Query,
  connectionId: string,
  cursors: CallEffects['cursors']
): Promise<void> {
  if (Object.keys(cursors).length === 0) return
  await query(
    `
    insert into connection_cursors (connection_id, cursor_key, value) select $1, key, value
    from jsonb_each_text($2::jsonb)
    on conflict (connection_id, cursor_key) do update set value = excluded.value, updated_at = now()`,
    [connectionId, JSON.stringify(cursors)]
  )
}

/**
 * Moves a cursor from the value that its reader found. Answers false, and moves nothing, when
 * another run has moved the cursor since. `from` undefined: the reader found no cursor.
 */
export async function moveCursor (
  query: Query,
  connectionId: string,
  { name, from, to }: { name: string, from: string | undefined, to: string }
): Promise<boolean> {
  const moved = from === undefined
    ? await query(
      `
      insert into connection_cursors (connection_id, cursor_key, value) values ($1, $2, $3)
      on conflict do nothing
      returning value`,
      [connectionId, name, to]
    )
    : await query(
      `
      update connection_cursors set value = $3, updated_at = now()
      where connection_id = $1 and cursor_key = $2 and value = $4
      returning value`,
      [connectionId, name, to, from]
    )
  return moved.length > 0
}

/** Makes these the only cursors of a connection. */
export async function replaceCursors (
  query: Query,
  connectionId: string,
  cursors: Record<string, string>
): Promise<void> {
  await query('delete from connection_cursors where connection_id = $1', [connectionId])
  await storeCursors(query, connectionId, cursors)
}
