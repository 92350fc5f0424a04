import { createSigningKey } from '@linker/sdk'
import { createHash, type KeyObject } from 'node:crypto'
import { PublishFailedError } from '../errors.ts'
import type { StoredSecret, WebhookConnection } from '../connections/connection-cache.ts'

/**
 * A secret in the two forms in which deliveries prove it: as the key of a signature and, for bearer
 * tokens, as a hash of one length.
 */
export interface WebhookSecret {
  key: KeyObject
  hash: Buffer
}

/**
 * The secrets that a delivery to this connection may prove now: one from the environment and those
 * stored for it; none means that nobody gets in.
 */
export type SecretsOf =
  (connection: Pick<WebhookConnection, 'id' | 'platformType' | 'webhookSecrets'>) => readonly WebhookSecret[]

export interface SecretsOptions {
  /** `LINKER_WEBHOOK_SECRET__…` → secret. */
  variables: ReadonlyMap<string, string>
  /** Decrypts a secret that webhook install stored. */
  open(stored: StoredSecret, platformType: string): string
  now: () => Date
  /** Told once for each time that the connection was read. */
  onUnreadable?(connectionId: string, error: unknown): void
}

interface Timed {
  secret: WebhookSecret
  expiresAtMs: number
}
interface Opened {
  timed: readonly Timed[]
  unreadable: unknown
}

const prefix = 'LINKER_WEBHOOK_SECRET__'
const nothingStored: Opened = { timed: [], unreadable: undefined }

/**
 * Takes `LINKER_WEBHOOK_SECRET__{PROVIDER}__{CONNECTIONID}`, else
 * `LINKER_WEBHOOK_SECRET__{PROVIDER}` (specification, section 5.1), upper case, the id without
 * dashes; and the stored ones. An empty secret counts as absent: anybody could sign with it.
 */
export function createSecrets ({ variables, open, now, onUnreadable }: SecretsOptions): SecretsOf {
  const fromEnvironment =
    new Map([...variables].filter(([, secret]) => secret !== '').map(
      ([name, secret]): [string, WebhookSecret] => [name, prepare(secret)]
    ))
  const fromStore = new WeakMap<readonly StoredSecret[], Opened>()

  function findStored ({ id, platformType, webhookSecrets }: Parameters<SecretsOf>[0]): Opened {
    if (webhookSecrets.length === 0) return nothingStored
    const known = fromStore.get(webhookSecrets)
    if (known !== undefined) return known
    const timed: Timed[] = []
    let unreadable: unknown
    for (const stored of webhookSecrets) {
      try {
        timed.push({ secret: prepare(open(stored, platformType)), expiresAtMs: stored.expiresAtMs ?? Infinity })
      } catch (error) {
        unreadable = error
      }
    }
    if (unreadable !== undefined) onUnreadable?.(id, unreadable)
    const opened = { timed, unreadable }
    fromStore.set(webhookSecrets, opened)
    return opened
  }

  return function secretsOf (connection) {
    const [ofConnection, ofProvider] = secretNamesOf(connection)
    const found = fromEnvironment.get(ofConnection) ?? fromEnvironment.get(ofProvider)
    const { timed, unreadable } = findStored(connection)
    const nowMs = now().getTime()
    const secrets = [
      ...found === undefined ? [] : [found],
      ...timed.filter(({ expiresAtMs }) => expiresAtMs > nowMs).map(({ secret }) => secret)
    ]
    // The sender is not to blame, and its secret may be the one that cannot be read.
    if (secrets.length === 0 && unreadable !== undefined) throw new PublishFailedError({ cause: unreadable })
    return secrets
  }
}

/** The variables that may hold the secret of a connection, the one that wins first. */
export function secretNamesOf ({ id, platformType }: Pick<WebhookConnection, 'id' | 'platformType'>): [
  ofConnection: string,
  ofProvider: string
] {
  const ofProvider = `${prefix}${platformType.toUpperCase().replaceAll('-', '_')}`
  return [`${ofProvider}__${id.toUpperCase().replaceAll('-', '')}`, ofProvider]
}

export function hashToken (token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function prepare (secret: string): WebhookSecret {
  return { key: createSigningKey(secret), hash: hashToken(secret) }
}
