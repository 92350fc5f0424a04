import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { create } from 'tar'

/** The name of the folder in a bundle. */
export const bundleFolder = 'linker-report'

/**
 * Writes files, by their names, into a `tar.gz` that only its owner can read. Rejects when the file
 * exists: a report never replaces another one.
 */
export async function writeBundle (path: string, files: ReadonlyMap<string, string>): Promise<void> {
  // Only its owner can read what `mkdtemp` makes.
  const directory = await mkdtemp(join(tmpdir(), 'linker-report-'))
  try {
    for (const [name, text] of files) {
      const file = join(directory, bundleFolder, name)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
    const packed = create({ gzip: true, cwd: directory, portable: true }, [bundleFolder])
    await pipeline(packed, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
