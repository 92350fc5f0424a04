import { Type, type Static } from '@sinclair/typebox'
import { createHash } from 'node:crypto'
import { glob, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withoutByteOrderMark } from './byte-order-mark.ts'
import { compileOwnSchema } from './json-schema.ts'
import { readInside, UnreadableFile } from './read-inside.ts'

/** The file of a package in which its author says which checks of the suite it passed. */
export const conformanceReportFile = 'linker.conformance-report.json'

/** The content of `linker.conformance-report.json`. */
export const PackageReport = Type.Object({
  /** The version of the SDK whose suite ran. */
  suite: Type.String({ minLength: 1, maxLength: 100 }),
  /** The highest level of which, and of those below, no check failed; 0 for none. */
  level: Type.Integer({ minimum: 0, maximum: 3 }),
  /** The ids of the checks by their end. */
  passed: Type.Array(Type.String()),
  failed: Type.Array(Type.String()),
  exempt: Type.Array(Type.String()),
  skipped: Type.Array(Type.String()),
  /** File → digest of the content that was tested. */
  files: Type.Record(Type.String(), Type.String({ pattern: '^sha256-' }))
}, { additionalProperties: false })
export type PackageReport = Static<typeof PackageReport>

/** The result of an adapter's test, as far as the hub knows it. */
export interface TestedLevel {
  /** Null: nobody knows. `reason` says why. */
  level: number | null
  suite: string | null
  /** The ids of checks that fail for a reason that the author gave. */
  exempt: string[]
  reason?: string
}

/** The members of package.json that decide what an adapter does. Packing changes others. */
const decisive = [
  'name',
  'version',
  'type',
  'imports',
  'linker',
  'engines',
  'dependencies',
  'optionalDependencies',
  'peerDependencies'
]
const noCode = /(\.d\.[cm]?ts|\.map|\.md|(^|\/)LICEN[CS]E)$/
const packageJson = 'package.json'
/** A hub reads the reports of packages that it does not know. */
export const mostReportBytes = 64 * 1024
const mostFileBytes = 16 * 1024 * 1024

/**
 * Returns the digests of the files of a package that decide how it behaves: those of `files` in its
 * package.json, without types and texts, and package.json itself. Throws without `files`.
 */
export async function digestPackage (directory: string): Promise<Record<string, string>> {
  const { files } = await readPackageJson(directory)
  if (!Array.isArray(files)) throw new TypeError('package.json has no files, so nobody knows what will be published')
  const entries = files.filter(entry => typeof entry === 'string')
  const patterns = entries.filter(entry => !entry.startsWith('!')).flatMap(below)
  const exclude = entries.filter(entry => entry.startsWith('!')).map(entry => withoutDot(entry.slice(1)))
  const found = new Set([packageJson])
  for await (const path of glob(patterns, { cwd: directory, exclude: [...exclude, '**/node_modules'] })) {
    const name = path.split(sep).join('/')
    if (name === conformanceReportFile || noCode.test(name)) continue
    if ((await stat(join(directory, path))).isFile()) found.add(name)
  }
  const digests: Record<string, string> = {}
  for (const name of [...found].sort()) digests[name] = await digestOf(directory, name)
  return digests
}

/**
 * Reads the report of a package and compares it with the package. Undefined when the package has
 * none. `entry` is the file: URL of the module that runs.
 */
export async function readTestedLevel (directory: string, entry: string): Promise<TestedLevel | undefined> {
  const unknown = (reason: string): TestedLevel => ({ level: null, suite: null, exempt: [], reason })
  if (await stat(join(directory, conformanceReportFile)).catch(() => undefined) === undefined) return undefined
  let text: string
  try {
    text = (await readInside(directory, conformanceReportFile, mostReportBytes)).toString()
  } catch (error) {
    return unknown(error instanceof UnreadableFile ? error.message : `${conformanceReportFile} cannot be read`)
  }
  const report = parseReport(text)
  if (report === undefined) return unknown(`${conformanceReportFile} is not one of the suite`)
  const module = relative(await realpath(directory), await realpath(fileURLToPath(entry))).split(sep).join('/')
  if (!Object.hasOwn(report.files, module)) return unknown(`${module} runs, which was not tested`)
  for (const [name, digest] of Object.entries(report.files)) {
    const now = await digestOf(directory, name).catch((error: unknown) =>
      error instanceof UnreadableFile ? error : undefined
    )
    if (now instanceof UnreadableFile) return unknown(now.message)
    if (now === undefined) return unknown(`${name} is missing, with which it was tested`)
    if (now !== digest) return unknown(`${name} has changed since the test`)
  }
  const { level, suite, exempt } = report
  return { level, suite, exempt }
}

function parseReport (text: string): PackageReport | undefined {
  try {
    const content: unknown = JSON.parse(withoutByteOrderMark(text))
    const { problems, unknown } = compileOwnSchema(PackageReport)(content)
    return problems.length + unknown.length === 0 ? content as PackageReport : undefined
  } catch {
    return undefined
  }
}

async function digestOf (directory: string, name: string): Promise<string> {
  const content = name === packageJson
    ? JSON.stringify(sorted(await readDecisive(directory)))
    : await readInside(directory, name, mostFileBytes)
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}

async function readDecisive (directory: string): Promise<Record<string, unknown>> {
  const content = await readPackageJson(directory)
  return Object.fromEntries(decisive.map(name => [name, content[name]]))
}

async function readPackageJson (directory: string): Promise<Record<string, unknown>> {
  return JSON.parse(withoutByteOrderMark(await readFile(join(directory, packageJson), 'utf8'))) as Record<
    string,
    unknown
  >
}

/** Tools write the members of package.json in another order. */
function sorted (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object
    .fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(
      ([name, member]) => [name, sorted(member)]
    ))
}

/** An entry of `files` is a file, a folder or a pattern. */
function below (entry: string): string[] {
  const plain = withoutDot(entry).replace(/\/$/, '')
  return [plain, `${plain}/**/*`]
}

function withoutDot (path: string): string {
  return path.replace(/^\.?\//, '')
}
