import fp from 'fastify-plugin'
import type { Registry } from '../adapters/registry.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { createCreate } from './create.ts'
import { createDrain } from './drain.ts'
import type { Connection } from './entity.ts'
import { createFind } from './find.ts'
import { refreshKeptFacts } from './kept-facts.ts'
import { createOpening } from './open-connection.ts'
import { createPatch } from './patch.ts'
import { createRedaction } from './redaction.ts'
import { createStatusChanges } from './status.ts'
import { createStoredCredentials } from './stored-credentials.ts'
import { createUpdate, type UpdateOptions } from './update.ts'

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections
  }
}

export type Connections = ReturnType<typeof createConnections>

export interface ConnectionsOptions extends UpdateOptions {
  credentials: Credentials
  registry: Registry
  now: () => Date
}

/** All functions on connections, put together from the modules that read, change and open them. */
export function createConnections ({ database, credentials, registry, now, onChanged }: ConnectionsOptions) {
  const find = createFind(database)
  const { get } = find
  const update = createUpdate({ database, onChanged })
  return {
    ...find,
    create: createCreate({ database, credentials, registry, now, onChanged }),
    ...createPatch({ update, drain: createDrain(database), registry, get, now }),
    ...createStatusChanges({ update, credentials, now }),
    ...createStoredCredentials({ database, update, credentials, registry, get, now }),
    ...createOpening({ database, credentials, registry, get }),
    ...createRedaction({ database, credentials, registry })
  }
}

export default fp<{ now: () => Date, onChanged: (connection: Connection) => Promise<void> }>(
  async (app, { now, onChanged }) => {
    await refreshKeptFacts(app.database.query, app.adapters.registry, app.log)
    app.decorate(
      'connections',
      createConnections({
        database: app.database,
        credentials: app.credentials,
        registry: app.adapters.registry,
        now,
        onChanged
      })
    )
  },
  { name: 'connections', dependencies: ['database', 'credentials', 'adapters'] }
)
