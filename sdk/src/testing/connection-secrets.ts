import { collectMarked, collectSecrets } from '../host/redact.ts'

interface Schemas {
  config: object
  credentials: object
}

/** The secrets of all connections of a host, as their schemas mark them. */
export interface ConnectionSecrets {
  /** Adds a connection. Its credentials may be replaced later. */
  add(connectionId: string, schemas: Schemas, config: unknown): void
  list(credentials: Readonly<Record<string, unknown>>): string[]
}

export function createConnectionSecrets (): ConnectionSecrets {
  const schemas = new Map<string, object>()
  const ofConfigs = new Set<string>()
  return {
    add (connectionId, { config: configSchema, credentials: credentialsSchema }, config) {
      schemas.set(connectionId, credentialsSchema)
      if (typeof config !== 'object' || config === null) return
      for (const secret of collectMarked(configSchema, config)) ofConfigs.add(secret)
    },
    // Without a schema, every text in the credentials is a secret.
    list: credentials => [
      ...ofConfigs,
      ...Object.entries(credentials).flatMap(([id, value]) => collectSecrets(schemas.get(id) ?? {}, value))
    ]
  }
}
