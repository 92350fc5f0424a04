import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createArchive } from '../../src/backup/archive.ts'
import { stampOf, writeBackupFile, writeCompressed } from '../../src/backup/backup-file.ts'

const header = {
  hubVersion: '1.0.0',
  takenAt: '2026-01-31T10:00:00.000Z',
  mode: 'embedded' as const,
  migrations: [],
  plainSecrets: 0
}

t.test('the name of a file tells the time to the second', async t => {
  t.equal(stampOf(new Date('2026-01-31T10:00:00.912Z')), '20260131T100000Z')
})

t.test('a whole backup gets its name, and only its owner reads it', async t => {
  const directory = t.testdir()
  const path = join(directory, 'a.backup.gz')

  const written = await writeBackupFile(path, async file => {
    await writeCompressed(file, async stream => (await createArchive(stream, header)).end())
  })

  t.match(written, { header, sections: 0, rows: 0, bytes: (await stat(path)).size })
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.strictSame(await readdir(directory), ['a.backup.gz'])
})

t.test('a backup that cannot be read back leaves the file of an earlier one', async t => {
  const directory = t.testdir()
  const path = join(directory, 'a.backup.gz')
  await writeFile(path, 'earlier')

  // The end is missing.
  const cut = writeBackupFile(path, async file => {
    await writeCompressed(file, async stream => {
      await createArchive(stream, header)
    })
  })
  await t.rejects(cut, { code: 'LNK_BACKUP_DAMAGED' })
  await t.rejects(writeBackupFile(path, async () => Promise.reject(new Error('disk full'))), { message: 'disk full' })

  t.equal(await readFile(path, 'utf8'), 'earlier')
  t.strictSame(await readdir(directory), ['a.backup.gz'])
})
