import { MikroORM, type EntityManager } from '@mikro-orm/postgresql'
import { Migrator } from '@mikro-orm/migrations'
import { EventEmitter } from 'node:events'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { fromKysely, type ConstructorOptions, type Db } from 'pg-boss'
import type { Config } from '../config.ts'
import { Credential } from '../credentials/entity.ts'
import { Connection } from '../connections/entity.ts'
import { Product, Variant } from '../catalog/entity.ts'
import { Offer } from '../offers/entity.ts'
import { Stock } from '../stock/entity.ts'
import { DatabaseNotOpenedError } from '../errors.ts'
import { startEmbeddedServer, type EmbeddedServer } from './embedded.ts'
import { Foundation } from './migrations/0001-foundation.ts'
import { Idempotency } from './migrations/0002-idempotency.ts'
import { AdapterState } from './migrations/0003-adapter-state.ts'
import { StockSweeps } from './migrations/0004-stock-sweeps.ts'
import { Offers } from './migrations/0005-offers.ts'
import { WebhookInstalls } from './migrations/0006-webhook-installs.ts'
import { Orders } from './migrations/0007-orders.ts'
import { Flows } from './migrations/0008-flows.ts'
import { CreationAttempts } from './migrations/0009-creation-attempts.ts'
import { prepareMarked } from './prepared.ts'

/** Runs one statement with `$1` placeholders and answers its rows. Timestamps come back as PostgreSQL writes them (`2026-01-31 09:59:33.912+00`), bigint as string. */
export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>

/** One open transaction, in the three forms that its users need. Never use anything outside it until it ends: embedded, that waits for ever. */
export interface Transaction { em: EntityManager, query: Query, boss: Db }

export interface Database {
  readonly mode: 'embedded' | 'postgres'
  readonly orm: MikroORM
  readonly query: Query
  transaction<Result> (work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** How pg-boss reaches the database: by a small pool of its own, or embedded through the one connection that there is. */
  readonly bossOptions: Pick<ConstructorOptions, 'connectionString' | 'max' | 'db'>
  /** Wakes whoever listens to `channel`, in every process on this database. A wake-up may be lost: listeners also look by themselves now and then. */
  notify (channel: Channel): void
  /** Calls `wake` after each notify, and after a connection that listens was restored. Answers the function that stops it. */
  listen (channel: Channel, wake: () => void): () => void
  ping (): Promise<void>
  close (): Promise<void>
}
export type Channel = 'streams' | 'jobs'

/** Opens PostgreSQL, embedded or by `DATABASE_URL`, through one driver, and brings the schema up to date under a lock. */
export async function openDatabase (config: Pick<Config, 'databaseUrl' | 'dataDirectory'>, log: { warn (fields: object, message: string): void }): Promise<Database> {
  const embedded = config.databaseUrl === undefined ? await startEmbeddedServer(config.dataDirectory) : undefined
  try {
    return await connect(config, embedded, log)
  } catch (error) {
    await embedded?.close()
    throw config.databaseUrl === undefined ? error : notOpened(config.databaseUrl, error)
  }
}

/** Names the server without its password. */
function notOpened (databaseUrl: string, error: unknown): Error {
  const { host, pathname } = new URL(databaseUrl)
  return Object.assign(new DatabaseNotOpenedError(host + pathname, error instanceof Error ? error.message : String(error)), { cause: error })
}

const planLifetimeSeconds = 60

async function connect (config: Pick<Config, 'databaseUrl'>, embedded: EmbeddedServer | undefined, log: { warn (fields: object, message: string): void }): Promise<Database> {
  const orm = await MikroORM.init({
    ...(embedded === undefined ? { clientUrl: config.databaseUrl } : embedded.connection),
    entities: [Connection, Credential, Product, Variant, Stock, Offer],
    extensions: [Migrator],
    migrations: { migrationsList: [{ name: '0001-foundation', class: Foundation }, { name: '0002-idempotency', class: Idempotency }, { name: '0003-adapter-state', class: AdapterState }, { name: '0004-stock-sweeps', class: StockSweeps }, { name: '0005-offers', class: Offers }, { name: '0006-webhook-installs', class: WebhookInstalls }, { name: '0007-orders', class: Orders }, { name: '0008-flows', class: Flows }, { name: '0009-creation-attempts', class: CreationAttempts }], tableName: 'linker_migrations', snapshot: false, silent: true },
    // The socket server runs the protocol messages of all its connections one by one as they come. A bind of one connection then
    // meets the statement that another has just parsed, and rows go to whoever asked last: measured. One connection has no other.
    pool: embedded === undefined ? { min: 0, max: 10, idleTimeoutMillis: 30_000 } : { min: 1, max: 1 },
    // A prepared statement keeps the plan that was right when its tables were as large as then.
    ...(embedded === undefined ? { driverOptions: { maxLifetimeSeconds: planLifetimeSeconds } } : {}),
    ensureDatabase: false
  })
  try {
    await orm.connect()
    const pool = await orm.em.getConnection().getNativeClient()
    takeBackBrokenClients(pool)
    if (embedded === undefined) pool.on('connect', prepareMarked)
    await (embedded === undefined ? migrateUnderLock(orm, pool) : orm.migrator.up())
    return describe(orm, pool, embedded, config.databaseUrl, log)
  } catch (error) {
    await orm.close(true)
    throw error
  }
}

/**
 * A connection that breaks inside a transaction is never given back by MikroORM: its ROLLBACK fails before it gets there. Ten of
 * those would be the whole pool, and closing it waits for each of them for ever.
 */
function takeBackBrokenClients (pool: pg.Pool): void {
  const lent = new WeakSet<pg.PoolClient>()
  pool.on('acquire', client => { lent.add(client) })
  pool.on('release', (_error, client) => { lent.delete(client) })
  pool.on('connect', client => {
    client.on('end', () => {
      if (!lent.has(client)) return
      client.release(true)
      // Its borrower may give it back all the same, and a second time is an error.
      client.release = () => undefined
    })
  })
}

const migrationLock = 7_201_611

/** Processes that start together migrate one after the other. Embedded, the directory lock has seen to that. */
async function migrateUnderLock (orm: MikroORM, pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await orm.migrator.up()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    client.release()
  }
}

function describe (orm: MikroORM, pool: pg.Pool, embedded: EmbeddedServer | undefined, databaseUrl: string | undefined, log: { warn (fields: object, message: string): void }): Database {
  const signals = databaseUrl === undefined ? createLocalSignals() : createSharedSignals(pool, databaseUrl, log)
  const query: Query = async (text, values) => (await pool.query(text, [...(values ?? [])])).rows
  return {
    mode: embedded === undefined ? 'postgres' : 'embedded',
    orm,
    query,
    bossOptions: embedded === undefined ? { connectionString: databaseUrl, max: 4 } : { db: { executeSql: (text, values) => pool.query({ text, values, types: pg.types }) } },
    transaction (work) {
      return orm.em.fork().transactional(em => {
        const kysely = em.getTransactionContext<Kysely<unknown>>()
        if (kysely === undefined) throw new TypeError('the transaction has no context')
        const boss = fromKysely(kysely)
        return work({ em, boss, query: async (text, values) => (await boss.executeSql(text, values === undefined ? undefined : [...values])).rows })
      })
    },
    ...signals,
    async ping () { await pool.query('select 1') },
    async close () {
      await signals.close()
      await orm.close(true)
      await embedded?.close()
    }
  }
}

interface Signals { notify: Database['notify'], listen: Database['listen'], close (): Promise<void> }

function createLocalSignals (): Signals {
  const events = new EventEmitter()
  return {
    notify (channel) { events.emit(channel) },
    listen (channel, wake) {
      events.on(channel, wake)
      return () => { events.off(channel, wake) }
    },
    async close () { events.removeAllListeners() }
  }
}

const reconnectDelayMs = 1_000

/** LISTEN on a connection of its own, restored when it breaks; NOTIFY reaches the other processes, this one is woken directly. */
function createSharedSignals (pool: pg.Pool, databaseUrl: string, log: { warn (fields: object, message: string): void }): Signals {
  const local = createLocalSignals()
  const channels: readonly Channel[] = ['streams', 'jobs']
  let isClosed = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  async function connectListener (): Promise<void> {
    const listener = new pg.Client({ connectionString: databaseUrl, application_name: 'linker-listen' })
    listener.on('notification', message => { if (message.payload !== String(process.pid)) local.notify(message.channel.replace('linker_', '') as Channel) })
    listener.on('error', () => undefined)
    listener.on('end', reconnectLater)
    try {
      await listener.connect()
      for (const channel of channels) {
        await listener.query(`listen linker_${channel}`)
        local.notify(channel)
      }
    } catch (error) {
      listener.end().catch(() => undefined)
      throw error
    }
    if (isClosed) await listener.end()
    else client = listener
  }

  // An attempt that fails ends its connection too: were both of them followed by another, each second would double the attempts.
  function reconnectLater (): void {
    if (isClosed || retry !== undefined) return
    retry = setTimeout(() => {
      retry = undefined
      reconnect()
    }, reconnectDelayMs)
  }

  function reconnect (): void {
    connectListener().catch((error: unknown) => {
      log.warn({ err: error }, 'listening for wake-ups failed; trying again')
      reconnectLater()
    })
  }

  reconnect()
  return {
    ...local,
    notify (channel) {
      local.notify(channel)
      pool.query('select pg_notify($1, $2)', [`linker_${channel}`, String(process.pid)]).catch(() => undefined)
    },
    async close () {
      isClosed = true
      clearTimeout(retry)
      await local.close()
      await client?.end()
    }
  }
}
