import type { Config } from '../config.ts'
import { hasEmbeddedDatabase } from '../database/as-it-is.ts'
import type { Query } from '../database/database.ts'
import { hasTables } from '../database/has-tables.ts'
import { hasRows } from './store.ts'

/**
 * Says that a hub begins on an empty database although its data directory has the state of an
 * embedded one, which the operator may have meant to take along. Undefined: nothing is forgotten.
 */
export async function findForgottenState (
  { databaseUrl, dataDirectory }: Pick<Config, 'databaseUrl' | 'dataDirectory'>,
  query: Query
): Promise<string | undefined> {
  if (databaseUrl === undefined || !hasEmbeddedDatabase(dataDirectory)) return undefined
  if (await hasTables(query, ['connections']) && await hasRows(query, 'connections')) return undefined
  return `DATABASE_URL names a database without connections, but ${dataDirectory} holds an embedded database: ` +
    'stop the hub and run `linker transfer` to move its state, or delete the directory `database` in it'
}
