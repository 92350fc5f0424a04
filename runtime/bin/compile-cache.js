import envPaths from 'env-paths'
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * An installation makes about a hundred files, a checkout of the sources 2 800. Many more are left
 * from removed packages.
 */
const mostFiles = 6_000

/**
 * Lets Node keep compiled modules between starts, in the cache folder of the user. Returns the
 * variables that make new processes and threads use the same folder. Returns none when the
 * environment configures a cache itself, or when the folder cannot be used: a start is slower then,
 * but works.
 */
export function keepCompiled (environment = process.env) {
  if (environment.NODE_COMPILE_CACHE !== undefined || environment.NODE_DISABLE_COMPILE_CACHE !== undefined) return {}
  try {
    const directory = join(envPaths('linker', { suffix: '' }).cache, 'compiled')
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if (!isPrivate(directory)) return {}
    if (countFiles(directory) > mostFiles) empty(directory)
    enableCompileCache(directory)
    return { NODE_COMPILE_CACHE: directory }
  } catch {
    return {}
  }
}

/**
 * Node keeps the files of each of its versions in a folder. A recursive `readdirSync` would look at
 * every file, which takes longer than the rest of this module.
 */
function countFiles (directory) {
  return readdirSync(directory, { withFileTypes: true }).filter(entry => entry.isDirectory())
    .reduce((sum, { name }) => sum + readdirSync(join(directory, name)).length, 0)
}

/** Keep the folder itself: Node would make it again with the permissions of any new folder. */
function empty (directory) {
  for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true })
}

/** Node runs the code in this folder, so no other user may write to it. */
function isPrivate (directory) {
  const { mode, uid } = lstatSync(directory)
  const isOwn = process.getuid === undefined || uid === process.getuid()
  return isOwn && (mode & 0o022) === 0
}
