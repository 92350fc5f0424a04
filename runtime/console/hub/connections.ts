import type { Schemas } from '@linker/client'
import { hub } from './hub.ts'
import { useLive } from './live.ts'

export type Connection = Schemas['Connection']

export interface Connections {
  all: readonly Connection[]
  /** The name of a connection; the beginning of its id while it is not known, or deleted. */
  nameOf(id: string): string
  /** The connections that serve one of the capabilities, such as `OrderSource`. */
  having(...capabilities: readonly string[]): readonly Connection[]
}

/**
 * The names of more connections than these are not read: a hub may have 10 000, and no page shows
 * so many. Their ids stand in the place of their names.
 */
const most = 1_000

/** The connections of the hub, which change rarely. */
export function useConnections (): Connections {
  const { data: all = [] } = useLive(readAll, [], { everyMs: 60_000 })
  return {
    all,
    nameOf: id => {
      const found = all.find(connection => connection.id === id)
      if (found === undefined) return id.slice(0, 8)
      const isShared = all.some(({ id: other, name }) => name === found.name && other !== id)
      return isShared ? `${found.name} (${found.platformType})` : found.name
    },
    having: (...names) => all.filter(({ capabilities }) => names.some(name => capabilities.includes(name)))
  }
}

async function readAll (signal: AbortSignal): Promise<Connection[]> {
  const found: Connection[] = []
  for await (const connection of hub.list('/connections', { signal })) {
    if (found.push(connection) === most) break
  }
  return found
}
