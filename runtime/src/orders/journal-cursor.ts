import { moveCursor, readCursor } from '../adapters/cursors.ts'
import type { Query } from '../database/database.ts'

const name = 'orders'

/** How far the order journal of a connection is read. Undefined before the first reading. */
export async function readJournalCursor (query: Query, connectionId: string): Promise<string | undefined> {
  return readCursor(query, connectionId, name)
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
  return moveCursor(query, connectionId, { name, from, to })
}
