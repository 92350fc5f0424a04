import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Query } from './database.ts'
import { startEmbeddedServer } from './embedded.ts'
import { openExamined, type Examined } from './examine-server.ts'
import { ownSettings } from './session.ts'

/** A database that is open for reading over one connection. */
export interface OpenedAsItIs {
  query: Query
  close(): Promise<void>
}

export interface AsItIsOptions {
  /** The name of the connection on the server. */
  name: string
  /** The longest time of one statement. */
  statementMs: number
}

/** Whether a directory has an embedded database. */
export function hasEmbeddedDatabase (dataDirectory: string): boolean {
  return existsSync(join(dataDirectory, 'database'))
}

/**
 * Opens a served database as it is: nothing is migrated, and no statement may write. Also says
 * whether it can serve a hub, and whether a pooler gives `sessions` at the same time.
 */
export async function openServedAsItIs (
  databaseUrl: string,
  options: AsItIsOptions,
  sessions = 1
): Promise<OpenedAsItIs & Omit<Examined, 'client'>> {
  const place = { connectionString: databaseUrl, application_name: options.name }
  const { client, ...found } = await openExamined(place, sessions)
  return { ...await onlyRead(client, options), ...found }
}

/**
 * Opens the embedded database of a directory in the same way. Takes the directory: throws
 * `LNK_DATA_DIRECTORY_LOCKED` while a hub uses it.
 */
export async function openEmbeddedAsItIs (dataDirectory: string, options: AsItIsOptions): Promise<OpenedAsItIs> {
  const server = await startEmbeddedServer({ dataDirectory }, { warn: () => undefined })
  const { dbName, ...connection } = server.connection
  const client = new pg.Client({ ...connection, database: dbName })
  client.on('error', () => undefined)
  const { query, close } = await client.connect().then(() => onlyRead(client, options))
    .catch(async (error: unknown) => {
      await server.close()
      throw error
    })
  return {
    query,
    async close () {
      await close()
      await server.close()
    }
  }
}

/** A pooler refuses these settings among the parameters with which a connection begins. */
async function onlyRead (client: pg.Client, { statementMs }: AsItIsOptions): Promise<OpenedAsItIs> {
  try {
    await client.query(`${ownSettings}; set statement_timeout = ${statementMs}; set default_transaction_read_only = on`)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  return { query: async (text, values = []) => (await client.query(text, [...values])).rows, close: () => client.end() }
}
