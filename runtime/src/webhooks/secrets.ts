import { createSigningKey } from '@linker/sdk'
import { createHash, type KeyObject } from 'node:crypto'
import { secretPrefix } from '../config.ts'
import type { StoredSecret, WebhookConnection } from '../connections/connection-cache.ts'

/**
 * A secret in the two forms that prove deliveries: a key for signatures and, for bearer tokens, a
 * hash of fixed length.
 */
export interface WebhookSecret {
  key: KeyObject
  hash: Buffer
}

/**
 * Returns the secrets that a connection accepts now: one from the environment and those stored for
 * it. When there is none, the hub accepts no delivery.
 */
export type SecretsOf = (connection: Pick<WebhookConnection, 'id' | 'platformType' | 'webhookSecrets'>) => Secrets

export interface Secrets {
  known: readonly WebhookSecret[]
  /**
   * The one that signs answers: the newest stored secret, else that of the environment. Undefined:
   * there is none, or the hub cannot read it. An older one would sign answers that the platform
   * refuses.
   */
  newest: WebhookSecret | undefined
  /** Why the hub cannot read a stored secret. It may be the one that the sender uses. */
  unreadable?: unknown
}

export interface SecretsOptions {
  /** `LINKER_WEBHOOK_SECRET__…` → secret. */
  variables: ReadonlyMap<string, string>
  /** Decrypts a secret that webhook install stored. */
  open(stored: StoredSecret, platformType: string): string
  now: () => Date
  /** Called once each time that the hub has read the connection. */
  onUnreadable?(connectionId: string, error: unknown): void
}

interface Timed {
  /** Undefined: the hub cannot read it. */
  secret: WebhookSecret | undefined
  expiresAtMs: number
}
interface Opened {
  /** The newest first, as the database gives them. */
  timed: readonly Timed[]
  unreadable: unknown
}

const nothingStored: Opened = { timed: [], unreadable: undefined }

/**
 * Reads `LINKER_WEBHOOK_SECRET__{PROVIDER}__{CONNECTIONID}`, else
 * `LINKER_WEBHOOK_SECRET__{PROVIDER}` (specification, section 5.1), in upper case and with the id
 * without dashes. Adds the stored secrets. An empty secret counts as absent: anybody could sign
 * with it.
 */
export function createSecrets ({ variables, open, now, onUnreadable }: SecretsOptions): SecretsOf {
  const fromEnvironment =
    new Map([...variables].filter(([, secret]) => secret !== '').map(
      ([name, secret]): [string, WebhookSecret] => [name, prepare(secret)]
    ))
  const fromStore = new WeakMap<readonly StoredSecret[], Opened>()
  const ofConnections = new WeakMap<Parameters<SecretsOf>[0], Secrets>()

  function findStored ({ id, platformType, webhookSecrets }: Parameters<SecretsOf>[0]): Opened {
    if (webhookSecrets.length === 0) return nothingStored
    const known = fromStore.get(webhookSecrets)
    if (known !== undefined) return known
    const timed: Timed[] = []
    let unreadable: unknown
    for (const stored of webhookSecrets) {
      const expiresAtMs = stored.expiresAtMs ?? Infinity
      try {
        timed.push({ secret: prepare(open(stored, platformType)), expiresAtMs })
      } catch (error) {
        timed.push({ secret: undefined, expiresAtMs })
        unreadable = error
      }
    }
    if (unreadable !== undefined) onUnreadable?.(id, unreadable)
    const opened = { timed, unreadable }
    fromStore.set(webhookSecrets, opened)
    return opened
  }

  /** Remembers the answer for each connection: building the names takes longer than the check. */
  function findInEnvironment (connection: Parameters<SecretsOf>[0]): Secrets {
    const known = ofConnections.get(connection)
    if (known !== undefined) return known
    const [ofConnection, ofProvider] = secretNamesOf(connection)
    const found = fromEnvironment.get(ofConnection) ?? fromEnvironment.get(ofProvider)
    const secrets = { known: found === undefined ? [] : [found], newest: found }
    ofConnections.set(connection, secrets)
    return secrets
  }

  return function secretsOf (connection) {
    const given = findInEnvironment(connection)
    const { timed, unreadable } = findStored(connection)
    if (timed.length === 0) return given
    const nowMs = now().getTime()
    const valid = timed.filter(({ expiresAtMs }) => expiresAtMs > nowMs)
    const stored = valid.flatMap(({ secret }) => secret === undefined ? [] : [secret])
    const [newest = { secret: given.newest }] = valid
    return { known: [...given.known, ...stored], newest: newest.secret, unreadable }
  }
}

/** The variables that may hold the secret of a connection. The first one wins. */
export function secretNamesOf ({ id, platformType }: Pick<WebhookConnection, 'id' | 'platformType'>): [
  ofConnection: string,
  ofProvider: string
] {
  const ofProvider = `${secretPrefix}${platformType.toUpperCase().replaceAll('-', '_')}`
  return [`${ofProvider}__${id.toUpperCase().replaceAll('-', '')}`, ofProvider]
}

export function hashToken (token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function prepare (secret: string): WebhookSecret {
  return { key: createSigningKey(secret), hash: hashToken(secret) }
}
