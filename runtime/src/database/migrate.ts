import type { MikroORM } from '@mikro-orm/postgresql'
import type pg from 'pg'
import { DatabaseNewerError } from '../errors.ts'
import { packageJson } from '../package-folder.ts'
import { hasTables } from './has-tables.ts'
import { migrationNames, type MigrationName } from './migration-names.ts'
import type { Query } from './query.ts'

export const migrationsTable = 'linker_migrations'
const migrationLock = 7_201_611
const known: ReadonlySet<string> = new Set(migrationNames)
/** Since this migration, the database keeps the versions of the hubs that changed it. */
const keepsVersions: MigrationName = '0034-hub-versions'

export interface MigrationOptions {
  /** The migrations to run. Default: all. */
  names?: readonly string[] | undefined
  /**
   * Called before the schema of an existing database changes, with a query on one connection.
   * Nothing changes when it throws.
   */
  beforeChange?: ((query: Query) => Promise<void>) | undefined
}

/**
 * Brings the schema up to date, or to where the migrations `names` lead. Throws
 * `LNK_DATABASE_NEWER` if a newer hub has changed it.
 */
export async function migrate (orm: MikroORM, pool: pg.Pool, options: MigrationOptions = {}): Promise<void> {
  const { names = migrationNames } = options
  if (!await isUpToDate(pool, names)) await runMigrations(orm, pool, options)
}

/**
 * The same, and lets processes that start together migrate one after the other. The embedded
 * database does not need this, because its directory lock admits one process only.
 */
export async function migrateUnderLock (orm: MikroORM, pool: pg.Pool, options: MigrationOptions = {}): Promise<void> {
  const { names = migrationNames } = options
  if (await isUpToDate(pool, names)) return
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    // The process that had the lock before may be of a newer version.
    if (!await isUpToDate(pool, names)) await runMigrations(orm, pool, options)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    client.release()
  }
}

/** Returns whether all migrations have run. If so, the hub loads neither them nor the migrator. */
async function isUpToDate (pool: pg.Pool, names: readonly string[]): Promise<boolean> {
  const found = await compareMigrations(queryOf(pool))
  if (found?.refusal !== undefined) throw found.refusal
  return found !== undefined && !names.some(name => found.missing.includes(name))
}

/**
 * Compares the schema with this hub, and changes nothing. `missing` are the migrations that a start
 * would run; `refusal` is the error with which it would refuse a newer database. Undefined: the
 * database has no tables of a hub.
 */
export async function compareMigrations (query: Query): Promise<
  { missing: string[], refusal: Error | undefined } | undefined
> {
  const done = await readMigrations(query)
  if (done.length === 0) return undefined
  const unknown = done.filter(name => !known.has(name))
  const missing = migrationNames.filter(name => !done.includes(name))
  if (unknown.length === 0) return { missing, refusal: undefined }
  const [newest] = await query<
    { version: string }
  >('select version from hub_versions order by migrated_at desc limit 1')
  const refusal = new DatabaseNewerError(newest?.version ?? '(unknown)', packageJson.version, unknown.join(', '))
  return { missing, refusal }
}

/**
 * Reads the names of the migrations that have run. A database of no hub has none. A hub that was
 * killed in its first migration leaves the table of their names empty, and no other table.
 */
export async function readMigrations (query: Query): Promise<string[]> {
  if (!await hasTables(query, [migrationsTable])) return []
  return (await query<{ name: string }>(`select name from ${migrationsTable} order by name`)).map(({ name }) => name)
}

function queryOf (client: Pick<pg.Pool, 'query'>): Query {
  return async (text, values = []) => (await client.query(text, [...values])).rows
}

async function runMigrations (
  orm: MikroORM,
  pool: pg.Pool,
  { names = migrationNames, beforeChange }: MigrationOptions
): Promise<void> {
  if (beforeChange !== undefined && (await readMigrations(queryOf(pool))).length > 0) {
    await onOneConnection(pool, beforeChange)
  }
  const [{ Migrator }, { migrationsList }] = await Promise.all([
    import('@mikro-orm/migrations'),
    import('./migrations-list.ts')
  ])
  const { rows: [own] } = await pool.query<{ schema: string }>('select current_schema() as schema')
  orm.config.set('migrations', {
    ...orm.config.get('migrations'),
    migrationsList: migrationsList.filter(({ name }) => names.includes(name)),
    // Without a schema, the migrator looks for its table in `public`.
    tableName: `${own?.schema ?? 'public'}.${migrationsTable}`,
    snapshot: false,
    silent: true
  })
  const migrator = new Migrator(orm.em)
  // Let it make its table first: inside of the transaction, it would wait for another connection.
  await migrator.getExecuted()
  const connection = orm.em.getConnection()
  await connection.transactional(async transaction => {
    await migrator.up({ transaction })
    if (names.includes(keepsVersions)) await connection.execute(keepVersion, [packageJson.version], 'run', transaction)
  })
}

async function onOneConnection (pool: pg.Pool, work: (query: Query) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await work(queryOf(client))
  } finally {
    client.release()
  }
}

const keepVersion = `
  insert into hub_versions (version)
  values (?)
  on conflict (version) do update set migrated_at = now()`
