import { randomBytes, randomUUID } from 'node:crypto'
import type { Query } from '../database/database.ts'
import type { Sealing } from '../credentials/sealing.ts'
import type { StoredSecret } from '../connections/connection-cache.ts'

/**
 * How long a replaced secret stays valid: deliveries that the platform signed with it may be on
 * their way, and some platforms send each delivery only once.
 */
export const overlapMs = 86_400_000
const mostValid = 5

export interface NewSecret {
  id: string
  secret: string
}

/** State of the secrets of one connection. */
export interface InstallState {
  connectionId: string
  /** Whether the platform took the newest secret. */
  isInstalled: boolean
  /** When the hub made the newest secret that the platform took. */
  madeAtMs: number | null
}

/**
 *     stored ──platform took it──▶ installed ──a newer one was installed──▶ expires a day later
 *       │
 *       └── platform refused it, or nobody knows: good until a newer one was installed
 *
 * A refused secret stays good because the platform may have been told it.
 *
 * The hub stores the secret in the caller's transaction, before it tells the platform: the
 * platform's first delivery may come at once.
 */
export async function storeNewSecret (
  query: Query,
  sealing: Sealing,
  connection: { id: string, platformType: string },
  now: Date
): Promise<NewSecret> {
  const secret = randomBytes(32).toString('base64url')
  const id = randomUUID()
  const { json, encrypted } = sealing.seal({ secret }, contextOf(id, connection.platformType))
  // Evict unconfirmed secrets before the installed one: the platform is known to use that.
  await query(
    `
    delete from webhook_secrets where connection_id = $1 and (expires_at <= $2 or id not in (
      select id from webhook_secrets where connection_id = $1 and (expires_at is null or expires_at > $2)
      order by (installed_at is not null and expires_at is null) desc, position desc limit ${mostValid - 1}))`,
    [connection.id, now]
  )
  await query(
    'insert into webhook_secrets (id, connection_id, secret_json, encrypted, created_at) values ($1, $2, $3::jsonb, ' +
      '$4, $5)',
    [id, connection.id, JSON.stringify(json), encrypted, now]
  )
  return { id, secret }
}

/**
 * Marks a secret that the platform took. All other secrets of the connection expire a day later.
 */
export async function markInstalled (query: Query, connectionId: string, secretId: string, now: Date): Promise<void> {
  await query(
    `
    update webhook_secrets set
      installed_at = case when id = $2 then $3::timestamptz else installed_at end,
      expires_at = case when id = $2 then null else least(expires_at, $4::timestamptz) end
    where connection_id = $1`,
    [connectionId, secretId, now, new Date(now.getTime() + overlapMs)]
  )
}

/** Reads the secrets of the connections for which webhooks were ever installed. */
export async function readInstallStates (
  query: Query,
  connectionIds: readonly string[]
): Promise<Map<string, InstallState>> {
  const rows = await query<InstallState>(
    `
    select connection_id as "connectionId",
      (array_agg(installed_at order by position desc))[1] is not null as "isInstalled",
      (array_agg(floor(extract(epoch from created_at) * 1000)::float8
          order by position desc) filter (where installed_at is not null))[1] as "madeAtMs"
    from webhook_secrets where connection_id = any($1::uuid[]) group by connection_id`,
    [connectionIds]
  )
  return new Map(rows.map(row => [row.connectionId, row]))
}

/** Answers the function that reads a stored secret. */
export function createSecretOpener (sealing: Sealing): (stored: StoredSecret, platformType: string) => string {
  return function open (stored, platformType) {
    const { secret } = sealing.open(stored, contextOf(stored.id, platformType))
    if (typeof secret !== 'string' || secret === '') throw new TypeError('a stored webhook secret is none')
    return secret
  }
}

function contextOf (id: string, platformType: string): string {
  return `webhook_secrets/${id}/${platformType}`
}
