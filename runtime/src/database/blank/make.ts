import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { create } from 'tar'
import { openDatabase } from '../database.ts'
import { findArchive } from './archive.ts'

// Makes the archive of a migrated database without rows, from which a hub with embedded state
// starts the first time. The build of the package and `npm install` in a checkout run it.

const archive = await findArchive()
// Without an archive the database is made by PGlite's own initialisation.
await rm(dirname(archive), { recursive: true, force: true })
const directory = await mkdtemp(join(tmpdir(), 'linker-blank-'))
try {
  const database = await openDatabase({ dataDirectory: directory }, { warn: () => undefined })
  await database.close()
  const draft = `${archive}.new`
  await mkdir(dirname(archive))
  await create({ file: draft, cwd: join(directory, 'database'), gzip: { level: 9 }, portable: true }, ['.'])
  await rename(draft, archive)
} finally {
  await rm(directory, { recursive: true, force: true })
}
