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

/** The version of the hub that changed the schema last. */
const selectNewestVersion = 'select version from hub_versions order by migrated_at desc limit 1'

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
  if (!await isPresent(pool)) return false
  const { rows } = await pool.query<{ name: string }>(`select name from ${migrationsTable}`)
  const done = new Set(rows.map(({ name }) => name))
  const unknown = [...done].filter(name => !known.has(name))
  if (unknown.length > 0) {
    const { rows: [newest] } = await pool.query<{ version: string }>(selectNewestVersion)
    throw newerError(newest?.version, unknown)
  }
  return names.every(name => done.has(name))
}

/**
 * Compares the schema with this hub, and changes nothing. `missing` are the migrations that a start
 * would run; `refusal` says why it would not. Undefined: the database has no tables of a hub.
 */
export async function compareMigrations (query: Query): Promise<
  { missing: string[], refusal: string | undefined } | undefined
> {
  if (!await hasTables(query, [migrationsTable])) return undefined
  const done = new Set((await query<{ name: string }>(`select name from ${migrationsTable}`)).map(({ name }) => name))
  const unknown = [...done].filter(name => !known.has(name))
  const missing = migrationNames.filter(name => !done.has(name))
  if (unknown.length === 0) return { missing, refusal: undefined }
  const [newest] = await query<{ version: string }>(selectNewestVersion)
  return { missing, refusal: newerError(newest?.version, unknown).message }
}

function newerError (version: string | undefined, unknown: readonly string[]): Error {
  return new DatabaseNewerError(version ?? '(unknown)', packageJson.version, unknown.join(', '))
}

/** Whether the database has tables of a hub. */
async function isPresent (pool: pg.Pool): Promise<boolean> {
  const found = await pool.query('select to_regclass($1) is not null as "isThere"', [migrationsTable])
  return found.rows[0]?.isThere === true
}

async function runMigrations (
  orm: MikroORM,
  pool: pg.Pool,
  { names = migrationNames, beforeChange }: MigrationOptions
): Promise<void> {
  if (beforeChange !== undefined && await isPresent(pool)) await onOneConnection(pool, beforeChange)
  const [{ Migrator }, { migrationsList }] = await Promise.all([
    import('@mikro-orm/migrations'),
    import('./migrations-list.ts')
  ])
  orm.config.set('migrations', {
    ...orm.config.get('migrations'),
    migrationsList: migrationsList.filter(({ name }) => names.includes(name)),
    tableName: migrationsTable,
    snapshot: false,
    silent: true
  })
  await new Migrator(orm.em).up()
  if (names.includes(keepsVersions)) await keepVersion(pool)
}

async function onOneConnection (pool: pg.Pool, work: (query: Query) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await work(async (text, values = []) => (await client.query(text, [...values])).rows)
  } finally {
    client.release()
  }
}

async function keepVersion (pool: pg.Pool): Promise<void> {
  await pool.query(
    `
      insert into hub_versions (version)
      values ($1)
      on conflict (version) do update set migrated_at = now()
    `,
    [packageJson.version]
  )
}
