import { moveCursor, readCursor } from '../adapters/store.ts'
import type { Query } from '../database/database.ts'

// The hub stores this cursor beside the adapter's own: it survives a change of the adapter version.
const name = 'orders'

/** Returns how far the hub has read the order journal. Undefined before the first reading. */
export async function readJournalCursor (query: Query, connectionId: string): Promise<string | undefined> {
  return readCursor(query, connectionId, name)
}

/**
 * Moves the cursor on from its value at the reading of the journal. Returns false, and leaves the
 * cursor alone, when another run has moved it since.
 */
export async function moveJournalCursor (
  query: Query,
  connectionId: string,
  from: string | undefined,
  to: string
): Promise<boolean> {
  return moveCursor(query, connectionId, { name, from, to })
}
