import type { Query } from '../database/database.ts'

// Beside the adapter's own cursors: what a connection has read of its journal moves with the
// connection to another adapter version, and back.
const name = 'orders'

/** How far the order journal of a connection is read. Undefined before the first reading. */
export async function readJournalCursor (query: Query, connectionId: string): Promise<string | undefined> {
  const [row] = await query<{ value: string }>(
    'select value from connection_cursors where connection_id = $1 and cursor_key = $2',
    [connectionId, name]
  )
  return row?.value
}

/**
 * Moves the cursor from where it was when the journal was read. Answers false, and moves nothing,
 * when another run has moved it since.
 */
export async function moveJournalCursor (
  query: Query,
  connectionId: string,
  from: string | undefined,
  to: string
): Promise<boolean> {
  const moved = from === undefined
    ? await query(
      'insert into connection_cursors (connection_id, cursor_key, value) values ($1, $2, $3) on conflict do nothing returning value',
      [connectionId, name, to]
    )
    : await query(
      'update connection_cursors set value = $3, updated_at = now() where connection_id = $1 and cursor_key = $2 and value = $4 returning value',
      [connectionId, name, to, from]
    )
  return moved.length > 0
}
