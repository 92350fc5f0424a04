import type { AuditAction } from '../audit/actions.ts'
import { recordChange } from '../audit/store.ts'
import type { Database, Transaction } from '../database/database.ts'
import { PreconditionFailedError } from '../errors.ts'
import { setHold } from '../jobs/holds/store.ts'
import { describeChanges, stateOf, type ConnectionState } from './describe-changes.ts'
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
 * Changes a connection in one transaction, which also records the change. When the connection stops
 * being active, the same commit holds its jobs; when it becomes active, the same commit releases
 * them.
 */
export type Update = (
  id: string,
  change: Change,
  circumstances: Circumstances
) => Promise<{ connection: Connection, isChanged: boolean }>

export interface Circumstances {
  /** The name of the change in the audit. Undefined: the audit does not record the change. */
  action: AuditAction | ((before: ConnectionState, after: ConnectionState) => AuditAction) | undefined
  /** The audit records the change even when no member differs that it shows. */
  isHidden?: boolean
  /** The version that the caller read. Another one refuses the change. */
  expectedVersion?: number | undefined
}

export function createUpdate ({ database, onChanged }: UpdateOptions): Update {
  return async function update (id, change, { action, isHidden = false, expectedVersion }) {
    const updated = await database.transaction(async transaction => {
      const connection = requireConnection(id, await lockConnection(transaction.em, id))
      checkVersion(connection, expectedVersion)
      const before = stateOf(connection)
      const isChanged = await change(connection, transaction) !== false
      if (connection.status !== before.status) await holdUnlessActive(transaction, connection)
      if (isChanged && action !== undefined) {
        const changes = describeChanges(before, connection)
        await recordChange(transaction.query, {
          action: typeof action === 'string' ? action : action(before, connection),
          connectionId: id,
          objectId: id,
          objectName: connection.name,
          changes: changes.length === 0 && isHidden ? undefined : changes
        })
      }
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
