import type { Config } from '../config.ts'
import { hasEmbeddedDatabase, openEmbeddedAsItIs, openServedAsItIs, type OpenedAsItIs } from '../database/as-it-is.ts'
import type { Database, Query } from '../database/database.ts'
import { BackupSourceError } from '../errors.ts'
import { modeOf } from '../mode-of.ts'
import { connectProducer } from '../streams/redis-connections.ts'
import { commit, rollBack, startTransaction } from './store.ts'
import type { BackupSource } from './write-backup.ts'

export type State = Pick<Config, 'databaseUrl' | 'redisUrl' | 'dataDirectory'>

export interface OpenedSource extends BackupSource {
  close(): Promise<void>
}

const silent = { warn: () => undefined }
const asBackup = { name: 'linker-backup', statementMs: 600_000 }

/**
 * Opens the state of a hub for reading, as it is: nothing is migrated. An embedded database must
 * not be in use.
 */
export async function openSource (state: State): Promise<OpenedSource> {
  const database = await openDatabaseOf(state)
  try {
    return await withRedis(state, {
      query: database.query,
      transaction: work => inTransaction(database.query, work),
      close: database.close
    })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The state of the hub in this process. `close` leaves its database open. */
export async function sourceOfHub (state: State, database: Database): Promise<OpenedSource> {
  return withRedis(state, {
    query: database.query,
    transaction: work => database.transaction(({ query }) => work(query)),
    close: async () => undefined
  })
}

/** A state whose database is open on one connection already. `close` leaves it open. */
export async function sourceOver (state: State, query: Query): Promise<OpenedSource> {
  return withRedis(state, {
    query,
    transaction: work => inTransaction(query, work),
    close: async () => undefined
  })
}

async function openDatabaseOf ({ databaseUrl, dataDirectory }: State): Promise<OpenedAsItIs> {
  if (databaseUrl !== undefined) return openServedAsItIs(databaseUrl, asBackup)
  if (!hasEmbeddedDatabase(dataDirectory)) throw new BackupSourceError(`${dataDirectory} has no embedded database`)
  return openEmbeddedAsItIs(dataDirectory, asBackup)
}

async function withRedis (
  state: State,
  database: Pick<OpenedSource, 'query' | 'transaction' | 'close'>
): Promise<OpenedSource> {
  const mode = modeOf(state)
  if (state.redisUrl === undefined) return { mode, ...database }
  const redis = await connectProducer(state.redisUrl, silent)
  return {
    mode,
    ...database,
    redis,
    async close () {
      redis.disconnect()
      await database.close()
    }
  }
}

async function inTransaction<Result> (query: Query, work: (query: Query) => Promise<Result>): Promise<Result> {
  await startTransaction(query)
  try {
    const result = await work(query)
    await commit(query)
    return result
  } catch (error) {
    await rollBack(query).catch(() => undefined)
    throw error
  }
}
