import type { Query } from '../database/database.ts'

/** Ids of the keys that stored credentials are encrypted with. */
export async function readKeyIds (query: Query): Promise<string[]> {
  const rows = await query<
    { kid: string | null }
  >("select distinct credentials_json ->> 'kid' as kid from integration_credentials where encrypted order by kid")
  return rows.map(({ kid }) => kid ?? '')
}

/** Returns the ids whose key `LINKER_CREDENTIALS_KEY` does not hold. */
export function missingKeyIds (keyIds: readonly string[], credentialsKey = ''): string[] {
  const held = new Set(credentialsKey.split(',').map(entry => entry.slice(0, entry.indexOf(':')).trim()))
  return keyIds.filter(id => !held.has(id))
}
