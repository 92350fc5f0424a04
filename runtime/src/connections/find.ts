import type { Database } from '../database/database.ts'
import { ConnectionDisabledException, ConnectionNotFoundException } from '../errors.ts'
import { decodeCursor } from '../http/paging.ts'
import { Connection } from './entity.ts'
import type { ConnectionQuery } from './schemas.ts'

export type Find = ReturnType<typeof createFind>

/** Reads connections. */
export function createFind ({ orm }: Pick<Database, 'orm'>) {
  async function find (id: string): Promise<Connection | undefined> {
    return await orm.em.fork().findOne(Connection, { id }) ?? undefined
  }

  async function get (id: string): Promise<Connection> {
    return found(id, await find(id))
  }

  /** As `get`, for new work: a disabled connection is refused (specification, section 7.2). */
  async function getEnabled (id: string): Promise<Connection> {
    const connection = await get(id)
    if (connection.status === 'disabled') throw new ConnectionDisabledException(id)
    return connection
  }

  async function list (query: ConnectionQuery): Promise<Connection[]> {
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
    return orm.em.fork().find(Connection, {
      ...(query.platformType === undefined ? {} : { platformType: query.platformType }),
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(after === undefined
        ? {}
        : {
          $or: [{ createdAt: { $gt: new Date(after.createdAt) } }, {
            createdAt: new Date(after.createdAt),
            id: { $gt: after.id }
          }]
        })
    }, { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], limit: query.limit })
  }

  return { find, get, getEnabled, list }
}

export function found (id: string, connection: Connection | null | undefined): Connection {
  if (connection === null || connection === undefined) throw new ConnectionNotFoundException(id)
  return connection
}
