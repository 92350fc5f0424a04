import { Manifest } from '@linker/sdk'
import { manifestProblems, withoutByteOrderMark, withoutWrongPresentation, type Icon } from '@linker/sdk/host'
import { Value } from '@sinclair/typebox/value'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import semver from 'semver'
import type { AdapterEntry, ConfigFile } from '../config.ts'
import { rangeProblem } from './contracts.ts'
import type { AdapterProblem } from './states.ts'

/** A package that says it is an adapter, before any of its code ran. */
export interface AdapterPackage {
  /** The name under which the project has the package: an alias, when the project has it twice. */
  packageName: string
  /** The name that its own package.json gives. */
  selfName: string
  /**
   * The operator names the package by its path, so Node resolves it from there, not from the
   * project.
   */
  isLocal: boolean
  /** The module to import in place of the one that `exports` names: the source of its author. */
  source?: string
  isolation: 'inline' | 'worker'
  directory: string
  /** Why it might not work, although the operator wants it loaded. */
  warning?: string
  version: string
  manifest: Manifest
  /** Present when its manifest names one that can be shown. */
  icon?: Icon
  hasChangelog?: boolean
}
export interface Discovered {
  packageName: string
  directory?: string
  isRequired: boolean
  found?: AdapterPackage
  problem?: AdapterProblem
}

interface Entry {
  name: string
  directory?: string
  isolation: 'inline' | 'worker'
  isRequired: boolean
  isListed: boolean
  ignoresEngines: boolean
}

/**
 * Finds the adapters of the operator's project: those listed in linker.config.json or, without a
 * list, its direct dependencies that carry a `linker` manifest. Reads JSON only; nothing is
 * imported and node_modules is never walked.
 */
export async function discoverAdapters (
  projectDirectory: string,
  file: Pick<ConfigFile, 'adapters' | 'strict'>
): Promise<Discovered[]> {
  const isRequired = file.strict === true
  const entries: Entry[] = file.adapters?.map(entry => listedEntry(projectDirectory, entry, isRequired)) ??
    (await directDependencies(projectDirectory)).map(name => ({
      name,
      isolation: 'inline',
      isRequired,
      isListed: false,
      ignoresEngines: false
    }))
  const inspected = await Promise.all(entries.map(entry => inspectPackage(projectDirectory, entry)))
  return markConflicts(inspected.filter(item => item !== undefined))
}

function listedEntry (projectDirectory: string, entry: AdapterEntry, isStrict: boolean): Entry {
  if (typeof entry === 'string') {
    return { name: entry, isolation: 'inline', isRequired: isStrict, isListed: true, ignoresEngines: false }
  }
  const { isolation = 'inline', required = isStrict, ignoreEngines = false } = entry
  const place = 'path' in entry
    ? { name: entry.path, directory: resolve(projectDirectory, entry.path) }
    : { name: entry.use }
  return { ...place, isolation, isRequired: required, isListed: true, ignoresEngines: ignoreEngines }
}

async function directDependencies (projectDirectory: string): Promise<string[]> {
  const path = join(projectDirectory, 'package.json')
  if (!existsSync(path)) return []
  const { dependencies = {} } = JSON.parse(withoutByteOrderMark(await readFile(path, 'utf8'))) as {
    dependencies?: Record<string, string>
  }
  return Object.keys(dependencies).toSorted()
}

interface PackageJson {
  name?: string
  version?: string
  linker?: unknown
  engines?: { linker?: string }
}

async function inspectPackage (projectDirectory: string, entry: Entry): Promise<Discovered | undefined> {
  const { name: packageName, isListed, isRequired } = entry
  const directory = entry.directory ?? findPackage(projectDirectory, packageName)
  if (directory === undefined || !existsSync(join(directory, 'package.json'))) {
    return isListed
      ? {
        packageName,
        isRequired,
        problem: {
          state: 'failed',
          code: 'LNK_ADAPTER_NOT_INSTALLED',
          message: `'${packageName}' is listed as an adapter but is not installed in ${projectDirectory}`
        }
      }
      : undefined
  }
  let content: PackageJson
  try {
    content = JSON.parse(withoutByteOrderMark(await readFile(join(directory, 'package.json'), 'utf8'))) as PackageJson
  } catch (error) {
    return {
      packageName,
      directory,
      isRequired,
      problem: {
        state: 'invalid',
        code: 'LNK_ADAPTER_MANIFEST_INVALID',
        message: `${directory}/package.json is not JSON: ${error instanceof Error ? error.message : ''}`
      }
    }
  }
  if (content.linker === undefined && !isListed) return undefined
  return { packageName, directory, isRequired, ...checkManifest(entry, directory, content) }
}

function checkManifest (
  { name: packageName, isolation, directory: givenDirectory, ignoresEngines }: Entry,
  directory: string,
  content: PackageJson
): Pick<Discovered, 'found' | 'problem'> {
  const { manifest, warnings } = withoutWrongPresentation(content.linker)
  const errors = manifestProblems(manifest)
  if (semver.valid(content.version ?? null) === null || /[^!-~]/.test(content.version ?? '')) {
    errors.push('/version must be a SemVer version')
  }
  if (errors.length > 0) {
    return {
      problem: {
        state: 'invalid',
        code: 'LNK_ADAPTER_MANIFEST_INVALID',
        message: `${directory}/package.json: ${errors.join('; ')}`
      }
    }
  }
  const misfit = rangeProblem(content.engines?.linker)
  const message = `'${packageName}' (${directory}): ${misfit}`
  const found = {
    packageName,
    selfName: content.name ?? packageName,
    isLocal: givenDirectory !== undefined,
    isolation,
    directory,
    version: content.version ?? '',
    manifest: Value.Decode(Manifest, manifest),
    warning: joinWarnings(
      misfit === undefined ? undefined : `${message}. It is loaded because ignoreEngines is set`,
      ...warnings.map(warning => `'${packageName}' (${directory}): ${warning}`)
    )
  }
  return misfit === undefined || ignoresEngines
    ? { found }
    : { found, problem: { state: 'incompatible', code: 'LNK_ADAPTER_INCOMPATIBLE', message } }
}

export function joinWarnings (...warnings: (string | undefined)[]): string | undefined {
  const all = warnings.filter(warning => warning !== undefined)
  return all.length === 0 ? undefined : all.join('. ')
}

/**
 * The folder of a package as Node finds it from the project, whatever the package's `exports`
 * allow.
 */
function findPackage (from: string, name: string): string | undefined {
  const candidate = join(from, 'node_modules', name)
  if (existsSync(join(candidate, 'package.json'))) return candidate
  return dirname(from) === from ? undefined : findPackage(dirname(from), name)
}

/**
 * Marks adapters with the same key and version in two places. The hub loads neither of them,
 * because nobody could say which one serves.
 */
function markConflicts (discovered: Discovered[]): Discovered[] {
  const groups = Map.groupBy(
    discovered,
    item => item.found === undefined ? item.packageName : `${item.found.manifest.adapterKey}@${item.found.version}`
  )
  return discovered.map(item => {
    if (item.found === undefined) return item
    const identity = `${item.found.manifest.adapterKey}@${item.found.version}`
    const same = groups.get(identity) ?? []
    if (same.length < 2) return item
    const message = `several packages provide ${identity}: ${same.map(other => other.directory).join(' and ')}`
    return {
      packageName: item.packageName,
      found: item.found,
      isRequired: item.isRequired,
      directory: item.directory,
      problem: { state: 'conflicting', code: 'LNK_ADAPTER_CONFLICT', message }
    }
  })
}
