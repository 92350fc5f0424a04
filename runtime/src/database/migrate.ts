import type { MikroORM } from '@mikro-orm/postgresql'
import type pg from 'pg'
import { migrationNames } from './migration-names.ts'

const migrationsTable = 'linker_migrations'
const migrationLock = 7_201_611

/** Brings the schema up to date. */
export async function migrate (orm: MikroORM, pool: pg.Pool): Promise<void> {
  if (await isUpToDate(pool)) return
  await runMigrations(orm)
}

/**
 * Lets processes that start together migrate one after the other. The embedded database does not
 * need this, because its directory lock admits one process only.
 */
export async function migrateUnderLock (orm: MikroORM, pool: pg.Pool): Promise<void> {
  if (await isUpToDate(pool)) return
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await runMigrations(orm)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    client.release()
  }
}

/** Returns whether all migrations have run. If so, the hub loads neither them nor the migrator. */
async function isUpToDate (pool: pg.Pool): Promise<boolean> {
  const found = await pool.query('select to_regclass($1) is not null as "isThere"', [migrationsTable])
  if (found.rows[0]?.isThere !== true) return false
  const { rows } = await pool.query<{ name: string }>(`select name from ${migrationsTable}`)
  const done = new Set(rows.map(({ name }) => name))
  return migrationNames.every(name => done.has(name))
}

async function runMigrations (orm: MikroORM): Promise<void> {
  const [{ Migrator }, { migrationsList }] = await Promise.all([
    import('@mikro-orm/migrations'),
    import('./migrations-list.ts')
  ])
  orm.config.set('migrations', {
    ...orm.config.get('migrations'),
    migrationsList,
    tableName: migrationsTable,
    snapshot: false,
    silent: true
  })
  await new Migrator(orm.em).up()
}
