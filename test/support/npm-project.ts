import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import root, { type Test } from 'tap'
import { feedshopManifest } from './feedshop.ts'
import { runLinker, type Finished } from './hub-process.ts'
import { repository } from './project.ts'

const run = promisify(execFile)
// npm works offline: no test asks a registry.
const offline = { npm_config_offline: 'true', npm_config_loglevel: 'error' }

/** The differences from an adapter that works. */
export interface MadePackage {
  version?: string
  permissions?: object
  source?: string
  manifest?: object
}

const working = `
  import { defineAdapter } from '@linker/sdk'
  export default defineAdapter({
    config: { type: 'object' }, credentials: { type: 'null' }, connect: () => ({}),
    account: async () => undefined,
    capabilities: { InventoryMaster: () => ({ getStock: async () => [], listStock: async () => ({ items: [] }) }) }
  })`

/**
 * Makes `@acme/adapter-feedshop-v1` and returns its tarball, as a registry would serve it. `npm
 * pack` would make the same one in half a second of processor time.
 */
export async function packAdapter (
  t: Test,
  { version = '1.0.0', permissions = { http: ['https://feed.example'] }, source = working, manifest = {} }:
    MadePackage = {}
): Promise<string> {
  const directory = await temporaryFolder(t)
  const content = join(directory, 'package')
  await mkdir(content)
  await writeFile(
    join(content, 'package.json'),
    JSON.stringify({
      ...feedshopManifest({ version, capabilities: ['InventoryMaster'], permissions }),
      type: 'module',
      exports: './index.js',
      peerDependencies: { '@linker/sdk': '^0.1.0' },
      scripts: { postinstall: "node -e \"fs.writeFileSync('scripts-ran', '')\"" },
      ...manifest
    })
  )
  await writeFile(join(content, 'index.js'), source)
  const tarball = `acme-adapter-feedshop-v1-${version}.tgz`
  await run('tar', ['-czf', tarball, 'package'], { cwd: directory })
  return join(directory, tarball)
}

export async function temporaryFolder (t: Pick<Test, 'teardown'>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-npm-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return directory
}

let installed: Promise<string> | undefined

/** Makes a project with npm, which links the packages of this repository. */
async function install (): Promise<string> {
  const directory = await temporaryFolder(root)
  const dependencies = {
    '@linker/sdk': `file:${join(repository, 'sdk')}`,
    '@linker/adapter-shopa-v1': `file:${join(repository, 'plugins/adapter-shopa-v1')}`
  }
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ name: 'shop', private: true, dependencies }, null, 2)
  )
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: directory,
    env: { ...process.env, ...offline }
  })
  return directory
}

/** Makes an operator's project: a copy of one that npm installs once for the tests of a process. */
export async function openNpmProject (t: Test, config?: object) {
  const directory = await temporaryFolder(t)
  // The links are relative, and lead from the copy to the same packages: both are in one folder.
  await cp(await (installed ??= install()), directory, { recursive: true, verbatimSymlinks: true })
  if (config !== undefined) await writeFile(join(directory, 'linker.config.json'), JSON.stringify(config, null, 4))
  const read = (file: string) => readFile(join(directory, file), 'utf8').catch(() => undefined)
  return {
    directory,
    read,
    /** Reads every file that a command may change. */
    state: async () =>
      Promise.all(['package.json', 'package-lock.json', 'linker.config.json', 'linker.lock'].map(read)),
    installed: join(directory, 'node_modules', '@acme', 'adapter-feedshop-v1'),
    linker: (...args: string[]): Promise<Finished> => runLinker(args, directory, offline)
  }
}
