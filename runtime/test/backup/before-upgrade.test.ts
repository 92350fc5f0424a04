import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { checkBackupFile } from '../../src/backup/backup-file.ts'
import { backUpBeforeUpgrade } from '../../src/backup/before-upgrade.ts'
import { openSource } from '../../src/backup/open-source.ts'
import { openDatabase, type Query } from '../../src/database/database.ts'
import { cheapestKind, kinds, makePlace, type Place } from '../jobs/support.ts'

const silent = { warn: () => undefined }
const now = () => new Date('2026-01-31T10:00:00Z')

/** A database as the version before the last migration left it. */
async function openOlder (t: Test, kind: Parameters<typeof makePlace>[0]): Promise<Place> {
  const place = await makePlace(kind)
  t.teardown(() => place.remove())
  const database = await openDatabase(place, silent)
  await database.query("delete from linker_migrations where name = '0034-hub-versions'")
  await database.query('drop table hub_versions')
  await database.query("insert into log_levels (level, until) values ('info', now())")
  await database.close()
  return place
}

/** Opens the database as a hub does. Returns the backups that it names. */
async function start (place: Place, backsUpBeforeUpgrade = true): Promise<string[]> {
  const files: string[] = []
  const beforeChange = backUpBeforeUpgrade({
    config: { ...place, backsUpBeforeUpgrade },
    now,
    onWritten (file) {
      files.push(file)
    }
  })
  await (await openDatabase({ ...place, beforeChange }, silent)).close()
  return files
}

const listBackups = async ({ dataDirectory }: Place): Promise<string[]> =>
  (await readdir(dataDirectory).catch(() => [])).filter(name => name.includes('.backup.gz'))

t.test('the newest two backups are kept, drafts of killed processes go, and other files stay', async t => {
  const place = await openOlder(t, cheapestKind)
  const others = ['before-9.0.0-20250101T000000Z.backup.gz', 'before-1.0.0-20260101T000000Z.backup.gz']
  const draftOfKilled = 'before-9.0.0-20260130T000000Z.backup.gz.4711.part'
  await mkdir(place.dataDirectory, { recursive: true })
  for (const name of [...others, draftOfKilled, 'nightly.backup.gz']) {
    await writeFile(join(place.dataDirectory, name), '')
  }
  const [file = ''] = await start(place)

  t.strictSame((await listBackups(place)).toSorted(), [others[1], basename(file), 'nightly.backup.gz'].toSorted())
})

t.test('a hub that was killed in its first migration starts without a backup', async t => {
  const place = await makePlace(cheapestKind, { hasTables: false })
  t.teardown(() => place.remove())
  await (await openDatabase({ ...place, migrations: [] }, silent)).close()

  t.strictSame(await start(place), [])
  t.strictSame(await listBackups(place), [])
  t.strictSame(await start(place), [], 'the tables are up to date')
})

for (const kind of kinds(t)) {
  t.test(`before the tables change, a backup of them is written, ${kind}`, async t => {
    const place = await openOlder(t, kind)
    const [file = '', ...more] = await start(place)

    t.strictSame(more, [])
    const { header } = await checkBackupFile(file)
    t.equal(file, join(place.dataDirectory, `before-${header.hubVersion}-20260131T100000Z.backup.gz`))
    t.notOk(header.migrations.includes('0034-hub-versions'))
    t.equal((await stat(file)).mode & 0o777, 0o600)
    t.strictSame(await start(place), [], 'nothing changes any more')
    t.equal((await listBackups(place)).length, 1)
  })

  t.test(`without the backup nothing changes, unless it is switched off, ${kind}`, async t => {
    const place = await openOlder(t, kind)
    const blocked = { ...place, dataDirectory: join(t.testdir({ file: '' }), 'file') }
    if (place.databaseUrl !== undefined) {
      await t.rejects(start(blocked), { code: 'LNK_UPGRADE_BACKUP' })
      await t.rejects(start(blocked), { code: 'LNK_UPGRADE_BACKUP' }, 'the database is as old as before')
    }

    t.strictSame(await start(place, false), [])
    t.strictSame(await listBackups(place), [])
  })

  t.test(`a backup that cannot be read back stops the upgrade and leaves no file, ${kind}`, async t => {
    const place = await openOlder(t, kind)
    const source = await openSource(place)
    t.teardown(() => source.close())
    // The lines of the rows arrive broken.
    const query: Query = async <Row extends object>(text: string, values?: readonly unknown[]) => {
      const rows = await source.query<Row>(text, values)
      return text.startsWith('fetch') ? rows.map(row => ({ ...row, line: 'broken' })) : rows
    }
    const back = backUpBeforeUpgrade({
      config: { ...place, backsUpBeforeUpgrade: true },
      now,
      onWritten: file => t.fail(file)
    })

    if (back === undefined) throw new Error('the settings switch it off')
    await t.rejects(back(query), { code: 'LNK_UPGRADE_BACKUP', cause: { code: 'LNK_BACKUP_DAMAGED' } })
    t.strictSame(await listBackups(place), [])
  })
}
