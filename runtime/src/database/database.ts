import { MikroORM, type EntityManager, type Options } from '@mikro-orm/postgresql'
import { CompiledQuery, type Kysely } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import { DatabaseNewerError, DatabaseNotOpenedError, DatabaseUnfitError, UpgradeBackupError } from '../errors.ts'
import { findArchive } from './blank/archive.ts'
import { checkpointRegularly } from './checkpoints.ts'
import { startEmbeddedServer, type EmbeddedOptions } from './embedded.ts'
import { openExamined, part } from './examine-server.ts'
import { explainFullDisk } from './explain-full-disk.ts'
import { replanRegularly } from './fresh-plans.ts'
import { createFullDiskWatch } from './full-disk-watch.ts'
import { diskFull } from './infrastructure-error.ts'
import { migrate, migrateUnderLock, type MigrationOptions } from './migrate.ts'
import { migrationNames } from './migration-names.ts'
import { prepareMarked } from './prepared.ts'
import type { Query } from './query.ts'
import { mostSessions, ownSettings, sessions } from './session.ts'
import { createLocalSignals, createSharedSignals, type Signals } from './signals.ts'
import { createSilenceWatch, embeddedMs, pooled, publishMs, type SilenceWatch } from './silence.ts'

export type { Query }

/**
 * One open transaction, in the two forms that its users need. Send one statement after the other,
 * and no statement outside the transaction until it ends: the embedded database has one connection,
 * so that statement would wait for ever.
 */
export interface Transaction {
  em: EntityManager
  query: Query
}

export interface Database extends Pick<Signals, 'notify' | 'listen'> {
  readonly mode: 'embedded' | 'postgres'
  readonly orm: MikroORM
  readonly query: Query
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /**
   * Like `query`, but over connections that only deliveries use. A sender gets its answer in time
   * even when other statements keep their connections busy.
   */
  readonly publish: Query
  /**
   * Runs work that takes longer the larger the tables are. Any other statement without an answer
   * after some seconds fails, and the hub gives up its connection.
   */
  patiently<Result>(work: () => Promise<Result>): Promise<Result>
  /** Call it when the hub stops: from then on, no statement waits for long. */
  hurry(): void
  /** Whether the server takes no writes, because its disk is full, as far as this process knows. */
  isDiskFull(): boolean
  /** Rejects when the server does not answer, or is read-only. Writes nothing. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The entities that `orm` maps. A caller that only runs SQL needs none. */
export type Entities = NonNullable<Options['entities']>

type DatabaseOptions =
  & Pick<Config, 'databaseUrl' | 'dataDirectory' | 'isInMemory'>
  & Partial<
    Pick<Config, 'syncsEmbedded'>
  >
  & {
    /** The migrations to run. Default: all. A backup of an older version needs the older tables. */
    migrations?: readonly string[]
  }
  & Pick<MigrationOptions, 'beforeChange'>

interface DatabaseLog {
  warn(fields: object, message: string): void
}

/**
 * Opens PostgreSQL, embedded or by `DATABASE_URL`, through one driver, and brings the schema up to
 * date under a lock.
 */
export async function openDatabase (
  { databaseUrl, dataDirectory, isInMemory, syncsEmbedded = false, migrations: names, beforeChange }: DatabaseOptions,
  log: DatabaseLog,
  entities: Entities = []
): Promise<Database> {
  const migrations = { names, beforeChange }
  if (databaseUrl === undefined) {
    return openEmbedded({ dataDirectory, isInMemory, syncsFiles: syncsEmbedded, migrations }, log, entities)
  }
  try {
    return await openServed({ databaseUrl, migrations }, log, entities)
  } catch (error) {
    throw whole.some(Kind => error instanceof Kind) ? error : notOpened(databaseUrl, error)
  }
}

/** Errors that say enough. */
const whole = [DatabaseNewerError, DatabaseUnfitError, UpgradeBackupError]

/** Names the server without its password. */
function notOpened (databaseUrl: string, error: unknown): Error {
  const { host, pathname } = new URL(databaseUrl)
  return Object.assign(
    new DatabaseNotOpenedError(host + pathname, error instanceof Error ? error.message : String(error)),
    { cause: error }
  )
}

async function openEmbedded (
  { migrations, ...options }: Omit<EmbeddedOptions, 'findArchive'> & { migrations: MigrationOptions },
  log: DatabaseLog,
  entities: Entities
): Promise<Database> {
  // The archive holds the tables of all migrations.
  const isWhole = (migrations.names ?? migrationNames).length === migrationNames.length
  const server = await startEmbeddedServer(isWhole ? { ...options, findArchive } : options, log)
  const silence = createSilenceWatch(log, () => {
    server.restart('it did not answer')
  })
  try {
    // The pool has one connection. The socket server runs the protocol messages of all its
    // connections one by one as they come. With two connections, a bind of one meets the statement
    // that the other has just parsed, and the rows go to the connection that asked last. This was
    // measured.
    const { orm, pool } = await connect({
      entities,
      ...server.connection,
      pool: { min: 1, max: 1 },
      driverOptions: {
        async onConnect (client: pg.Client) {
          silence.overClient(client, embeddedMs)
          // The statements of an earlier connection would still have their names.
          await client.query('deallocate all')
          await client.query(ownSettings)
        },
        onPoolCreated (created: pg.Pool) {
          silence.over(created, embeddedMs)
          explainFullDisk(created, server.isFull)
          created.on('connect', client => {
            prepareMarked(client)
            client.connection.on('errorMessage', (error: pg.DatabaseError) => {
              if (isDeadly(error)) server.restart(error.message, error.code === diskFull)
            })
          })
        }
      }
    }, (opened, native) => silence.suspend(() => migrate(opened, native, migrations)))
    const common = describe(orm, pool, createLocalSignals())
    const regular = [
      checkpointRegularly((text, values) => silence.suspend(() => common.query(text, values)), log),
      replanRegularly(common.query, log)
    ]
    return {
      ...common,
      mode: 'embedded',
      isDiskFull: server.isFull,
      publish: common.query,
      patiently: silence.suspend,
      hurry: () => undefined,
      async close () {
        for (const { stop } of regular) await stop()
        await common.close()
        await server.close()
      }
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

const readOnlyState = '25006'

/** Whether the embedded server answers nothing after this error. */
function isDeadly ({ code, severity }: pg.DatabaseError): boolean {
  return code === diskFull || severity === 'PANIC'
}

// A connection lives for a minute only: a prepared statement keeps its plan, even when its tables
// have grown since.
const poolOptions = { ...pooled, idleTimeoutMillis: 30_000, maxLifetimeSeconds: 60 }

async function openServed (
  { databaseUrl, migrations }: { databaseUrl: string, migrations: MigrationOptions },
  log: DatabaseLog,
  entities: Entities
): Promise<Database> {
  const { client, unfit, shortage } = await openExamined({ connectionString: databaseUrl, ...pooled }, mostSessions)
  part(client)
  const fault = unfit ?? shortage
  if (fault !== undefined) throw fault
  const silence = createSilenceWatch(log)
  const disk = createFullDiskWatch()
  const { orm, pool } = await connect({
    entities,
    clientUrl: databaseUrl,
    pool: { min: 0, max: sessions.main },
    driverOptions: {
      ...poolOptions,
      async onConnect (client: pg.Client) {
        silence.overClient(client)
        await client.query(ownSettings)
      },
      onPoolCreated (created: pg.Pool) {
        created.on('connect', prepareMarked)
        silence.over(created)
        disk.over(created)
      }
    }
  }, (opened, native) => silence.suspend(() => migrateUnderLock(opened, native, migrations)))
  const publishing = openPublishing(databaseUrl, silence)
  disk.over(publishing)
  const common = describe(orm, pool, createSharedSignals({ pool, databaseUrl, silence, log }))
  return {
    ...common,
    mode: 'postgres',
    isDiskFull: disk.isFull,
    publish: queryOver(publishing),
    patiently: silence.suspend,
    hurry: silence.hurry,
    async close () {
      await common.close()
      await publishing.end()
    }
  }
}

function openPublishing (connectionString: string, silence: SilenceWatch): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    ...poolOptions,
    max: sessions.publish,
    application_name: 'linker-publish',
    async onConnect (client) {
      if (client instanceof pg.Client) silence.overClient(client, publishMs)
      await client.query(ownSettings)
    }
  })
  // The call that waits for an answer rejects anyway. Without a listener the `error` event would
  // end the process.
  pool.on('error', () => undefined).on('connect', client => {
    client.on('error', () => undefined)
    prepareMarked(client)
  })
  silence.over(pool, publishMs)
  return pool
}

interface Opened {
  orm: MikroORM
  pool: pg.Pool
}

async function connect (
  options: Pick<
    Options,
    'entities' | 'clientUrl' | 'host' | 'port' | 'user' | 'password' | 'dbName' | 'pool' | 'driverOptions'
  >,
  bringUpToDate: (orm: MikroORM, pool: pg.Pool) => Promise<unknown>
): Promise<Opened> {
  // `MikroORM.init` would look for extensions among the installed packages and load them.
  const orm = new MikroORM({
    ...options,
    discovery: { warnWhenNoEntities: false },
    ensureDatabase: false
  })
  let pool: pg.Pool | undefined
  try {
    await orm.connect()
    pool = await orm.em.getConnection().getNativeClient()
    takeBackBrokenClients(pool)
    await bringUpToDate(orm, pool)
    return { orm, pool }
  } catch (error) {
    await (pool === undefined ? orm.close(true) : closeOrm(orm, pool))
    throw error
  }
}

/**
 * Takes back connections that broke inside a transaction. MikroORM never gives them back, because
 * its ROLLBACK fails first. Ten such connections would use up the pool, and closing the pool would
 * wait for each of them for ever.
 */
function takeBackBrokenClients (pool: pg.Pool): void {
  const lent = new WeakSet<pg.PoolClient>()
  pool.on('acquire', client => {
    lent.add(client)
  })
  pool.on('release', (_error, client) => {
    lent.delete(client)
  })
  pool.on('connect', client => {
    client.on('end', () => {
      if (!lent.has(client)) return
      client.release(true)
      // The borrower may release the client all the same, and pg throws at a second release.
      client.release = () => undefined
    })
  })
}

/** The members that embedded and served databases share. */
function describe (orm: MikroORM, pool: pg.Pool, signals: Signals) {
  return {
    orm,
    query: queryOver(pool),
    transaction: <Result>(work: (transaction: Transaction) => Promise<Result>) => inTransaction(orm, work),
    ...signals,
    async ping () {
      const { rows: [row] } = await pool.query<{ transaction_read_only: string }>('show transaction_read_only')
      if (row?.transaction_read_only === 'on') throw Object.assign(new Error('read-only'), { code: readOnlyState })
    },
    async close () {
      await signals.close()
      await closeOrm(orm, pool)
    }
  }
}

/**
 * Kysely ends the pool only if it has used the pool itself. A hub that finds its tables up to date
 * may have sent all its statements past Kysely, and an idle connection keeps the process alive.
 */
async function closeOrm (orm: MikroORM, pool: pg.Pool): Promise<void> {
  await orm.close(true)
  if (!pool.ending) await pool.end()
}

/**
 * Runs work in a transaction. Most work runs statements only, so the entity manager is made when it
 * is first asked for: MikroORM's own `transactional` makes two for each transaction.
 */
async function inTransaction<Result> (
  { em: manager }: MikroORM,
  work: (transaction: Transaction) => Promise<Result>
): Promise<Result> {
  const started = await manager.getConnection().getClient<object>().startTransaction().execute()
  let em: EntityManager | undefined

  function fork (): EntityManager {
    const forked = manager.fork()
    forked.setTransactionContext(started)
    return forked
  }

  try {
    const result = await work({
      query: queryIn(started),
      get em () {
        return em ??= fork()
      }
    })
    await em?.flush()
    await started.commit().execute()
    return result
  } catch (error) {
    // The reason is the error of the work, not that of a connection that cannot roll back.
    await started.rollback().execute().catch(() => undefined)
    throw error
  }
}

function queryOver (pool: pg.Pool): Query {
  return async (text, values) => (await pool.query(text, [...(values ?? [])])).rows
}

function queryIn (transaction: Pick<Kysely<object>, 'executeQuery'>): Query {
  return async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    (await transaction.executeQuery(CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>)).rows
}
