import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from './project.ts'

const runtime = join(repository, 'runtime')
/** The entry of the `linker` command in the bundle. */
export const bundledLinker = join(runtime, 'dist', 'main.js')
/** A change of these makes the bundle outdated. npm writes the last one at each installation. */
const inputs = ['src', 'package.json', '../sdk/build', '../node_modules/.package-lock.json'].map(path =>
  join(runtime, path)
)

/**
 * Bundles the runtime again if a source has changed since. Programs that start hubs as processes
 * call this first.
 */
export async function refreshBundle (): Promise<void> {
  if (!await isOutdated(bundledLinker, inputs)) return
  await promisify(execFile)('npm', ['run', 'bundle', '--silent', '--workspace', 'runtime'], { cwd: repository })
}

/** Whether a file is missing, or older than one of the files and folders that it is made of. */
export async function isOutdated (file: string, sources: readonly string[]): Promise<boolean> {
  const changes = await Promise.all((await Promise.all(sources.map(within))).flat().map(changedMs))
  return await changedMs(file) <= Math.max(...changes)
}

/** Lists a file or a folder, with the folders below it: removing a file changes its folder. */
async function within (path: string): Promise<string[]> {
  const below = await readdir(path, { recursive: true }).catch(() => [])
  return [path, ...below.map(name => join(path, name))]
}

/** Returns 0 for a file that does not exist. */
async function changedMs (path: string): Promise<number> {
  return stat(path).then(({ mtimeMs }) => mtimeMs, () => 0)
}
