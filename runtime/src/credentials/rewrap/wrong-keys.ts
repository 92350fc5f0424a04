import type { Query } from '../../database/database.ts'
import { heldKeyIds } from '../key-ids.ts'
import { createSealing, type Sealed, type Sealing } from '../sealing.ts'
import { ownSealedTables } from './store.ts'

const mostOpened = 100

/** Returns the ids of keys that do not open what is sealed with a key of that id. */
export async function findWrongKeys (query: Query, credentialsKey: string | undefined): Promise<string[]> {
  const held = heldKeyIds(credentialsKey)
  const sealing = createSealing(credentialsKey === undefined ? {} : { credentialsKey })
  const opens = new Map<string, boolean>()
  for (const table of ownSealedTables(query)) {
    for (const { sealed, context } of await table.list('', '', mostOpened)) {
      const id = String(sealed.json.kid)
      if (sealed.encrypted && held.includes(id) && !opens.has(id)) opens.set(id, canOpen(sealing, sealed, context))
    }
  }
  return [...opens].filter(([, isRight]) => !isRight).map(([id]) => id)
}

function canOpen (sealing: Sealing, sealed: Sealed, context: string): boolean {
  try {
    sealing.open(sealed, context)
    return true
  } catch {
    return false
  }
}
