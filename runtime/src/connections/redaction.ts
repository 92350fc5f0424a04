import { collectMarked, collectSecrets, createAnswerRedactor, markedMembers } from '@linker/sdk/host'
import type { Registry } from '../adapters/registry.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { Database } from '../database/database.ts'
import { Connection } from './entity.ts'
import type { Redact } from '../jobs/plugin.ts'

export interface RedactionOptions {
  database: Pick<Database, 'orm'>
  credentials: Pick<Credentials, 'read'>
  registry: Pick<Registry, 'find'>
}

const censored = '[redacted]'

/**
 * Knows the secrets of connections, for what was stored with one in it and is shown. A connection
 * whose credentials cannot be read shows nothing of that: nobody could say what in it is secret.
 */
export function createRedaction ({ database, credentials, registry }: RedactionOptions) {
  async function redactorsOf (ids: readonly (string | null)[]): Promise<(connectionId: string | null) => Redact> {
    const wanted = [...new Set(ids)].filter(id => id !== null)
    const found = wanted.length === 0 ? [] : await database.orm.em.fork().find(Connection, { id: { $in: wanted } })
    const redactors = new Map(await Promise
      .all(found.map(async (connection): Promise<[string, Redact]> => [connection.id, await redactorOf(connection)])))
    return connectionId => redactors.get(connectionId ?? '') ?? (value => value)
  }

  async function redactorOf ({ adapterKey, adapterVersion, config, credentialsRef, secretMembers }:
    Connection): Promise<Redact>
  {
    // Without its adapter every text of the credentials is a secret.
    const schemas = registry.find(adapterKey, adapterVersion)?.description
    const ofConfig = [...secretMembers, ...markedMembers(schemas?.config ?? {})].map(name => [name, { secret: true }])
    const marked = collectMarked({ properties: Object.fromEntries(ofConfig) }, config)
    if (typeof credentialsRef !== 'string') return createAnswerRedactor(marked)
    try {
      const { plain } = await credentials.read(database.orm.em.fork(), credentialsRef)
      return createAnswerRedactor([...marked, ...collectSecrets(schemas?.credentials ?? {}, plain)])
    } catch {
      return hide
    }
  }

  return { redactorsOf }
}

/** Shows nothing but what kind of value it is. */
function hide (value: unknown): unknown {
  if (typeof value === 'string') return censored
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? [] : {}
}
