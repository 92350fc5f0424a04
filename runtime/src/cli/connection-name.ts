import type { DeletedConnection } from '../connections/deletion/schemas.ts'
import type { ConnectionView } from '../connections/schemas.ts'
import { isUuid } from '../text-patterns.ts'
import { HubError, type HubClient } from './hub-client.ts'

/** The argument of commands that work on one connection. */
export const connectionArgument = ['<connection>', 'name or id of the connection'] as const

/** The names of all connections by their ids. Deleted ones are among them. */
export type ConnectionNames = ReadonlyMap<string, string>

export async function readConnectionNames (hub: HubClient): Promise<ConnectionNames> {
  const deleted = await hub.list('/connections/deleted') as DeletedConnection[]
  const present = await hub.list('/connections') as ConnectionView[]
  return new Map([
    ...deleted.map(({ id, name }) => [id, `${name} (deleted)`] as const),
    ...present.map(({ id, name }) => [id, name] as const)
  ])
}

/**
 * Returns the id of the connection with this name or id. Throws when no connection has the name, or
 * more than one.
 */
export async function findConnection (hub: HubClient, nameOrId: string): Promise<string> {
  if (isUuid(nameOrId)) return nameOrId
  const all = await hub.list('/connections') as ConnectionView[]
  const [found, ...others] = all.filter(({ name }) => name === nameOrId)
  if (found === undefined) {
    throw new HubError(`no connection is called '${nameOrId}'; existing names: ${
      all.map(({ name }) => `'${name}'`).join(', ') || 'none'
    }`)
  }
  if (others.length > 0) {
    throw new HubError(`${others.length + 1} connections are called '${nameOrId}': ${
      [found, ...others].map(({ id }) => id).join(', ')
    }; give the id instead of the name`)
  }
  return found.id
}
