import { collectMarked, collectSecrets, createAnswerRedactor, markedMembers } from '@linker/sdk/host'
import type { Registry } from '../adapters/registry.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { Database } from '../database/database.ts'
import type { Redact } from '../jobs/show-jobs.ts'
import type { Connection } from './entity.ts'
import { findConnections, findDeleted } from './store.ts'

export interface RedactionOptions {
  database: Pick<Database, 'query'>
  credentials: Pick<Credentials, 'read'>
  registry: Pick<Registry, 'find'>
}

const censored = '[redacted]'

/**
 * Hides the secrets of connections in stored values before the API shows them. When the hub cannot
 * read the credentials of a connection, or has deleted them with it, it shows no text of such a
 * value: it cannot tell which text is a secret.
 */
export function createRedaction ({ database, credentials, registry }: RedactionOptions) {
  async function redactorsOf (ids: readonly (string | null)[]): Promise<(connectionId: string | null) => Redact> {
    const wanted = [...new Set(ids)].filter(id => id !== null)
    const found = wanted.length === 0 ? [] : await findConnections(database.query, wanted)
    const redactors = new Map(await Promise
      .all(found.map(async (connection): Promise<[string, Redact]> => [connection.id, await redactorOf(connection)])))
    const missing = wanted.filter(id => !redactors.has(id))
    const deleted = missing.length === 0 ? [] : await findDeleted(database.query, missing)
    for (const id of deleted) redactors.set(id, hide)
    return connectionId => redactors.get(connectionId ?? '') ?? (value => value)
  }

  async function redactorOf ({ adapterKey, adapterVersion, config, credentialsRef, secretMembers }:
    Connection): Promise<Redact>
  {
    // When the adapter is missing, every text in the credentials counts as a secret.
    const schemas = registry.find(adapterKey, adapterVersion)?.description
    const ofConfig = [...secretMembers, ...markedMembers(schemas?.config ?? {})].map(name => [name, { secret: true }])
    const marked = collectMarked({ properties: Object.fromEntries(ofConfig) }, config)
    if (typeof credentialsRef !== 'string') return createAnswerRedactor(marked)
    try {
      const { plain } = await credentials.read(database.query, credentialsRef)
      return createAnswerRedactor([...marked, ...collectSecrets(schemas?.credentials ?? {}, plain)])
    } catch {
      return hide
    }
  }

  return { redactorsOf }
}

/** Hides texts and everything inside objects and arrays; only the kind of the value stays. */
function hide (value: unknown): unknown {
  if (typeof value === 'string') return censored
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? [] : {}
}
