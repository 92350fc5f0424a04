import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { create } from 'tar'
import { startEmbeddedServer } from '../../../src/database/embedded.ts'
import { copyEmbeddedDatabase } from '../../databases.ts'

async function temporaryFolder (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-blank-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Starts on a new directory. Returns the warnings of the log, and how many tables there are. */
async function start (t: Test, archive: string): Promise<{ warnings: string[], tables: number }> {
  const warnings: string[] = []
  const server = await startEmbeddedServer({
    dataDirectory: await temporaryFolder(t),
    findArchive: async () => archive
  }, {
    warn (_fields, message) {
      warnings.push(message)
    }
  })
  const { dbName, ...connection } = server.connection
  const client = new pg.Client({ ...connection, database: dbName })
  try {
    await client.connect()
    const { rows } = await client.query("select count(*)::integer as count from pg_tables where schemaname = 'public'")
    return { warnings, tables: rows[0].count }
  } finally {
    await client.end()
    await server.close()
  }
}

t.test('a new directory starts from the archive', async t => {
  const folder = await temporaryFolder(t)
  copyEmbeddedDatabase(folder)
  const archive = join(folder, 'blank.tar.gz')
  await create({ file: archive, cwd: join(folder, 'database'), gzip: true, portable: true }, ['.'])

  const { warnings, tables } = await start(t, archive)

  t.strictSame(warnings, [])
  t.ok(tables > 25)
})

t.test('a broken archive leaves an empty database and a line in the log', async t => {
  const archive = join(await temporaryFolder(t), 'broken.tar.gz')
  await writeFile(archive, 'no archive')

  const { warnings, tables } = await start(t, archive)

  t.equal(warnings.length, 1)
  t.equal(tables, 0)
})
