import type { DeletedConnection } from '../connections/deletion/schemas.ts'
import type { ConnectionView } from '../connections/schemas.ts'
import { isUuid } from '../text-patterns.ts'
import { HubError, type HubClient } from './hub-client.ts'

/** The argument of commands that work on one connection. */
export const connectionArgument = ['<connection>', 'name or id of the connection, or the beginning of the id'] as const

/** Connections are few. */
const shortestBeginning = 4

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
 * Returns the id of the connection with this name or id, or with an id that begins so. Throws when
 * there is none, or more than one.
 */
export async function findConnection (hub: HubClient, nameOrId: string): Promise<string> {
  return isUuid(nameOrId) ? nameOrId : pickNamed(await listConnections(hub), nameOrId)
}

/**
 * Finds a deleted connection, too, for commands that show history. A present connection with the
 * name comes first.
 */
export async function findConnectionEvenDeleted (hub: HubClient, nameOrId: string): Promise<string> {
  if (isUuid(nameOrId)) return nameOrId
  const present = await listConnections(hub)
  const hasName = ({ name }: Named): boolean => name === nameOrId
  if (present.some(hasName)) return pickNamed(present, nameOrId)
  const deleted = (await hub.list('/connections/deleted') as DeletedConnection[]).filter(hasName)
  return pickNamed(deleted.length === 0 ? present : deleted, nameOrId)
}

/** Returns the id of the deleted connection with this name or id. */
export async function findDeletedConnection (hub: HubClient, nameOrId: string): Promise<string> {
  if (isUuid(nameOrId)) return nameOrId
  return pickNamed(await hub.list('/connections/deleted') as DeletedConnection[], nameOrId, 'deleted connection')
}

/**
 * Throws when another connection than `ownId` has the name. The API allows equal names, but the
 * commands could then find neither connection by its name.
 */
export async function refuseTakenName (hub: HubClient, wanted: string, ownId?: string): Promise<void> {
  const other = (await listConnections(hub)).find(({ id, name }) => name === wanted && id !== ownId)
  if (other === undefined) return
  throw new HubError(`the name '${wanted}' is taken by the connection ${other.id}; choose another one, because ` +
    'commands find connections by their names')
}

type Named = Pick<ConnectionView, 'id' | 'name'>

async function listConnections (hub: HubClient): Promise<ConnectionView[]> {
  return await hub.list('/connections') as ConnectionView[]
}

function pickNamed (all: readonly Named[], wanted: string, what = 'connection'): string {
  const named = all.filter(({ name }) => name === wanted)
  const [found, ...others] = named.length === 0 ? beginningWith(all, wanted) : named
  if (found === undefined) {
    throw new HubError(`no ${what} is called '${wanted}'; existing names: ${
      all.map(({ name }) => `'${name}'`).join(', ') || 'none'
    }`)
  }
  if (others.length > 0) {
    const [likeness, remedy] = named.length === 0
      ? ['have ids that begin with', 'give more of one']
      : ['are called', 'give the id instead of the name']
    const ids = [found, ...others].map(({ id }) => id).join(', ')
    throw new HubError(`${others.length + 1} ${what}s ${likeness} '${wanted}': ${ids}; ${remedy}`)
  }
  return found.id
}

function beginningWith (all: readonly Named[], wanted: string): Named[] {
  return wanted.length < shortestBeginning ? [] : all.filter(({ id }) => id.startsWith(wanted.toLowerCase()))
}
