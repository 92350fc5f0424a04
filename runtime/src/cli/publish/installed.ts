import { withoutByteOrderMark } from '@linker/sdk/host/text'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { extract, list } from 'tar'
import { npm } from './npm.ts'

/** The members of an adapter's package.json that a publication depends on. */
export interface PackageJson {
  name?: string
  version?: string
  repository?: unknown
  linker?: unknown
  engines?: Record<string, string>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** A file of a tarball, by its path in the package. */
export interface PackedFile {
  path: string
  bytes: number
}

export async function listFiles (tarball: string): Promise<PackedFile[]> {
  const files: PackedFile[] = []
  await list({
    file: tarball,
    onReadEntry ({ path, size, type }) {
      if (type === 'File') files.push({ path: path.replace(/^[^/]+\//, ''), bytes: size })
    }
  })
  return files.toSorted((one, other) => one.path < other.path ? -1 : 1)
}

export async function readPackageJson (directory: string): Promise<PackageJson> {
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => {
    throw new Error(`there is no package.json in ${directory}`)
  })
  return JSON.parse(withoutByteOrderMark(text)) as PackageJson
}

export interface Installed {
  /** The project that has the package. */
  project: string
  /** The folder of the package in the project. */
  directory: string
  content: PackageJson
}

/**
 * Installs a tarball with npm into a new project `place`, without install scripts. Dependencies
 * that the author has are linked from the author's folder, so they need no registry, and others are
 * not there: a module that imports a package which it does not declare fails here too.
 * `ignoresPeers`: also install it where the SDK of the author is outside of its range.
 */
export async function installTarball (
  tarball: string,
  place: string,
  author: string,
  { ignoresPeers = false }: { ignoresPeers?: boolean } = {}
): Promise<Installed> {
  await mkdir(place)
  await extract({ file: tarball, cwd: place, strip: 1, filter: path => /^[^/]+\/package\.json$/.test(path) })
  const content = await readPackageJson(place)
  const { name = '', dependencies, peerDependencies } = content
  const links = Object.keys({ ...dependencies, ...peerDependencies }).flatMap(needed => {
    const folder = findPackage(author, needed)
    return folder === undefined ? [] : [[needed, `file:${folder}`]]
  })
  await writeFile(
    join(place, 'package.json'),
    JSON.stringify({
      name: 'linker-publication',
      private: true,
      dependencies: { ...Object.fromEntries(links), [name]: `file:${tarball}` }
    })
  )
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  await npm(['install', ...options, ...ignoresPeers ? ['--legacy-peer-deps'] : []], place)
  return { project: place, directory: join(place, 'node_modules', name), content }
}

/** The folder of a package as Node finds it from a folder. */
export function findPackage (from: string, name: string): string | undefined {
  const candidate = join(from, 'node_modules', name)
  if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
  return dirname(from) === from ? undefined : findPackage(dirname(from), name)
}
