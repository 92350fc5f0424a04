import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { glob, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
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

// Without tap: a program that imports it ends as a test that took too long.
async function pack (): Promise<Tarball[]> {
  const place = await mkdtemp(join(tmpdir(), 'linker-tarballs-'))
  process.once('exit', () => {
    rmSync(place, { recursive: true, force: true })
  })
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'pack', '--', place], {
    cwd: repository,
    maxBuffer: 16 * 1024 * 1024
  })
  return JSON.parse(stdout) as Tarball[]
}
