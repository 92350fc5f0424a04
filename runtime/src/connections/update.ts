import type { Database, Transaction } from '../database/database.ts'
import { PreconditionFailedError } from '../errors.ts'
import { setHold } from '../jobs/holds/store.ts'
import type { Connection } from './entity.ts'
import { requireConnection } from './find.ts'
import { lockConnection } from './store.ts'

export interface UpdateOptions {
  database: Database
  /** Called after every committed change and before the client gets its answer. */
  onChanged: (connection: Connection) => Promise<void>
}

/** Changes a locked connection. Returns false when nothing has to be changed. */
export type Change = (connection: Connection, transaction: Transaction) => Promise<false | void> | false | void

/**
 * Changes a connection in one transaction. When the connection stops being active, the same commit
 * holds its jobs; when it becomes active, the same commit releases them.
 */
export type Update = (
  id: string,
  change: Change,
  expectedVersion?: number
) => Promise<{ connection: Connection, isChanged: boolean }>

export function createUpdate ({ database, onChanged }: UpdateOptions): Update {
  return async function update (id, change, expectedVersion) {
    const updated = await database.transaction(async transaction => {
      const connection = requireConnection(id, await lockConnection(transaction.em, id))
      checkVersion(connection, expectedVersion)
      const { status } = connection
      const isChanged = await change(connection, transaction) !== false
      if (connection.status !== status) await holdUnlessActive(transaction, connection)
      return { connection, isChanged }
    })
    if (updated.isChanged) await onChanged(updated.connection)
    return updated
  }
}

export async function holdUnlessActive ({ query }: Transaction, { id, status }: Connection): Promise<void> {
  await setHold(query, id, 'inactive', status !== 'active')
}

/** Throws when the connection has changed since the caller read it. */
export function checkVersion ({ version }: Connection, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw new PreconditionFailedError()
}
