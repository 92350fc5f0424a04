import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import root from 'tap'
import { temporaryFolder } from './npm-project.ts'
import { repository } from './project.ts'

/** A package as `npm publish` would upload it. */
export interface Tarball {
  name: string
  path: string
  /** The paths of its files. */
  files: string[]
}

interface Manifest {
  name: string
  private?: boolean
  workspaces?: string[]
}

/** Returns the folders of the packages that a checkout publishes, by their names. */
export async function findPublished (checkout = repository): Promise<Map<string, string>> {
  const readManifest = async (path: string): Promise<Manifest> =>
    JSON.parse(await readFile(join(checkout, path), 'utf8')) as Manifest
  const { workspaces = [] } = await readManifest('package.json')
  const published = new Map<string, string>()
  for await (const path of glob(workspaces.map(folder => `${folder}/package.json`), { cwd: checkout })) {
    const manifest = await readManifest(path)
    if (manifest.private !== true) published.set(manifest.name, dirname(path))
  }
  return published
}

let packed: Promise<Tarball[]> | undefined

/**
 * Packs every package that is published, once for all tests of a process. The type check, which
 * runs before the tests, has built the packages.
 */
export async function packPackages (): Promise<readonly Tarball[]> {
  return packed ??= pack()
}

async function pack (): Promise<Tarball[]> {
  const place = await temporaryFolder(root)
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'pack', '--', place], {
    cwd: repository,
    maxBuffer: 16 * 1024 * 1024
  })
  return JSON.parse(stdout) as Tarball[]
}
