import type { Database } from '../database/database.ts'
import { ConnectionDisabledException, ConnectionNotFoundException } from '../errors.ts'
import { decodeCursor } from '../http/paging.ts'
import { createBatch } from '../streams/batch.ts'
import { isUuid } from '../text-patterns.ts'
import type { Connection } from './entity.ts'
import type { ConnectionQuery } from './schemas.ts'
import { findConnections, listConnections } from './store.ts'

export type Find = ReturnType<typeof createFind>

/** Reads connections. One statement reads those that are wanted in the same moment. */
export function createFind (database: Pick<Database, 'orm' | 'query'>) {
  const reads = createBatch<string, { connection: Connection | undefined }>({
    maxItems: 200,
    maxRunning: 4,
    maxWaiting: 100_000,
    async run (ids) {
      const found = new Map((await findConnections(database.query, ids)).map(connection => [connection.id, connection]))
      return ids.map(id => ({ connection: found.get(id.toLowerCase()) }))
    }
  })

  async function find (id: string): Promise<Connection | undefined> {
    return isUuid(id) ? (await reads.add(id)).connection : undefined
  }

  async function get (id: string): Promise<Connection> {
    return requireConnection(id, await find(id))
  }

  /**
   * Like `get`, but for new work: throws for a disabled connection (specification, section 7.2).
   */
  async function getEnabled (id: string): Promise<Connection> {
    const connection = await get(id)
    if (connection.status === 'disabled') throw new ConnectionDisabledException(id)
    return connection
  }

  async function list ({ cursor, limit, ...filter }: ConnectionQuery): Promise<Connection[]> {
    return listConnections(database, filter, {
      limit,
      after: cursor === undefined ? undefined : decodeCursor(cursor)
    })
  }

  return { find, get, getEnabled, list }
}

/** Returns the connection that was read. Throws when it does not exist. */
export function requireConnection (id: string, connection: Connection | null | undefined): Connection {
  if (connection === null || connection === undefined) throw new ConnectionNotFoundException(id)
  return connection
}
