import { join } from 'node:path'
import pg from 'pg'
import type { Place, Query } from './with-database.ts'

/**
 * Opens a second connection to the database of a hub that runs. Use it only while the hub has no
 * work: the embedded server mixes up the statements of two connections. Its statements take no
 * values, so that each is one message.
 */
export async function openRunningDatabase ({ directory, state: { variables: { DATABASE_URL: connectionString } } }:
  Place): Promise<{ query: Query, close(): Promise<void> }>
{
  const client = new pg.Client(connectionString === undefined
    ? { host: join(directory, '.linker', 'socket'), user: 'postgres', database: 'postgres' }
    : { connectionString })
  // A statement under way rejects anyway. Without a listener the event would end the program.
  client.on('error', () => undefined)
  await client.connect()
  return {
    query: async text => (await client.query(text)).rows,
    close: () => client.end()
  }
}
