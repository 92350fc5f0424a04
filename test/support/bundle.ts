import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from './project.ts'

/** The entry of the `linker` command in the bundle. */
export const bundledLinker = join(repository, 'runtime', 'dist', 'main.js')

/** The packages that are published as bundles, with a file of each bundle. */
const bundled = {
  sdk: 'index.js',
  runtime: 'main.js',
  'plugins/adapter-shopa-v1': 'index.js',
  'plugins/adapter-mkta-v1': 'index.js',
  'plugins/adapter-mktb-v1': 'index.js',
  'plugins/create-adapter': 'main.js'
}
/** A change of these makes every bundle outdated. npm writes the last one at each installation. */
const shared = ['sdk/build', 'sdk/client/src', 'node_modules/.package-lock.json'].map(path => join(repository, path))

/**
 * Bundles the packages again whose sources have changed since. Programs that start hubs as
 * processes call this first.
 */
export async function refreshBundles (): Promise<void> {
  await Promise.all(Object.entries(bundled).map(async ([folder, file]) => {
    const path = join(repository, folder)
    const sources = [join(path, 'src'), join(path, 'console'), join(path, 'package.json'), ...shared]
    if (!await isOutdated(join(path, 'dist', file), sources)) return
    await promisify(execFile)('npm', ['run', 'bundle', '--silent'], { cwd: path })
  }))
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
