import type { Query } from '../database/database.ts'

const selectKeyIds = `
  select credentials_json ->> 'kid' as kid from integration_credentials where encrypted
  union
  select secret_json ->> 'kid' from webhook_secrets where encrypted
  union
  select coalesce(data, answer) ->> 'kid'
  from flows
  where encrypted and coalesce(data, answer) is not null and expires_at > now()
  order by kid`

/**
 * Ids of the keys that anything stored is encrypted with: credentials, secrets of webhooks, and
 * authorisations that are under way.
 */
export async function readKeyIds (query: Query): Promise<string[]> {
  const rows = await query<{ kid: string | null }>(selectKeyIds)
  return rows.map(({ kid }) => kid ?? '')
}

/** Returns the ids whose key `LINKER_CREDENTIALS_KEY` does not hold. */
export function missingKeyIds (keyIds: readonly string[], credentialsKey = ''): string[] {
  const held = new Set(credentialsKey.split(',').map(entry => entry.slice(0, entry.indexOf(':')).trim()))
  return keyIds.filter(id => !held.has(id))
}
