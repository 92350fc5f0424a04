import type { ConnectionSnapshot, StoredCredentials as HostCredentials } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import type { LoadedAdapter } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import type { Credentials, StoredCredentials } from '../credentials/credentials.ts'
import type { Database } from '../database/database.ts'
import { ConnectionDisabledException, ConnectionMovingError } from '../errors.ts'
import { createBatch } from '../streams/batch.ts'
import type { Connection } from './entity.ts'
import { checkCredentials } from './validate.ts'

/** A connection with everything that a call to its adapter needs. */
export interface OpenConnection {
  connection: Connection
  adapter: LoadedAdapter
  snapshot: ConnectionSnapshot
}

/** Names the stored credentials of a connection and their version in one text. */
export function credentialsVersionOf (
  credentialsRef: string | null | undefined,
  stored: { version: number } | undefined
): string {
  return `${credentialsRef ?? ''}:${stored?.version ?? 0}`
}

interface OpeningOptions {
  database: Database
  credentials: Credentials
  registry: Registry
  get(id: string): Promise<Connection>
}

/** The codes of the errors that answer a request when its connection cannot be opened for work. */
export const openingProblems = [
  'LNK_CONNECTION_NOT_FOUND',
  'LNK_CONNECTION_DISABLED',
  'LNK_CONNECTION_MOVING',
  'LNK_CREDENTIALS_NOT_FOUND',
  'LNK_CREDENTIAL_STORE_NOT_AVAILABLE',
  'LNK_ADAPTER_MISSING',
  'LNK_CONFIG_INVALID'
] as const

/** Opens connections for calls of adapters. */
export function createOpening ({ database, credentials, registry, get }: OpeningOptions) {
  const reads = createBatch<string, StoredCredentials>({
    maxItems: 200,
    maxRunning: 4,
    maxWaiting: 100_000,
    run: refs => credentials.readMany(database.query, refs)
  })

  async function readCredentials (id: string): Promise<HostCredentials> {
    const { credentialsRef } = await get(id)
    const stored = typeof credentialsRef === 'string' ? await reads.add(credentialsRef) : undefined
    return {
      value: stored?.plain ?? null,
      version: credentialsVersionOf(credentialsRef, stored),
      refusal: stored?.refusal
    }
  }

  /**
   * Returns the adapter that serves a connection, and the input of a call to it. `given`
   * credentials replace the stored ones, for a test before they are stored.
   */
  async function open (idOrConnection: string | Connection, given?: unknown): Promise<OpenConnection> {
    const connection = typeof idOrConnection === 'string' ? await get(idOrConnection) : idOrConnection
    const adapter = adapterOf(connection)
    const { id, credentialsRef } = connection
    const stored = typeof credentialsRef === 'string' && given === undefined
      ? await reads.add(credentialsRef)
      : undefined
    return {
      connection,
      adapter,
      snapshot: {
        id,
        platformType: connection.platformType,
        config: connection.config,
        credentials: given === undefined ? stored?.plain ?? null : await checkCredentials(adapter, given),
        version: given === undefined ? `${connection.version}:${stored?.version ?? 0}` : randomUUID(),
        credentialsVersion: credentialsVersionOf(credentialsRef, stored)
      }
    }
  }

  /** Returns the adapter that serves a connection, even when the connection cannot be used. */
  function adapterOf ({ adapterKey, adapterVersion }: Connection): LoadedAdapter {
    return registry.resolve(adapterKey, adapterVersion)
  }

  /**
   * Like `open`, but for new work. Throws for a disabled connection, and for a connection that is
   * being moved: the work must not run on the old version.
   */
  async function openEnabled (idOrConnection: string | Connection): Promise<OpenConnection> {
    const opened = await open(idOrConnection)
    const { id, status, isMoving } = opened.connection
    if (status === 'disabled') throw new ConnectionDisabledException(id)
    if (isMoving) throw new ConnectionMovingError(id)
    return opened
  }

  return { readCredentials, adapterOf, open, openEnabled }
}
