import {
  compileSchema,
  readTestedLevel,
  type AdapterDescription,
  type CallTarget,
  type HostServices,
  type SchemaValidator,
  type TestedLevel
} from '@linker/sdk/host'
import pMap from 'p-map'
import type { AdapterCarrier, CarrierHost } from './carriers.ts'
import { checkModule } from './check-module.ts'
import { openChecked, type Checked } from './checked.ts'
import { joinWarnings, type AdapterPackage, type Discovered } from './discover.ts'
import { rememberFolder, type FolderChange } from './folder-state.ts'
import { findEntry, importInline, importInThread } from './import-module.ts'
import type { ProofThread } from './isolation/proof-thread.ts'
import type { ImportReport, ThreadData } from './isolation/protocol.ts'
import type { SpareThreads } from './isolation/spare-threads.ts'
import { describeEnd, startThread, type CarrierThread } from './isolation/thread.ts'
import { tryTogether, type Reports } from './isolation/trial.ts'
import { present } from './presentation.ts'
import { LoadError, type AdapterProblem, type AdapterState, type Fail } from './states.ts'

/** An adapter that serves: its identity, its capabilities and the way to its code. */
export interface LoadedAdapter extends AdapterPackage {
  description: AdapterDescription
  validateConfig: SchemaValidator
  validateCredentials: SchemaValidator
  supportedCapabilities: string[]
  carrier: AdapterCarrier
  /** Present when a function of the adapter verifies its webhooks. */
  proofs?: ProofThread
  /** Says whether the folder of an adapter that is named by its path holds newer code. */
  findChange?(): Promise<FolderChange | undefined>
}

/** An adapter as the start table and `GET /adapters` show it, serving or not. */
export interface AdapterRecord {
  packageName: string
  directory?: string
  found?: AdapterPackage
  problem?: AdapterProblem
  adapter?: LoadedAdapter
  /** Absent: its package has no report of the conformance suite. */
  tested?: TestedLevel
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
  /** Where the threads of adapters come from. Default: each load starts one. */
  threads?: Pick<SpareThreads, 'start'>
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
  const checked = openChecked()
  // A few at a time: threads that wait for each other's files look as if they hung.
  return pMap(
    discovered,
    async ({ packageName, directory, found: discoveredPackage, problem, isRequired }): Promise<AdapterRecord> => {
      const found = discoveredPackage === undefined ? undefined : await present(discoveredPackage)
      const tested = found === undefined ? undefined : await findTestedLevel(found, options)
      const record = { packageName, isRequired, directory, found, ...(tested === undefined ? {} : { tested }) }
      if (found === undefined || problem !== undefined) {
        return {
          ...record,
          problem: problem ??
            { state: 'failed', code: 'LNK_ADAPTER_NOT_INSTALLED', message: `'${packageName}' was not found` }
        }
      }
      try {
        return { ...record, adapter: await loadAdapter(found, options, tried, checked) }
      } catch (error) {
        if (error instanceof LoadError) return { ...record, problem: error.problem }
        throw error
      }
    },
    { concurrency: mostAtOnce }
  )
}

/** A report that cannot be compared is no reason not to load an adapter. */
async function findTestedLevel (
  found: AdapterPackage,
  { projectDirectory }: LoadOptions
): Promise<TestedLevel | undefined> {
  const entry = findEntry(found, projectDirectory)
  try {
    return entry instanceof Error ? undefined : await readTestedLevel(found.directory, entry)
  } catch (error) {
    const reason = `its files cannot be read: ${error instanceof Error ? error.message : String(error)}`
    return { level: null, suite: null, exempt: [], reason }
  }
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

async function loadAdapter (
  found: AdapterPackage,
  options: LoadOptions,
  tried: Reports,
  checked: Checked | undefined
): Promise<LoadedAdapter> {
  const { importMs, initMs } = options.limits ?? defaultLimits
  const { manifest } = found
  const name = nameOf(found)
  const isWorker = runsInThread(found, options)
  const fail: Fail = (state, code, message) =>
    new LoadError({ state, code, message: `'${found.packageName}' (${found.directory}): ${message}` })
  const entry = findEntry(found, options.projectDirectory)
  if (entry instanceof Error) {
    throw fail('failed', 'LNK_ADAPTER_IMPORT_FAILED', `its module was not found: ${entry.message}`)
  }
  // Before the import: a file that changes during it counts as newer.
  const findChange = found.isLocal ? await rememberFolder(found, entry).catch(() => undefined) : undefined
  const data: ThreadData = {
    adapter: name,
    entry,
    manifest,
    platformSettings: structuredClone(options.platforms.get(manifest.platformType) ?? {}),
    outboundAllow: options.outboundAllow
  }
  const services = options.servicesOf(found)
  const serve = async (report: ImportReport, thread?: CarrierThread): Promise<LoadedAdapter> => {
    checkModule(found, report, fail, checked)
    const { description } = report
    let left: Error | undefined
    const carrier = isWorker && thread !== undefined
      ? options.host.worker(data, thread, services)
      : await importInline(data, services, options.host, importMs, fail, error => {
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
      warning: warningOf(found, description),
      description,
      validateConfig: validatorOf(description.config, { kind: 'checkConfig' }),
      validateCredentials: validatorOf(description.credentials, { kind: 'normalizeCredentials' }),
      supportedCapabilities: Object.keys(description.capabilities),
      carrier,
      proofs: description.webhooks?.verify?.kind === 'function' ? options.host.proofs(data, services) : undefined,
      findChange
    }
  }

  /**
   * Compiles the schema for the first value; `checkModule` has shown that it compiles. `target` is
   * the call of the adapter that the check precedes.
   */
  function validatorOf (schema: object, target: CallTarget): SchemaValidator {
    let validate: SchemaValidator | undefined
    return (value, pointerPrefix) =>
      options.host.runCheck(name, target, value, () => {
        validate ??= compileSchema(schema)
        return validate(value, pointerPrefix)
      })
  }

  const known = isWorker ? undefined : inlineModules.get(entry) ?? tried.get(entry)
  if (known !== undefined) {
    const adapter = await serve(known)
    inlineModules.set(entry, known)
    return adapter
  }
  const thread = (options.threads?.start ?? startThread)(data, services)
  let isServing = false
  try {
    const report = await importInThread(thread, entry, importMs, fail)
    const adapter = await serve(report, thread)
    isServing = isWorker
    if (!isWorker) inlineModules.set(entry, report)
    return adapter
  } finally {
    if (!isServing) await thread.end('closed')
  }
}

/** Warnings for the operator about an adapter that serves: its range, and its old names. */
function warningOf (found: AdapterPackage, { deprecations = [] }: AdapterDescription): string | undefined {
  return joinWarnings(found.warning, ...deprecations.map(deprecation => `${nameOf(found)}: ${deprecation}`))
}

function runsInThread (found: AdapterPackage, { isolate }: LoadOptions): boolean {
  return found.isolation === 'worker' || isolate.has(nameOf(found))
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
