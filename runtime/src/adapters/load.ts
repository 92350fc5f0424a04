import { adapterKeyPattern, contractVersion } from '@linker/sdk'
import {
  checkAdapter,
  compileSchema,
  createCallSecrets,
  explainMovedExport,
  importAdapter,
  ShapeError,
  type AdapterDescription,
  type AdapterFault,
  type CallTarget,
  type HostServices,
  type SchemaValidator,
  withThreadTimeLimit
} from '@linker/sdk/host'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import semver from 'semver'
import pTimeout from 'p-timeout'
import type { AdapterCarrier, CarrierHost } from './carriers.ts'
import type { AdapterPackage, Discovered } from './discover.ts'
import type { ImportReport, ThreadData } from './isolation/protocol.ts'
import { describeEnd, startThread, type CarrierThread } from './isolation/thread.ts'
import { tryTogether, type Reports } from './isolation/trial.ts'
import { unwrap } from './isolation/worker-carrier.ts'
import { LoadError, type AdapterProblem, type AdapterProblemCode, type AdapterState } from './states.ts'

/** An adapter that serves: its identity, its capabilities and the way to its code. */
export interface LoadedAdapter extends AdapterPackage {
  description: AdapterDescription
  validateConfig: SchemaValidator
  validateCredentials: SchemaValidator
  supportedCapabilities: string[]
  carrier: AdapterCarrier
}

/** An adapter as the start table and `GET /adapters` show it, serving or not. */
export interface AdapterRecord {
  packageName: string
  directory?: string
  found?: AdapterPackage
  problem?: AdapterProblem
  adapter?: LoadedAdapter
  isRequired: boolean
}

export interface LoadOptions {
  projectDirectory: string
  host: CarrierHost
  platforms: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  outboundAllow: readonly string[]
  /** Adapters (`key@version`) that run in a thread of their own whatever the project says. */
  isolate: Pick<ReadonlySet<string>, 'has'>
  servicesOf(adapter: AdapterPackage): HostServices
  limits?: { importMs: number, initMs: number }
}

const defaultLimits = { importMs: 5_000, initMs: 10_000 }
const mostAtOnce = 4

/**
 * The modules that run in this process, by entry. Node answers another import with the same module
 * even when the file has changed; a thread would load the new file.
 */
const inlineModules = new Map<string, ImportReport>()

/**
 * Takes each discovered adapter through import, validation and init. The hub first imports every
 * module that this process does not run yet in a thread, where the module cannot harm the hub. The
 * record of an adapter that fails has the reason; the failure does not touch the other adapters.
 */
export async function loadAdapters (discovered: readonly Discovered[], options: LoadOptions): Promise<AdapterRecord[]> {
  const tried = await tryInline(discovered, options)
  // A few at a time: threads that wait for each other's files look as if they hung.
  return mapFew(
    discovered,
    mostAtOnce,
    async ({ packageName, directory, found, problem, isRequired }): Promise<AdapterRecord> => {
      const record = { packageName, isRequired, directory, found }
      if (found === undefined || problem !== undefined) {
        return {
          ...record,
          problem: problem ??
            { state: 'failed', code: 'LNK_ADAPTER_NOT_INSTALLED', message: `'${packageName}' was not found` }
        }
      }
      try {
        return { ...record, adapter: await loadAdapter(found, options, tried) }
      } catch (error) {
        if (error instanceof LoadError) return { ...record, problem: error.problem }
        throw error
      }
    }
  )
}

/**
 * Most adapters are good, and one thread shows that for all adapters that are to run in this
 * process. The hub tries an adapter that is missing in the answer alone.
 */
async function tryInline (discovered: readonly Discovered[], options: LoadOptions): Promise<Reports> {
  const entries = discovered.flatMap(({ found, problem }) => {
    if (found === undefined || problem !== undefined || runsInThread(found, options)) return []
    const entry = findEntry(found, options.projectDirectory)
    return entry instanceof Error || inlineModules.has(entry) ? [] : [entry]
  })
  const { importMs } = options.limits ?? defaultLimits
  return entries.length > 1 ? tryTogether(entries, importMs) : new Map()
}

/** Answers in the order of the items. Works on at most `most` items at a time. */
async function mapFew<Item, Answer> (
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Answer>
): Promise<Answer[]> {
  const answers: Answer[] = []
  const waiting = items.entries()
  await Promise.all(Array.from({ length: most }, async () => {
    for (const [index, item] of waiting) answers[index] = await work(item)
  }))
  return answers
}

/** The state of a record now: an adapter that was loaded may have crashed since. */
export function stateOf ({ adapter, problem }: AdapterRecord): { state: AdapterState, problem?: AdapterProblem } {
  const health = adapter?.carrier.health() ?? problem ??
    { state: 'failed', code: 'LNK_ADAPTER_NOT_INSTALLED', message: 'it was not found' } as const
  return 'code' in health ? { state: health.state, problem: health } : { state: health.state }
}

/** `adapterKey@version`: the name of an adapter in jobs, logs and figures. */
export function nameOf ({ manifest, version }: Pick<AdapterPackage, 'manifest' | 'version'>): string {
  return `${manifest.adapterKey}@${version}`
}

async function loadAdapter (found: AdapterPackage, options: LoadOptions, tried: Reports): Promise<LoadedAdapter> {
  const { importMs, initMs } = options.limits ?? defaultLimits
  const { manifest } = found
  const name = nameOf(found)
  const isWorker = runsInThread(found, options)
  const fail = (state: AdapterProblem['state'], code: AdapterProblemCode, message: string) =>
    new LoadError({ state, code, message: `'${found.packageName}' (${found.directory}): ${message}` })
  const entry = findEntry(found, options.projectDirectory)
  if (entry instanceof Error) {
    throw fail('failed', 'LNK_ADAPTER_IMPORT_FAILED', `its module was not found: ${entry.message}`)
  }
  const data: ThreadData = {
    adapter: name,
    entry,
    manifest,
    platformSettings: structuredClone(options.platforms.get(manifest.platformType) ?? {}),
    outboundAllow: options.outboundAllow
  }
  const services = options.servicesOf(found)
  const serve = async (report: ImportReport, thread?: CarrierThread): Promise<LoadedAdapter> => {
    check(found, report, fail)
    const { description } = report
    let left: Error | undefined
    const carrier = isWorker && thread !== undefined
      ? options.host.worker(data, thread, services)
      : await importInline(data, services, options, importMs, fail, error => {
        left ??= error
      })
    await init(carrier, description, initMs, fail)
    const end = thread?.endedWith()
    if (end !== undefined || left !== undefined) {
      await carrier.close()
      throw fail(
        'failed',
        'LNK_ADAPTER_EXITED',
        `its start failed: ${end === undefined ? left?.message : describeEnd(end)}`
      )
    }
    return {
      ...found,
      description,
      validateConfig: validatorOf(description.config, { kind: 'checkConfig' }),
      validateCredentials: validatorOf(description.credentials, { kind: 'normalizeCredentials' }),
      supportedCapabilities: Object.keys(description.capabilities),
      carrier
    }
  }

  /** `target`: the call of the adapter that the check precedes. */
  function validatorOf (schema: object, target: CallTarget): SchemaValidator {
    const validate = compileSchema(schema)
    return (value, pointerPrefix) => options.host.runCheck(name, target, value, () => validate(value, pointerPrefix))
  }

  const known = isWorker ? undefined : inlineModules.get(entry) ?? tried.get(entry)
  if (known !== undefined) {
    const adapter = await serve(known)
    inlineModules.set(entry, known)
    return adapter
  }
  const thread = startThread(data, services)
  let isServing = false
  try {
    const report = await importInThread(thread, importMs, fail)
    const adapter = await serve(report, thread)
    isServing = isWorker
    if (!isWorker) inlineModules.set(entry, report)
    return adapter
  } finally {
    if (!isServing) await thread.end('closed')
  }
}

type Fail = (state: AdapterProblem['state'], code: AdapterProblemCode, message: string) => LoadError

function runsInThread (found: AdapterPackage, { isolate }: LoadOptions): boolean {
  return found.isolation === 'worker' || isolate.has(nameOf(found))
}

/**
 * Resolves the module from the operator's project, so that the project's package manager decides
 * which copy is meant, aliases included.
 */
function findEntry (found: AdapterPackage, projectDirectory: string): string | Error {
  try {
    const { resolve } = createRequire(join(found.isLocal ? found.directory : projectDirectory, 'package.json'))
    return pathToFileURL(resolve(found.isLocal ? found.selfName : found.packageName)).href
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function importInThread (thread: CarrierThread, importMs: number, fail: Fail): Promise<ImportReport> {
  try {
    return unwrap(await withThreadTimeLimit(
      thread,
      importMs,
      thread.functions.load(),
      () => fail('failed', 'LNK_ADAPTER_IMPORT_TIMEOUT', `its import did not finish in ${importMs} ms`)
    ))
  } catch (error) {
    const end = thread.endedWith()
    if (end !== undefined) throw fail('failed', 'LNK_ADAPTER_EXITED', `its import failed: ${describeEnd(end)}`)
    throw describeImportFailure(error, fail)
  }
}

/** Imports an adapter in this process, after its import passed in a thread. */
async function importInline (
  data: ThreadData,
  services: HostServices,
  { host }: LoadOptions,
  importMs: number,
  fail: Fail,
  onLeft: (error: Error) => void
): Promise<AdapterCarrier> {
  try {
    const call = { target: { kind: 'init' as const }, args: [], signal: new AbortController().signal }
    // Import as a call of this adapter, so that blame finds the adapter for everything that the
    // import starts.
    const imported = host.currentCall.run({
      adapter: data.adapter,
      call,
      effects: { cursors: {}, jobs: [] },
      secrets: createCallSecrets(),
      breakOff: onLeft
    }, () => importAdapter(data.entry))
    const { definition } = await pTimeout(imported, {
      milliseconds: importMs,
      fallback () {
        throw fail('failed', 'LNK_ADAPTER_IMPORT_TIMEOUT', `its import did not finish in ${importMs} ms`)
      }
    })
    return host.inline(data, definition, services)
  } catch (error) {
    throw describeImportFailure(error, fail)
  }
}

function describeImportFailure (error: unknown, fail: Fail): unknown {
  if (error instanceof LoadError) return error
  const message = error instanceof Error ? error.message : String(error)
  const isShape = error instanceof Error && 'code' in error && error.code === ShapeError.code
  if (isShape) return fail('invalid', 'LNK_ADAPTER_SHAPE_INVALID', message)
  const moved = explainMovedExport(message)
  return moved === undefined
    ? fail('failed', 'LNK_ADAPTER_IMPORT_FAILED', `its import failed: ${message}`)
    : fail('incompatible', 'LNK_ADAPTER_INCOMPATIBLE', `${moved}; it was made for an earlier version of the SDK`)
}

function check (found: AdapterPackage, { description, patched }: ImportReport, fail: Fail): void {
  if (patched.length > 0) {
    throw fail(
      'invalid',
      'LNK_ADAPTER_GLOBALS_PATCHED',
      `its import replaces ${patched.slice(0, 5).join(', ')}, which all code of the process shares`
    )
  }
  if (found.warning === undefined && !semver.satisfies(description.contractVersion, `^${contractVersion}`)) {
    throw fail(
      'incompatible',
      'LNK_ADAPTER_INCOMPATIBLE',
      `it uses its own copy of @linker/sdk with contract ${description.contractVersion}; this hub has contract ` +
        `${contractVersion}. Declare @linker/sdk as a peer dependency`
    )
  }
  const [fault, ...more] = [...checkAdapter(found.manifest, description), ...checkMigrations(description)]
  if (fault !== undefined) {
    throw fail(
      fault.code === 'LNK_ADAPTER_ROUTE_CONFLICT' ? 'conflicting' : 'invalid',
      fault.code,
      [fault, ...more].map(({ message }) => message).join('; ')
    )
  }
}

/** Finds misspelt migrations: the hub would never apply them, and nobody would know. */
function checkMigrations ({ migrations }: AdapterDescription): AdapterFault[] {
  return migrations.flatMap(({ from, to }) => {
    const [key = '', range] = from.split('@')
    const isRight = new RegExp(adapterKeyPattern).test(key) &&
      (range === undefined || semver.validRange(range) !== null) && semver.valid(to) !== null
    return isRight
      ? []
      : [{
        code: 'LNK_ADAPTER_SHAPE_INVALID',
        message: `migration from '${from}' to '${to}': 'from' must be an adapter key or key@range, 'to' a version`
      }]
  })
}

async function init (
  carrier: AdapterCarrier,
  description: AdapterDescription,
  initMs: number,
  fail: Fail
): Promise<void> {
  if (!description.hasInit) return
  try {
    await carrier.call({ target: { kind: 'init' }, args: [], signal: AbortSignal.timeout(initMs) })
  } catch (error) {
    await carrier.close()
    const message = error instanceof Error ? error.message : String(error)
    const hasDied = error instanceof Error && 'code' in error && error.code === 'LNK_ADAPTER_CRASHED'
    throw hasDied
      ? fail('failed', 'LNK_ADAPTER_EXITED', `it crashed during its start: ${message}`)
      : fail('failed', 'LNK_ADAPTER_INIT_FAILED', `its init failed or did not finish in ${initMs} ms: ${message}`)
  }
}
