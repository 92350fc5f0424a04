import envPaths from 'env-paths'
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/** One installation makes 1 400 files of 6 MiB. Many more belong to what was removed. */
const mostFiles = 6_000

/**
 * Lets Node keep compiled modules between starts, in the cache folder of the user. Answers the
 * variables that make new processes and threads use the same folder: none when the environment says
 * how to cache, or when the folder cannot be used. A start is slower then, and nothing else.
 */
export function keepCompiled (environment = process.env) {
  if (environment.NODE_COMPILE_CACHE !== undefined || environment.NODE_DISABLE_COMPILE_CACHE !== undefined) return {}
  try {
    const directory = join(envPaths('linker', { suffix: '' }).cache, 'compiled')
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if (!isPrivate(directory)) return {}
    if (readdirSync(directory, { recursive: true }).length > mostFiles) empty(directory)
    enableCompileCache(directory)
    return { NODE_COMPILE_CACHE: directory }
  } catch {
    return {}
  }
}

/** The folder stays: Node would make it again with the rights that new folders have. */
function empty (directory) {
  for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true })
}

/** Node runs what it finds there: nobody else may write it. */
function isPrivate (directory) {
  const { mode, uid } = lstatSync(directory)
  const isOwn = process.getuid === undefined || uid === process.getuid()
  return isOwn && (mode & 0o022) === 0
}
