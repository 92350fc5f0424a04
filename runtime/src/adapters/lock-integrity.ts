import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

// Files that other packages own, and files that change without any code of this package changing.
const left = new Set(['node_modules', '.git'])
const filesAtOnce = 64

/**
 * SHA-512 over every file of an installed package. Hashes the paths in order, with the length of
 * each path and content before it, so that no two packages have the same hash. The whole folder
 * counts except `node_modules` and `.git`. Both `src` and `dist` count, because the conditions with
 * which Node starts decide which of them runs. A link counts as the file or folder that it leads
 * to. The lock of the package manager covers the dependencies.
 */
export async function integrityOf (directory: string): Promise<string> {
  const root = await realpath(directory)
  const paths = (await listFiles(root, '', [root])).toSorted()
  const hash = createHash('sha512')
  for (let start = 0; start < paths.length; start += filesAtOnce) {
    const chunk = paths.slice(start, start + filesAtOnce)
    const contents = await Promise.all(chunk.map(path => readFile(join(root, path))))
    for (const [index, content] of contents.entries()) {
      const path = Buffer.from(chunk[index] ?? '')
      hash.update(`${path.length}:`).update(path).update(`${content.length}:`).update(content)
    }
  }
  return `sha512-${hash.digest('base64')}`
}

/**
 * Paths below `root` with `/` between their parts. `parents` are the real folders on the way: a
 * link back into one of them ends there.
 */
async function listFiles (root: string, folder: string, parents: readonly string[]): Promise<string[]> {
  const entries = (await readdir(join(root, folder), { withFileTypes: true })).filter(({ name }) => !left.has(name))
  const found = await Promise.all(entries.map(async entry => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    const kind = entry.isSymbolicLink() ? await stat(join(root, path)).catch(() => undefined) : entry
    if (kind?.isFile() === true) return [path]
    if (kind?.isDirectory() !== true) return []
    const real = await realpath(join(root, path))
    return parents.includes(real) ? [] : listFiles(root, path, [...parents, real])
  }))
  return found.flat()
}
