import { isDeepStrictEqual } from 'node:util'
import type { Adapters } from '../../adapters/adapters.ts'
import type { Query } from '../../database/database.ts'
import { keptOf } from '../adapter-for.ts'
import type { Connections } from '../connections.ts'
import type { Connection } from '../entity.ts'
import { setMembers } from '../store.ts'
import type { Departure, Destination } from './preflight.ts'
import { staleRefusal } from './refusal.ts'

export interface SwapOptions {
  waitMs: number
  expectedVersion: number | undefined
  /** Whether the platform accepted the connection under its new version. */
  isAccepted: boolean
  /** Stores what belongs to the swap, in the transaction that makes it. */
  store: (query: Query) => Promise<void>
}

/**
 * Returns the function that brings a connection to its destination, between two jobs. It refuses
 * when another request changed the connection meanwhile.
 */
export function createSwap ({ connections, adapters, now }: {
  connections: Pick<Connections, 'changeBetweenJobs'>,
  adapters: Pick<Adapters, 'forget'>,
  now: () => Date
}) {
  return async function swap (
    { connection: seen }: Departure,
    { adapter, adapterVersion, config, capabilities }: Destination,
    { waitMs, expectedVersion, isAccepted, store }: SwapOptions
  ): Promise<void> {
    await connections.changeBetweenJobs(seen.id, { waitMs, expectedVersion }, async (connection, { em, query }) => {
      if (!isUnchanged(seen, connection)) throw staleRefusal()
      await store(query)
      setMembers(em, connection, {
        adapterKey: adapter.manifest.adapterKey,
        adapterVersion,
        config,
        capabilities,
        ...keptOf(adapter),
        ...(isAccepted && connection.status === 'error' ? { status: 'active', statusReason: null } : {}),
        updatedAt: now()
      })
    })
    adapters.forget(seen.id)
  }
}

export type Swap = ReturnType<typeof createSwap>

/** Whether the connection is still what the preflight judged. Its status may have changed. */
function isUnchanged (seen: Connection, now: Connection): boolean {
  const judged = ({ adapterKey, adapterVersion, config, capabilities, credentialsRef }: Connection): unknown => ({
    adapterKey,
    adapterVersion,
    config,
    capabilities,
    credentialsRef
  })
  return isDeepStrictEqual(judged(seen), judged(now))
}
