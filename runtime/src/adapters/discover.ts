import { Value } from '@sinclair/typebox/value'
import { Manifest, contractVersion } from '@linker/sdk'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import semver from 'semver'
import type { ConfigFile } from '../config.ts'

/** How far an adapter got. Only `ready` serves; the others are shown with their reason and leave their connections as the operator set them. */
export type AdapterState = 'ready' | 'incompatible' | 'invalid' | 'conflicting' | 'failed'
export type AdapterProblemCode =
  'LNK_ADAPTER_NOT_INSTALLED' | 'LNK_ADAPTER_MANIFEST_INVALID' | 'LNK_ADAPTER_INCOMPATIBLE' | 'LNK_ADAPTER_CONFLICT' |
  'LNK_ADAPTER_IMPORT_FAILED' | 'LNK_ADAPTER_SHAPE_INVALID'
export interface AdapterProblem { state: Exclude<AdapterState, 'ready'>, code: AdapterProblemCode, message: string }

/** A package that says it is an adapter, before any of its code ran. */
export interface AdapterPackage { packageName: string, directory: string, version: string, manifest: Manifest }
export interface Discovered { packageName: string, directory?: string, found?: AdapterPackage, problem?: AdapterProblem }

/**
 * Finds the adapters of the operator's project: those listed in linker.config.json or, without a list, its direct dependencies
 * that carry a `linker` manifest. Reads JSON only; nothing is imported and node_modules is never walked.
 */
export async function discoverAdapters (projectDirectory: string, file: Pick<ConfigFile, 'adapters'>): Promise<Discovered[]> {
  const listed = file.adapters?.map(entry => typeof entry === 'string' ? entry : entry.use)
  const names = listed ?? await directDependencies(projectDirectory)
  const inspected = await Promise.all(names.map(name => inspectPackage(projectDirectory, name, listed !== undefined)))
  return markConflicts(inspected.filter(item => item !== undefined))
}

async function directDependencies (projectDirectory: string): Promise<string[]> {
  const path = join(projectDirectory, 'package.json')
  if (!existsSync(path)) return []
  const { dependencies = {} } = JSON.parse(await readFile(path, 'utf8')) as { dependencies?: Record<string, string> }
  return Object.keys(dependencies).toSorted()
}

async function inspectPackage (projectDirectory: string, packageName: string, isListed: boolean): Promise<Discovered | undefined> {
  const directory = findPackage(projectDirectory, packageName)
  if (directory === undefined) {
    return isListed ? { packageName, problem: { state: 'failed', code: 'LNK_ADAPTER_NOT_INSTALLED', message: `'${packageName}' is listed and not installed in ${projectDirectory}` } } : undefined
  }
  let content: { version?: string, linker?: unknown, engines?: { linker?: string } }
  try {
    content = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as typeof content
  } catch (error) {
    return { packageName, directory, problem: { state: 'invalid', code: 'LNK_ADAPTER_MANIFEST_INVALID', message: `${directory}/package.json is not JSON: ${error instanceof Error ? error.message : ''}` } }
  }
  if (content.linker === undefined && !isListed) return undefined
  return { packageName, directory, ...checkManifest(packageName, directory, content) }
}

function checkManifest (packageName: string, directory: string, content: { version?: string, linker?: unknown, engines?: { linker?: string } }): Pick<Discovered, 'found' | 'problem'> {
  const errors = [...Value.Errors(Manifest, content.linker)].map(error => `/linker${error.path} ${error.message}`)
  if (semver.valid(content.version ?? null) === null) errors.push('/version must be a SemVer version')
  if (errors.length > 0) return { problem: { state: 'invalid', code: 'LNK_ADAPTER_MANIFEST_INVALID', message: `${directory}/package.json: ${errors.join('; ')}` } }
  const range = content.engines?.linker
  if (range === undefined || !semver.satisfies(contractVersion, range)) {
    return { problem: { state: 'incompatible', code: 'LNK_ADAPTER_INCOMPATIBLE', message: `'${packageName}' wants linker ${range ?? '(engines.linker is missing)'}; this hub speaks ${contractVersion}` } }
  }
  return { found: { packageName, directory, version: content.version ?? '', manifest: Value.Decode(Manifest, content.linker) } }
}

/** The folder of a package as Node finds it from the project, whatever the package's `exports` allow. */
function findPackage (from: string, name: string): string | undefined {
  const candidate = join(from, 'node_modules', name)
  if (existsSync(join(candidate, 'package.json'))) return candidate
  return dirname(from) === from ? undefined : findPackage(dirname(from), name)
}

/** The same key and version from two places: neither is loaded, because nobody could say which one serves. */
function markConflicts (discovered: Discovered[]): Discovered[] {
  const groups = Map.groupBy(discovered, item => item.found === undefined ? item.packageName : `${item.found.manifest.adapterKey}@${item.found.version}`)
  return discovered.map(item => {
    if (item.found === undefined) return item
    const identity = `${item.found.manifest.adapterKey}@${item.found.version}`
    const same = groups.get(identity) ?? []
    if (same.length < 2) return item
    const message = `${identity} comes from ${same.map(other => other.directory).join(' and ')}`
    return { packageName: item.packageName, directory: item.directory, problem: { state: 'conflicting', code: 'LNK_ADAPTER_CONFLICT', message } }
  })
}
