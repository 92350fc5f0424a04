import type { HostServices } from '@linker/sdk/host'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { createCarrierHost } from '../../src/adapters/carriers.ts'
import { discoverAdapters } from '../../src/adapters/discover.ts'
import { loadAdapters, type AdapterRecord } from '../../src/adapters/load.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** Makes a project folder that goes with the test, into which these packages are linked. */
export async function makeDirectory (t: Test, linked: readonly string[] = []): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-load-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const modules = join(directory, 'node_modules')
  const links = new Map([
    ['@linker/sdk', join(repository, 'sdk')],
    ...linked.map(name => [name, join(repository, 'node_modules', name)] as const)
  ])
  for (const [name, target] of links) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(target, join(modules, name))
  }
  return directory
}

/** Loads adapters that need no service of the hub. */
export async function loadFrom (
  t: Test,
  directory: string,
  adapters: readonly { use: string, isolation: 'inline' | 'worker' }[]
): Promise<AdapterRecord[]> {
  const host = createCarrierHost({ outboundAllow: [], now: () => new Date() })
  t.teardown(() => host.close())
  const refuse = () => Promise.reject(new Error('these need no service'))
  const services = new Proxy({}, { get: () => refuse }) as HostServices
  return loadAdapters(await discoverAdapters(directory, { adapters: [...adapters] }), {
    projectDirectory: directory,
    host,
    platforms: new Map(),
    outboundAllow: [],
    isolate: new Set(),
    servicesOf: () => services
  })
}
