import { missingKeyIds } from '../credentials/key-ids.ts'
import { findWrongKeys } from '../credentials/rewrap/wrong-keys.ts'
import { readKeyIds } from '../credentials/store.ts'
import type { Query } from '../database/database.ts'

/** Says which stored secrets a hub with this `LINKER_CREDENTIALS_KEY` could not open. */
export async function readKeyWarnings (query: Query, credentialsKey: string | undefined): Promise<string[]> {
  const missing = missingKeyIds(await readKeyIds(query), credentialsKey)
  const wrong = await findWrongKeys(query, credentialsKey)
  return [
    ...missing.map(id => `some credentials are encrypted with key '${id}': add it to LINKER_CREDENTIALS_KEY`),
    ...wrong.map(id =>
      `LINKER_CREDENTIALS_KEY holds another key '${id}' than the one that some credentials are encrypted with: put ` +
      'back that one'
    )
  ].map(text => `WARNING: ${text} before you start the hub`)
}
