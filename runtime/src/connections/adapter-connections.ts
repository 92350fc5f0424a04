import type { PlatformServices, SchemaProblem, WrittenConnection } from '@linker/sdk/host'
import { LRUCache } from 'lru-cache'
import { parse, v5 } from 'uuid'
import { isAccountRefusal, isStoreFailure } from '../adapters/adapter-failure.ts'
import type { AdapterPackage } from '../adapters/discover.ts'
import { nameOf } from '../adapters/load.ts'
import { actAsAdapter, actAsAdapterAlone } from '../audit/actor.ts'
import { recordChange } from '../audit/store.ts'
import type { Query } from '../database/database.ts'
import { isUuid } from '../text-patterns.ts'
import type { Connections } from './connections.ts'
import type { Connection } from './entity.ts'
import type { ConnectionBody } from './schemas.ts'

export interface PlatformConnectionsOptions {
  /**
   * A function, because the hub builds the connections after this: they need the registry, and the
   * registry needs adapters that already have these services.
   */
  connections: () => Pick<Connections, 'find' | 'create' | 'replaceCredentials'>
  /** The adapter version that creates connections here and then serves them. */
  adapter: Pick<AdapterPackage, 'manifest' | 'version'>
  query: Query
  /**
   * Gets the reason why a connection could not be stored. The adapter and its caller learn only
   * that storing failed.
   */
  onFailure(error: Error): void
}

const deniedAgainMs = 3_600_000
const connectionNamespace = parse('0d9a4c5e-2f0b-5d0f-8d0e-8f2b3c1a7e64')

/** Connections of one platform, for the routes of an adapter version. */
export function createConnectionServices ({ connections, adapter, query, onFailure }: PlatformConnectionsOptions): Pick<
  PlatformServices,
  'getConnection' | 'createConnection' | 'replaceConnectionCredentials'
> {
  const { manifest: { adapterKey, platformType }, version } = adapter
  const name = nameOf(adapter)
  const denied = new LRUCache<string, true>({ max: 1_000, ttl: deniedAgainMs })

  async function own (id: string): Promise<Connection | undefined> {
    const connection = isUuid(id) ? await connections().find(id) : undefined
    if (connection === undefined || connection.platformType === platformType) return connection
    await recordDenial(connection)
    return undefined
  }

  /**
   * Once an hour for each connection: whoever calls a public route of an adapter may choose the id.
   */
  async function recordDenial ({ id, name: objectName }: Connection): Promise<void> {
    if (denied.has(id)) return
    await actAsAdapterAlone(
      name,
      () => recordChange(query, { action: 'connection.deny', connectionId: id, objectId: id, objectName })
    )
    denied.set(id, true)
  }

  /**
   * Returns a refusal of the adapter's schemas or of the account, and a failure to store, as plain
   * data: an error loses its members between threads.
   */
  async function written (write: () => Promise<Connection>): Promise<WrittenConnection> {
    try {
      const { id, name } = await write()
      return { connection: { id, name } }
    } catch (error) {
      if (isInvalid(error)) return { problems: error.errors }
      if (!isStoreFailure(error) && !isAccountRefusal(error)) throw error
      if (isStoreFailure(error)) onFailure(error)
      return { failure: { code: error.code, message: error.message } }
    }
  }

  return {
    async getConnection (connectionId) {
      const connection = await own(connectionId)
      if (connection === undefined) return undefined
      const { id, name, status, config } = connection
      return { id, name, status, config }
    },
    async createConnection ({ name: connectionName, config, credentials, credentialsLabel, values }, key) {
      const body: ConnectionBody = {
        name: connectionName,
        platformType,
        adapterKey,
        adapterVersion: version,
        config,
        credentials: (credentials ?? undefined) as ConnectionBody['credentials']
      }
      const id = v5(Buffer.from(JSON.stringify([platformType, key])), connectionNamespace)
      return written(() =>
        actAsAdapter(
          name,
          async () => (await connections().create(body, id, { values, credentialsLabel, isByAdapter: true })).connection
        )
      )
    },
    async replaceConnectionCredentials (connectionId, credentials, values) {
      const connection = await own(connectionId)
      return connection === undefined
        ? undefined
        : written(() =>
          actAsAdapter(
            name,
            () => connections().replaceCredentials(connection.id, credentials, { values, mustKnowAccount: true })
          )
        )
    }
  }
}

function isInvalid (error: unknown): error is Error & { errors: SchemaProblem[] } {
  return error instanceof Error && 'code' in error && error.code === 'LNK_CONNECTION_INVALID' && 'errors' in error
}
