import { Value } from '@sinclair/typebox/value'
import { existsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withoutByteOrderMark } from '../../host/byte-order-mark.ts'
import { identityProblems, manifestProblems } from '../../host/check.ts'
import { Manifest } from '../../manifest.ts'

/**
 * The members of a package.json that the suite reads. A member of another type counts as absent.
 */
export interface PackageJson {
  name: string
  version: string
  keywords: string[]
  files?: string[]
  exports?: unknown
  main?: string
  engines: Record<string, string>
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  bundled: string[]
  scripts: Record<string, string>
  /** The path that its manifest names. */
  icon?: string | undefined
}

export interface ReadPackage {
  /** The real path of the folder. */
  directory: string
  content?: PackageJson
  /** Absent when invalid. */
  manifest?: Manifest
  problems: string[]
  /**
   * The file: URL of the module, resolved as the hub does; undefined when it cannot be resolved.
   */
  entry?: string
  entryProblem?: string
}

const version = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/

/** Reads the package.json of a folder and resolves its module without running any code. */
export async function readPackage (packageRoot: string): Promise<ReadPackage> {
  let directory = packageRoot
  let json: Record<string, unknown>
  try {
    directory = await realpath(packageRoot)
    json = JSON.parse(withoutByteOrderMark(await readFile(join(directory, 'package.json'), 'utf8'))) as Record<
      string,
      unknown
    >
  } catch (error) {
    return { directory, problems: [`package.json cannot be read: ${error instanceof Error ? error.message : ''}`] }
  }
  const content = contentOf(json)
  const manifest = Value.Check(Manifest, json.linker) ? json.linker : undefined
  const problems = [
    ...(content.name === '' ? ['/name is missing'] : []),
    ...(version.test(content.version) ? [] : ['/version is not a SemVer version']),
    ...manifestProblems(json.linker),
    ...(manifest === undefined ? [] : identityProblems(manifest).map(problem => `/linker: ${problem}`))
  ]
  return {
    directory,
    content,
    problems,
    manifest,
    ...resolveEntry(directory, content.name)
  }
}

/**
 * Lists the files that `exports` or `main` leads to for a user of the package, without the types
 * and without the conditions that a repository uses for its own sources.
 */
export function modulesOf ({ exports, main = './index.js' }: Pick<PackageJson, 'exports' | 'main'>): string[] {
  return (exports === undefined ? [main] : targetsOf(exports, ['import', 'require', 'node', 'default'])).map(path =>
    path.replace(/^\.\//, '')
  )
}

/** Lists the files that the members of `exports` lead to under these conditions. */
export function targetsOf (exports: unknown, conditions: readonly string[]): string[] {
  if (typeof exports === 'string') return [exports]
  if (typeof exports !== 'object' || exports === null) return []
  return Object.entries(exports).flatMap(([name, value]) =>
    name.startsWith('.') || conditions.includes(name) ? targetsOf(value, conditions) : []
  )
}

/** Lists the missing files that must be built before the package can be imported. */
export function unbuiltModules ({ directory, content }: Pick<ReadPackage, 'directory' | 'content'>): string[] {
  return content === undefined
    ? []
    : modulesOf(content).filter(path => !path.includes('*') && !existsSync(join(directory, path)))
}

function resolveEntry (directory: string, name: string): Pick<ReadPackage, 'entry' | 'entryProblem'> {
  try {
    // Resolve it by its own name, as the hub does for an adapter listed by its path.
    return { entry: pathToFileURL(createRequire(join(directory, 'package.json')).resolve(name)).href }
  } catch (error) {
    return { entryProblem: error instanceof Error ? error.message.split('\n', 1)[0] ?? '' : '' }
  }
}

/**
 * Returns the folder of the copy of `@linker/sdk` that code in `directory` imports; undefined when
 * there is none.
 */
export async function sdkOf (directory: string): Promise<string | undefined> {
  try {
    return dirname(await realpath(createRequire(join(directory, 'package.json')).resolve('@linker/sdk/package.json')))
  } catch {
    return undefined
  }
}

function contentOf (json: Record<string, unknown>): PackageJson {
  const { name, version, files, exports, main, linker } = json
  const { icon } = (linker ?? {}) as { icon?: unknown }
  return {
    name: typeof name === 'string' ? name : '',
    version: typeof version === 'string' ? version : '',
    keywords: texts(json.keywords),
    files: Array.isArray(files) ? texts(files) : undefined,
    exports,
    main: typeof main === 'string' ? main : undefined,
    engines: textMembers(json.engines),
    dependencies: textMembers(json.dependencies),
    peerDependencies: textMembers(json.peerDependencies),
    bundled: [...texts(json.bundleDependencies), ...texts(json.bundledDependencies)],
    scripts: textMembers(json.scripts),
    icon: typeof icon === 'string' ? icon : undefined
  }
}

function texts (value: unknown): string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

function textMembers (value: unknown): Record<string, string> {
  return typeof value === 'object' && value !== null
    ? Object
      .fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : {}
}
