import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import type { Database, Transaction } from '../database/database.ts'
import { PreconditionFailedError } from '../errors.ts'
import { setHold } from '../jobs/holds.ts'
import { Connection } from './entity.ts'
import { found } from './find.ts'

export interface UpdateOptions {
  database: Database
  /** Called after every committed change and before the client gets its answer. */
  onChanged: (connection: Connection) => Promise<void>
}

/** Answers false when nothing has to be changed. */
export type Work = (connection: Connection, transaction: Transaction) => Promise<false | void> | false | void

/**
 * Changes a connection in one transaction. Jobs of a connection that is no longer active stop
 * beginning with the same commit, and those of one that became active begin.
 */
export type Update = (
  id: string,
  work: Work,
  expectedVersion?: number
) => Promise<{ connection: Connection, isChanged: boolean }>

export function createUpdate ({ database, onChanged }: UpdateOptions): Update {
  return async function update (id, work, expectedVersion) {
    const updated = await database.transaction(async transaction => {
      const connection = await lock(transaction.em, id, expectedVersion)
      const { status } = connection
      const isChanged = await work(connection, transaction) !== false
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

/**
 * Reads a connection inside a transaction that changes it. The row lock makes changes of one
 * connection wait for each other.
 */
async function lock (em: EntityManager, id: string, expectedVersion?: number): Promise<Connection> {
  const connection = found(id, await em.findOne(Connection, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }))
  checkVersion(connection, expectedVersion)
  return connection
}

/** Throws when the connection has changed since the caller read it. */
export function checkVersion ({ version }: Connection, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw new PreconditionFailedError()
}
