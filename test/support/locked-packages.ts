import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { create } from 'tar'
import { repository } from './project.ts'
import type { PackageSource } from './registry.ts'

type Ranges = Readonly<Record<string, string>>

interface Locked {
  name?: string
  version?: string
  link?: boolean
  dependencies?: Ranges
  peerDependencies?: Ranges
}

/**
 * The packages of other people that this repository has installed, for a registry of a test: npm
 * then installs from it what a registry would give, and no test needs the network.
 */
export async function readLockedPackages (): Promise<PackageSource> {
  const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(join(repository, file), 'utf8'))
  const { packages } = await read('package-lock.json') as { packages: Record<string, Locked> }
  const { overrides } = await read('package.json') as { overrides: Ranges }
  const folders = new Map<string, string>()
  const versions = new Map<string, Record<string, object>>()
  // A package at the top is the one that most others use: make it the newest, and so the last.
  const deepestFirst = Object.entries(packages).toSorted(([one], [other]) => depthOf(other) - depthOf(one))
  for (const [path, { version, link, ...manifest }] of deepestFirst) {
    const name = manifest.name ?? path.split('node_modules/').at(-1) ?? ''
    if (!path.includes('node_modules/') || link === true || version === undefined) continue
    const { [version]: _same, ...others } = versions.get(name) ?? {}
    versions.set(name, { ...others, [version]: withOverrides(manifest, overrides) })
    folders.set(`${name}@${version}`, join(repository, path))
  }

  return {
    versionsOf: name => versions.get(name) ?? {},
    async open (name, version) {
      const folder = folders.get(`${name}@${version}`)
      if (folder === undefined) throw new Error(`${name}@${version} is not in package-lock.json`)
      const content = (await readdir(folder)).filter(entry => entry !== 'node_modules').map(entry => `./${entry}`)
      // Not compressed: npm also takes such a tarball, and packing costs less.
      return create({ cwd: folder, prefix: 'package', portable: true }, content).pipe(new PassThrough())
    }
  }
}

function depthOf (path: string): number {
  return path.split('node_modules/').length
}

/** The overrides of this repository replaced ranges whose versions it therefore does not have. */
function withOverrides ({ dependencies = {}, peerDependencies = {}, ...manifest }: Locked, overrides: Ranges): object {
  const replaced = (ranges: Ranges): Ranges =>
    Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, overrides[name] ?? range]))
  return { ...manifest, dependencies: replaced(dependencies), peerDependencies: replaced(peerDependencies) }
}
