import pg from 'pg'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/database/database.ts'
import { migrationNames } from '../../src/database/migration-names.ts'
import { createServerDatabase } from '../databases.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL ?? ''
const needsServer = { skip: serverUrl === '' && 'needs PostgreSQL' }

interface Found {
  path: string
  schema: string
  now: string
}

async function administer (url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Opens the database, with a path of the database's own, and says where its tables are. */
async function findTables (url: string, name: string, path: string): Promise<Found | undefined> {
  await administer(url, `alter database ${name} set search_path to ${path}`)
  const { query, close } = await openDatabase({ databaseUrl: url, dataDirectory: '' }, { warn: () => undefined })
  try {
    const [found] = await query<Found>(`
      select current_setting('search_path') as path, now() as now, relnamespace::regnamespace::text as schema
      from pg_class
      where oid = 'stock'::regclass`)
    return found
  } finally {
    await close()
  }
}

async function openEmpty (t: Test, ...statements: string[]): Promise<{ url: string, name: string }> {
  const { url, name, drop } = await createServerDatabase(serverUrl, { hasTables: false })
  t.teardown(drop)
  await administer(url, ...statements)
  return { url, name }
}

t.test('tables are made where the path says, and found there when the path changes', needsServer, async t => {
  const { url, name } = await openEmpty(
    t,
    'create schema own',
    'create schema evil',
    "create function evil.now() returns timestamptz language sql as $$ select '2000-01-01'::timestamptz $$"
  )

  for (const path of ['own, public', "''", 'pg_catalog', 'nowhere', 'nowhere, own, evil']) {
    t.match(await findTables(url, name, path), { schema: 'own', path: 'own', now: /^20[2-9]/ }, path)
  }
  const hostile = await findTables(url, name, 'evil, pg_catalog')
  t.match(hostile, { schema: 'evil', path: 'evil', now: /^20[2-9]/ }, 'a path that names another schema means that one')
})

t.test('the tables of an older hub are brought up to date in their schema', needsServer, async t => {
  const { url, name } = await openEmpty(t, 'create schema own')
  await administer(url, `alter database ${name} set search_path to own`)
  const [first = ''] = migrationNames
  const log = { warn: () => undefined }
  await (await openDatabase({ databaseUrl: url, dataDirectory: '', migrations: [first] }, log)).close()

  t.match(await findTables(url, name, 'own'), { schema: 'own' })
})

t.test('two hubs with a schema each share a database, and neither is found by chance', needsServer, async t => {
  const { url, name } = await openEmpty(t, 'create schema hub_b')

  t.match(await findTables(url, name, 'public'), { schema: 'public' })
  t.match(await findTables(url, name, 'hub_b'), { schema: 'hub_b', path: 'hub_b' }, 'the second has no tables yet')
  t.match(await findTables(url, name, 'hub_b'), { schema: 'hub_b' })
  t.match(await findTables(url, name, 'public'), { schema: 'public' })
})

t.test('a path without a schema means public', needsServer, async t => {
  for (const path of ["''", 'pg_catalog', 'nowhere']) {
    const { url, name } = await openEmpty(t)
    t.match(await findTables(url, name, path), { schema: 'public', path: 'public' }, path)
  }
})

t.test('of two schemas with the tables of a hub, the one that the path names is used', needsServer, async t => {
  const { url, name } = await openEmpty(t)
  await findTables(url, name, 'public')
  await administer(url, 'create schema copy', 'create table copy.linker_migrations ()')

  t.match(await findTables(url, name, 'public, copy'), { schema: 'public' })
  t.match(await findTables(url, name, '"$user", public'), { schema: 'public' })
})
