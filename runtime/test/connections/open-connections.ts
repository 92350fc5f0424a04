import type { LoadedAdapter } from '../../src/adapters/load.ts'
import type { Registry } from '../../src/adapters/registry.ts'
import { createConnections, type Connections, type ConnectionsOptions } from '../../src/connections/connections.ts'
import type { Connection } from '../../src/connections/entity.ts'
import { createCredentials } from '../../src/credentials/credentials.ts'
import type { Jobs } from '../jobs/support.ts'
import { noAccounts, registryOf } from './support.ts'

export interface OpenedConnections {
  connections: Connections
  registry: Registry
  /** The connections that were announced as changed, in order. */
  changed: Connection[]
}

/** Connections of these adapters on a real database. Their stored credentials are not encrypted. */
export function openConnections (
  { database }: Pick<Jobs, 'database'>,
  adapters: readonly LoadedAdapter[],
  now: () => Date = () => new Date(),
  accounts: Partial<Pick<ConnectionsOptions, 'adapters' | 'takeOver'>> = {}
): OpenedConnections {
  const changed: Connection[] = []
  const registry = registryOf(...adapters)
  const connections = createConnections({
    ...noAccounts,
    ...accounts,
    database,
    registry,
    credentials: createCredentials({}, now),
    now,
    async onChanged (connection) {
      changed.push({ ...connection })
    }
  })
  return { connections, registry, changed }
}
