import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../../', import.meta.url))

export const adapterPackages = ['@linker/adapter-shopa-v1', '@linker/adapter-mkta-v1', '@linker/adapter-mktb-v1']

/** A package by a third party: its manifest, its only module, and other files by their names. */
export interface ForeignPackage {
  manifest: { name: string, [member: string]: unknown }
  source: string
  files?: Readonly<Record<string, string>>
}

/** Makes an operator's project in a new folder, with this repository's packages and `packages`. */
export async function makeProject (
  config: object,
  packages: readonly ForeignPackage[] = []
): Promise<{ directory: string, remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-project-'))
  const modules = join(directory, 'node_modules')
  if (packages.length === 0) {
    await symlink(join(repository, 'node_modules'), modules)
  } else {
    await mkdir(modules)
    await symlink(join(repository, 'node_modules', '@linker'), join(modules, '@linker'))
  }
  for (const { manifest, source, files = {} } of packages) {
    await mkdir(join(modules, manifest.name), { recursive: true })
    const all = {
      ...files,
      'package.json': JSON.stringify({ type: 'module', exports: './index.js', ...manifest }),
      'index.js': source
    }
    for (const [file, text] of Object.entries(all)) await writeFile(join(modules, manifest.name, file), text)
  }
  await writeFile(
    join(directory, 'linker.config.json'),
    JSON.stringify({ adapters: adapterPackages, ...config }, null, 2)
  )
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}
