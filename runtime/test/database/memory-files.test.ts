import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import t from 'tap'
import { findArchive } from '../../src/database/blank/archive.ts'
import { openDatabase } from '../../src/database/database.ts'
import { startEmbeddedServer } from '../../src/database/embedded.ts'
import { migrationNames } from '../../src/database/migration-names.ts'

t.test('a database in memory has all tables, keeps what is written, and leaves no file', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'linker-memory-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const dataDirectory = join(folder, 'state')
  const warnings: string[] = []
  const database = await openDatabase({ dataDirectory, isInMemory: true }, {
    warn: (_fields, message) => {
      warnings.push(message)
    }
  })
  t.teardown(() => database.close())
  await database.query('create table kept (id integer)')
  await database.transaction(async ({ query }) => {
    await query('insert into kept values (1)')
  })

  t.strictSame(await database.query('select id from kept'), [{ id: 1 }])
  const [{ count } = { count: 0 }] = await database.query<
    { count: number }
  >("select count(*)::integer as count from information_schema.tables where table_name in ('connections', 'jobs')")
  t.equal(count, 2)
  t.ok(migrationNames.length > 0)
  t.notOk(existsSync(dataDirectory))
  t.strictSame(warnings, [])
})

t.test('only the own user reaches a database in memory, over a socket that goes with it', async t => {
  const log = { warn: () => undefined }
  const { connection, close } = await startEmbeddedServer({
    dataDirectory: '/nowhere',
    isInMemory: true,
    findArchive
  }, log)
  t.ok(isAbsolute(connection.host), connection.host)
  t.equal(statSync(connection.host).mode & 0o777, 0o700)
  t.ok(statSync(join(connection.host, '.s.PGSQL.5432')).isSocket())

  await close()

  t.notOk(existsSync(connection.host))
})
