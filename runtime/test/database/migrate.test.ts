import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { openDatabase } from '../../src/database/database.ts'
import { readMigrations } from '../../src/database/migrate.ts'
import { migrationNames } from '../../src/database/migration-names.ts'
import { entities } from '../../src/entities.ts'
import { packageJson } from '../../src/package-folder.ts'
import { cheapestKind, makePlace, type Place } from '../jobs/support.ts'

interface Opening {
  loaded: string[]
  error?: Error
}

const names = ['/database/migrate.ts', '/database/migrations-list.ts', '/@mikro-orm/migrations/']

/** Opens the database in a thread. Returns which of the modules it loaded, and its error. */
async function openWatched ({ databaseUrl, dataDirectory }: Place): Promise<Opening> {
  const thread = new Worker(new URL('./open-watched.ts', import.meta.url), {
    workerData: { databaseUrl, dataDirectory }
  })
  const [{ loaded, error }] = await once(thread, 'message') as [Opening]
  await thread.terminate()
  return { loaded: names.filter(name => loaded.some(url => url.includes(name))), error }
}

t.test('the hub loads the migrations and the migrator only when a migration is missing', async t => {
  const place = await makePlace(cheapestKind)
  t.teardown(() => place.remove())
  t.strictSame(await openWatched(place), { loaded: ['/database/migrate.ts'], error: undefined })

  const database = await openDatabase(place, { warn: () => undefined }, entities)
  await database.query(`delete from linker_migrations where name = '0017-job-holds'`)
  await database.close()
  t.match(await openWatched(place), { loaded: names, error: { message: /already exists/ } })
})

t.test('a database never has migrations of a version that it does not name', async t => {
  const place = await makePlace(cheapestKind, { hasTables: false })
  t.teardown(() => place.remove())
  const older = await openDatabase({ ...place, migrations: migrationNames.slice(0, -1) }, { warn: () => undefined })
  await older.query('alter table hub_versions add check (false) not valid')
  await older.close()
  await t.rejects(openDatabase(place, { warn: () => undefined }), { cause: { constraint: 'hub_versions_check' } })

  const { query, close } = await openDatabase({ ...place, migrations: [] }, { warn: () => undefined })
  t.strictSame(await readMigrations(query), migrationNames.slice(0, -1))
  await close()
})

t.test('a hub that is older than its database refuses to start and names both versions', async t => {
  const place = await makePlace(cheapestKind)
  t.teardown(() => place.remove())
  const database = await openDatabase(place, { warn: () => undefined }, entities)
  await database.query(`insert into linker_migrations (name) values ('0900-later'), ('0901-latest')`)
  await database.query(`insert into hub_versions (version, migrated_at) values ('9.8.7', now() + interval '1 hour')`)
  await database.close()

  await t.rejects(openDatabase(place, { warn: () => undefined }, entities), {
    code: 'LNK_DATABASE_NEWER',
    message: new RegExp(`hub 9\\.8\\.7\\. This hub is ${packageJson.version} .*0900-later, 0901-latest`)
  })
})
