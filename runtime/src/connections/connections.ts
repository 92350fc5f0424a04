import fp from 'fastify-plugin'
import type { Registry } from '../adapters/registry.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { createAccounts, type AccountsOptions } from './accounts/accounts.ts'
import { createTakeOver, type TakeOver } from './accounts/take-over.ts'
import { createCreate } from './create.ts'
import { createDrain } from './drain.ts'
import { createFind } from './find.ts'
import { refreshKeptFacts } from './kept-facts.ts'
import { createOpening } from './open-connection.ts'
import { createPatch, type PatchOptions } from './patch.ts'
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
  adapters: AccountsOptions['adapters']
  log: AccountsOptions['log']
  takeOver: TakeOver
  onSalesRule: PatchOptions['onSalesRule']
  credentials: Credentials
  registry: Registry
  now: () => Date
}

/** All functions on connections, put together from the modules that read, change and open them. */
export function createConnections (options: ConnectionsOptions) {
  const { database, adapters, credentials, registry, takeOver, now, onSalesRule, onChanged, log } = options
  const find = createFind(database)
  const { get } = find
  const update = createUpdate({ database, onChanged })
  const accounts = createAccounts({ database, adapters, update, log })
  const patching = createPatch({ update, drain: createDrain(database), registry, get, now, onSalesRule })
  return {
    ...find,
    create: createCreate({ database, accounts, credentials, registry, takeOver, now, onChanged }),
    ...patching,
    takeOver: createTakeOver({ changeBetweenJobs: patching.changeBetweenJobs, takeOver, now }),
    ...createStatusChanges({ update, credentials, now }),
    ...createStoredCredentials({ database, update, accounts, credentials, registry, get, now }),
    ...createOpening({ database, credentials, registry, get }),
    checkAccount: accounts.check,
    learnAccountForOrders: accounts.learnForOrders,
    ...createRedaction({ database, credentials, registry })
  }
}

export default fp<Pick<ConnectionsOptions, 'takeOver' | 'now' | 'onSalesRule' | 'onChanged'>>(
  async (app, { takeOver, now, onSalesRule, onChanged }) => {
    await refreshKeptFacts(app.database.query, app.adapters.registry, app.log)
    app.decorate(
      'connections',
      createConnections({
        database: app.database,
        adapters: app.adapters,
        credentials: app.credentials,
        registry: app.adapters.registry,
        takeOver,
        now,
        onSalesRule,
        onChanged,
        log: app.log
      })
    )
  },
  { name: 'connections', dependencies: ['database', 'credentials', 'adapters'] }
)
