import type { Query } from '../../database/database.ts'
import { createSealing } from '../sealing.ts'
import { ownSealedTables } from './store.ts'
import { findUnreadableKeys } from './unreadable-keys.ts'

/** Returns the ids of keys that do not open what is sealed with a key of that id. */
export async function findWrongKeys (query: Query, credentialsKey: string | undefined): Promise<string[]> {
  const sealing = createSealing(credentialsKey === undefined ? {} : { credentialsKey })
  const found = await findUnreadableKeys(sealing, ownSealedTables(query))
  return found.filter(({ problem }) => problem === 'wrong').map(({ keyId }) => keyId)
}
