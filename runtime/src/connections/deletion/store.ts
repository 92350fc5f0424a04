import { countCursors, countValues, removeAllValues } from '../../adapters/store.ts'
import { countEntries } from '../../audit/store.ts'
import { removeReferenced } from '../../credentials/credentials.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Query } from '../../database/database.ts'
import { countJobs } from '../../jobs/store.ts'
import { statesOfConnection } from '../../upstream/store.ts'
import { countPauses, deletePauses } from '../pauses/statements.ts'
import type { Belonging, Kept } from './belongings.ts'
import { countSnapshots, deleteSnapshots, selectOwnRef } from './statements.ts'

/** Makes a belonging of the statements that count and remove its rows. `$1` is the connection. */
export function belonging (what: string, counting: string, ...removing: readonly string[]): Belonging {
  return {
    what,
    count: (query, connectionId) => countRows(query, counting, [connectionId]),
    async remove (query, connectionId) {
      for (const statement of removing) await query(statement, [connectionId])
    }
  }
}

async function readOwnRef (query: Query, connectionId: string): Promise<string | undefined> {
  const [own] = await query<{ ref: string }>(selectOwnRef, [connectionId])
  return own?.ref
}

const credentials: Belonging = {
  what: 'credentials',
  count: async (query, connectionId) => Number(await readOwnRef(query, connectionId) !== undefined),
  async remove (query, connectionId) {
    const ref = await readOwnRef(query, connectionId)
    if (ref !== undefined) await removeReferenced(query, ref)
  }
}

/** The rows of this folder and of the folders below it that go with a connection. */
export const ownBelongings: readonly Belonging[] = [
  credentials,
  { what: 'values of the adapter', count: countValues, remove: removeAllValues },
  belonging('snapshots of moves', countSnapshots, deleteSnapshots),
  belonging('pauses', countPauses, deletePauses),
  statesOfConnection
]

/** The rows of the folders below that stay. */
export const ownKept: readonly Kept[] = [
  // For the next connection to the account.
  { what: 'cursors', count: countCursors },
  { what: 'jobs', count: countJobs },
  { what: 'audit entries', count: countEntries }
]
