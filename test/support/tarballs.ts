import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { glob, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
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

/** The variable that names the folder in which the processes of a run share the tarballs. */
export const tarballsVariable = 'LINKER_TEST_TARBALLS'
const listName = 'tarballs.json'

let packed: Promise<Tarball[]> | undefined

/**
 * Packs every package that is published, once for all tests of a run: that takes seven seconds of
 * processor time. The type check, which runs before the tests, has built the packages.
 */
export async function packPackages (): Promise<readonly Tarball[]> {
  const shared = process.env[tarballsVariable]
  return packed ??= shared === undefined ? packForProcess() : packForRun(shared)
}

async function packForRun (place: string): Promise<Tarball[]> {
  const list = join(place, listName)
  if (!existsSync(list)) {
    // Another process may be packing too. The folder appears complete, and the first one stays.
    const draft = await mkdtemp(`${place}-`)
    await writeFile(join(draft, listName), JSON.stringify(await pack(draft)))
    await rename(draft, place).catch(async (error: unknown) => {
      await rm(draft, { recursive: true })
      if (!existsSync(list)) throw error
    })
  }
  const tarballs = JSON.parse(await readFile(list, 'utf8')) as Tarball[]
  return tarballs.map(tarball => ({ ...tarball, path: join(place, basename(tarball.path)) }))
}

// Without tap: a program that imports it ends as a test that took too long.
async function packForProcess (): Promise<Tarball[]> {
  const place = await mkdtemp(join(tmpdir(), 'linker-tarballs-'))
  process.once('exit', () => {
    rmSync(place, { recursive: true, force: true })
  })
  return pack(place)
}

async function pack (place: string): Promise<Tarball[]> {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'pack', '--', place], {
    cwd: repository,
    maxBuffer: 16 * 1024 * 1024
  })
  return JSON.parse(stdout) as Tarball[]
}
