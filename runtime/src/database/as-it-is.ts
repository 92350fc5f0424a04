import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Query } from './database.ts'
import { startEmbeddedServer } from './embedded.ts'

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

const connectTimeoutMs = 5_000

/** Whether a directory has an embedded database. */
export function hasEmbeddedDatabase (dataDirectory: string): boolean {
  return existsSync(join(dataDirectory, 'database'))
}

/** Opens a served database as it is: nothing is migrated, and no statement may write. */
export async function openServedAsItIs (databaseUrl: string, options: AsItIsOptions): Promise<OpenedAsItIs> {
  return connect({ connectionString: databaseUrl }, options)
}

/**
 * Opens the embedded database of a directory in the same way. Takes the directory: throws
 * `LNK_DATA_DIRECTORY_LOCKED` while a hub uses it.
 */
export async function openEmbeddedAsItIs (dataDirectory: string, options: AsItIsOptions): Promise<OpenedAsItIs> {
  const server = await startEmbeddedServer({ dataDirectory }, { warn: () => undefined })
  const { dbName, ...connection } = server.connection
  const client = await connect({ ...connection, database: dbName }, options).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  return {
    query: client.query,
    async close () {
      await client.close()
      await server.close()
    }
  }
}

async function connect (place: pg.ClientConfig, { name, statementMs }: AsItIsOptions): Promise<OpenedAsItIs> {
  const client = new pg.Client({
    ...place,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementMs,
    application_name: name
  })
  // Without a listener Node would end the process when the server goes away. The query that fails
  // reports it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('set default_transaction_read_only = on')
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  return { query: async (text, values = []) => (await client.query(text, [...values])).rows, close: () => client.end() }
}
