import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal } from './answers.ts'

/** Throws a `Refusal` unless the folder is missing, or holds nothing but a new Git repository. */
export async function checkFolder (directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new Refusal(error.code === 'ENOTDIR'
      ? `${directory} is no folder`
      : `${directory} cannot be read: ${error.message}`)
  })
  if (entries.some(name => name !== '.git')) throw new Refusal(`${directory} is not empty: choose another folder`)
}

/** Writes all files, or none: when one fails, it removes the files and folders that it made. */
export async function writeProject (directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  const made: string[] = []
  try {
    for (const [path, text] of files) {
      const file = join(directory, path)
      const firstFolder = await mkdir(dirname(file), { recursive: true })
      if (firstFolder !== undefined) made.push(firstFolder)
      // Claim the name first: a file that somebody else has made meanwhile is not ours to remove.
      await writeFile(file, '', { flag: 'wx' })
      made.push(file)
      await writeFile(file, text)
    }
  } catch (error) {
    for (const path of made.toReversed()) await rm(path, { recursive: true, force: true })
    throw new Refusal(`${directory} cannot be written: ${error instanceof Error ? error.message : ''}`)
  }
}
