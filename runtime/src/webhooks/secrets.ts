import { createSigningKey } from '@linker/sdk'
import { createHash, type KeyObject } from 'node:crypto'
import type { WebhookConnection } from './connection-cache.ts'

/** A secret in the two forms in which deliveries prove it: as the key of a signature and, for bearer tokens, as a hash of one length. */
export interface WebhookSecret { key: KeyObject, hash: Buffer }

/** The secrets that a delivery to this connection may prove: one from the environment, or those stored for it; none means that nobody gets in. */
export type SecretsOf = (connection: Pick<WebhookConnection, 'id' | 'platformType' | 'epoch'>) => readonly WebhookSecret[] | Promise<readonly WebhookSecret[]>

export interface SecretsOptions {
  /** `LINKER_WEBHOOK_SECRET__…` → secret. */
  variables: ReadonlyMap<string, string>
  /** Secrets made by webhook install, the replaced one included while it is valid. Read again when the connection's version changes. */
  stored?: (connectionId: string) => Promise<readonly string[]>
}

const prefix = 'LINKER_WEBHOOK_SECRET__'
const mostStored = 20_000

/**
 * Looks for `LINKER_WEBHOOK_SECRET__{PROVIDER}__{CONNECTIONID}`, then `LINKER_WEBHOOK_SECRET__{PROVIDER}` (specification, section 5.1),
 * upper case, the id without dashes; then for stored ones. An empty secret counts as absent: anybody could sign with it.
 */
export function createSecrets ({ variables, stored }: SecretsOptions): SecretsOf {
  const fromEnvironment = new Map([...variables].filter(([, secret]) => secret !== '').map(([name, secret]): [string, WebhookSecret[]] => [name, [prepare(secret)]]))
  const fromStore = new Map<string, { epoch: number, secrets: Promise<readonly WebhookSecret[]> }>()

  function findStored (id: string, epoch: number, load: NonNullable<SecretsOptions['stored']>): Promise<readonly WebhookSecret[]> {
    const known = fromStore.get(id)
    if (known?.epoch === epoch) return known.secrets
    const secrets = load(id).then(texts => texts.filter(secret => secret !== '').map(prepare))
    const [oldest] = fromStore.keys()
    if (fromStore.size >= mostStored && oldest !== undefined) fromStore.delete(oldest)
    fromStore.set(id, { epoch, secrets })
    secrets.catch(() => { if (fromStore.get(id)?.secrets === secrets) fromStore.delete(id) })
    return secrets
  }

  return function secretsOf ({ id, platformType, epoch }) {
    const [ofConnection, ofProvider] = secretNamesOf({ id, platformType })
    const found = fromEnvironment.get(ofConnection) ?? fromEnvironment.get(ofProvider)
    if (found !== undefined) return found
    return stored === undefined ? [] : findStored(id, epoch, stored)
  }
}

/** The variables that may hold the secret of a connection, the one that wins first. */
export function secretNamesOf ({ id, platformType }: Pick<WebhookConnection, 'id' | 'platformType'>): [ofConnection: string, ofProvider: string] {
  const ofProvider = `${prefix}${platformType.toUpperCase().replaceAll('-', '_')}`
  return [`${ofProvider}__${id.toUpperCase().replaceAll('-', '')}`, ofProvider]
}

export function hashToken (token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function prepare (secret: string): WebhookSecret {
  return { key: createSigningKey(secret), hash: hashToken(secret) }
}
