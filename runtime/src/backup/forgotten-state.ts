import type { Config } from '../config.ts'
import { hasEmbeddedDatabase } from '../database/as-it-is.ts'
import type { Query } from '../database/database.ts'
import { hasTables } from '../database/has-tables.ts'
import { readNote } from './moved-state.ts'
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
  const found = 'DATABASE_URL names a database without connections'
  const note = await readNote(dataDirectory)
  if (note === undefined) {
    return `${found}, but ${dataDirectory} holds an embedded database: stop the hub and run \`linker transfer\` to ` +
      'move its state, or delete the directory `database` in it'
  }
  // A second transfer is refused, and the embedded database does not know what happened since.
  return `${found}. ${note} Check that DATABASE_URL names that database. To use another one, or if that one was ` +
    'emptied, restore a backup of the hub into it (`linker backup`, `linker restore`). If the hub had no connections ' +
    `or is to begin anew, delete the directory \`database\` in ${dataDirectory}`
}
