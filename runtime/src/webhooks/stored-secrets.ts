import { createWebhookSecret } from '@linker/sdk/host'
import { randomBytes, randomUUID } from 'node:crypto'
import type { Connection } from '../connections/entity.ts'
import type { Sealed, Sealing } from '../credentials/sealing.ts'
import type { Query } from '../database/database.ts'
import { addSecret, storeInstalled } from './store.ts'

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
  connection: Pick<Connection, 'id' | 'platformType' | 'webhookRules'>,
  now: Date
): Promise<NewSecret> {
  const secret = createWebhookSecret(randomBytes, connection.webhookRules?.verify)
  const id = randomUUID()
  const sealed = sealing.seal({ secret }, secretContext(id, connection.platformType))
  await addSecret(query, { id, connectionId: connection.id, sealed, createdAt: now }, mostValid)
  return { id, secret }
}

/**
 * Marks a secret that the platform took. All other secrets of the connection expire a day later.
 */
export async function markInstalled (query: Query, connectionId: string, secretId: string, now: Date): Promise<void> {
  const othersUntil = new Date(now.getTime() + overlapMs)
  await storeInstalled(query, { connectionId, secretId, at: now, othersUntil })
}

/** Returns the function that reads a stored secret. */
export function createSecretOpener (sealing: Sealing): (
  stored: Sealed & { id: string },
  platformType: string
) => string {
  return function open (stored, platformType) {
    const { secret } = sealing.open(stored, secretContext(stored.id, platformType))
    if (typeof secret !== 'string' || secret === '') throw new TypeError('a stored webhook secret has no text')
    return secret
  }
}

/** Returns the text to which the envelope of a secret is bound. */
export function secretContext (id: string, platformType: string): string {
  return `webhook_secrets/${id}/${platformType}`
}
