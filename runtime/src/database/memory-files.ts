import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { join } from 'node:path/posix'
import { list } from 'tar'

interface ArchivedFile {
  path: string
  /** Undefined for a folder. */
  content: Buffer | undefined
}

// PostgreSQL refuses a directory that others can read.
const directoryMode = 0o700

/** Keeps the files of PGlite in memory, and begins with those of an archive. */
export async function openMemoryFiles (archive: string | undefined): Promise<MemoryFS> {
  const files = new MemoryFS()
  if (archive === undefined) return files
  const archived = await readArchive(archive)
  const init = files.init.bind(files)
  files.init = async (pg, options) => {
    const { emscriptenOpts } = await init(pg, options)
    const preRun: typeof emscriptenOpts.preRun = [...emscriptenOpts.preRun ?? [], ({ FS }) => {
      for (const { path, content } of archived) {
        const place = join(PGlite.paths.PGDATA, path)
        if (content === undefined) FS.mkdirTree(place, directoryMode)
        else FS.writeFile(place, content)
      }
    }]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
  return files
}

/** Reads the folders and files of an archive, each folder before its files. */
async function readArchive (archive: string): Promise<ArchivedFile[]> {
  const reading: Promise<ArchivedFile>[] = []
  await list({
    file: archive,
    strict: true,
    onReadEntry (entry) {
      const { path, type } = entry
      reading.push(type === 'Directory'
        ? Promise.resolve({ path, content: undefined })
        : entry.concat().then(content => ({ path, content })))
    }
  })
  return Promise.all(reading)
}
