import type { Log } from '@linker/sdk'
import {
  describeTarget,
  type AdapterCall,
  type CallTarget,
  type ConnectionSnapshot,
  type HostServices,
  type PlatformServices
} from '@linker/sdk/host'
import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { readConfigFile, type Config } from '../config.ts'
import { cleanRegularly } from '../database/clean-regularly.ts'
import { AdaptersRequiredError, CapabilityNotSupportedException } from '../errors.ts'
import type { EnqueueJobs } from '../jobs/enqueue.ts'
import { withRefused } from '../jobs/refused-credentials.ts'
import type { CallOptions } from './call-options.ts'
import { createCapabilityCalls, type OpenCalled, type RequireUnmoved } from './capability-calls.ts'
import { createCarrierHost, type AdapterCarrier, type CarrierHost } from './carriers.ts'
import { discoverAdapters, type AdapterPackage, type Discovered } from './discover.ts'
import { startBlame, type AdapterOutput } from './isolation/blame.ts'
import { watchGrowth } from './isolation/inline-growth.ts'
import { createSpareThreads } from './isolation/spare-threads.ts'
import { keepDefaults, type KeepingOptions } from './kept-defaults.ts'
import type { KeptEffects } from './kept-effects.ts'
import { loadAdapters, nameOf, type AdapterRecord, type LoadedAdapter, type LoadOptions } from './load.ts'
import { checkLock, driftCode, type Drift } from './lock-drift.ts'
import { createChangingRegistry, createRegistry, type Registry } from './registry.ts'
import {
  createHostServices,
  createStateServices,
  jobRequestsOf,
  type CredentialServices,
  type Telemetry
} from './services.ts'
import { removeExpiredState, storeCursors } from './store.ts'
import { findConflict, swapRecord } from './swap.ts'
import { createTraces } from './traces.ts'
import { createTrials, type Trial } from './trials.ts'
import { errorOfWait } from './upstream-wait.ts'
import type { Pinned } from './view.ts'

export type { CallOptions } from './call-options.ts'

declare module 'fastify' {
  interface FastifyInstance {
    adapters: Adapters
  }
}

export interface Adapters {
  readonly registry: Registry
  readonly host: CarrierHost
  /** The differences between the adapters and linker.lock when the hub loaded them. */
  readonly drift: readonly Drift[]
  /**
   * Lists the adapters that this process would load if it started now, from the packages and the
   * configuration file on its disk. Undefined when it could not start with this file.
   */
  listInstalled(): Promise<Discovered[] | undefined>
  /**
   * Loads a package into a thread while the hub runs. From then on its code serves, in place of an
   * earlier load of the same folder and version, also for callers that found the earlier one; calls
   * under way end in the earlier one. When the package does not load, the record says why, and the
   * earlier one goes on. Call it again after it has returned, not before.
   */
  swap(discovered: Discovered): Promise<AdapterRecord>
  /** Runs one call on the adapter version that serves the connection. */
  call(
    adapter: LoadedAdapter,
    connection: ConnectionSnapshot | undefined,
    target: CallTarget,
    args: readonly unknown[],
    options: CallOptions
  ): Promise<unknown>
  forget(connectionId: string): void
  /**
   * Begins a test of settings that are not stored. All that an adapter keeps for the trial is gone
   * when the trial ends.
   */
  beginTrial(credentials: unknown): Trial
}

// Outside production, people first try a shop or a simulator on the same machine.
const loopback = ['127.0.0.0/8', '::1/128']

const cleaningIntervalMs = 3_600_000

type LoadConfig = Pick<Config, 'projectDirectory' | 'file' | 'isProduction' | 'isFrozen'> & Pick<LoadOptions, 'isolate'>

export function outboundAllowOf ({ file, isProduction }: LoadConfig): string[] {
  return [...(file.outbound?.allow ?? []), ...(isProduction ? [] : loopback)]
}

/**
 * Loads the adapters of the operator's project. The records hold a bad adapter with its reason.
 * Throws only for a required adapter that is bad and, before any code of adapters runs, for
 * differences from a frozen linker.lock.
 */
export async function readAdapters (
  config: LoadConfig,
  host: CarrierHost,
  servicesOf: LoadOptions['servicesOf']
): Promise<{ records: AdapterRecord[], drift: Drift[] }> {
  const discovered = await discoverAdapters(config.projectDirectory, config.file)
  const drift = await checkLock(config, discovered)
  const records = await loadAdapters(discovered, loadOptionsOf(config, host, servicesOf))
  const absent = records.filter(record => record.isRequired && record.adapter === undefined)
  if (absent.length > 0) {
    throw new AdaptersRequiredError(absent.map(({ packageName, problem }) =>
      `${packageName} (${problem?.code}: ${problem?.message})`
    ).join('; '))
  }
  return { records, drift }
}

function loadOptionsOf (config: LoadConfig, host: CarrierHost, servicesOf: LoadOptions['servicesOf']): LoadOptions {
  return {
    projectDirectory: config.projectDirectory,
    host,
    platforms: new Map(Object.entries(config.file.platforms ?? {})),
    outboundAllow: outboundAllowOf(config),
    isolate: config.isolate,
    servicesOf
  }
}

async function discoverInstalled ({ filePath, projectDirectory }: Config): Promise<Discovered[] | undefined> {
  try {
    return await discoverAdapters(projectDirectory, readConfigFile(filePath, false))
  } catch {
    return undefined
  }
}

export interface AdaptersOptions {
  config: Config
  now: () => Date
  /**
   * Called before the hub loads the first adapter, with the function that says whether an adapter
   * is to blame for an error of the process.
   */
  onBlameable?(takeBlame: (error: unknown) => boolean, output: AdapterOutput): void
  /**
   * Called when this process cannot recover from an inline adapter: the watchdog broke it off in
   * the middle of a turn of the event loop, or a global stays replaced.
   */
  onBroken(adapter: string, reason: string): void
  // Services of folders above this one. They are registered later, because they need the registry.
  credentials: CredentialServices
  platformServicesOf(found: AdapterPackage): PlatformServices
  openCalled: OpenCalled
  requireUnmoved: RequireUnmoved
  enqueueJobs: EnqueueJobs
  /** The versions that connections pin. */
  readPins(): Promise<Pinned[]>
  /** The key of the oldest connection of each platform. */
  readOldestKeys: KeepingOptions['readOldestKeys']
  /** Called when another adapter serves than before: folders above remember parts of adapters. */
  onSwapped(adapter: LoadedAdapter): Promise<void>
}

export default fp<AdaptersOptions>(async (app, options) => {
  const { config, now, onBlameable, onBroken, credentials, platformServicesOf, openCalled, enqueueJobs } = options
  const threads = createSpareThreads()
  const log = app.log.child({ component: 'adapter' })
  const carriers = new Map<string, AdapterCarrier>()
  const growth = watchGrowth({
    log,
    isolate (adapter) {
      blame.isolate(adapter)
    }
  })
  const host = createCarrierHost({ outboundAllow: outboundAllowOf(config), now, growth })
  const trials = createTrials(
    createStateServices({
      database: app.database,
      ...credentials
    }),
    now
  )
  const traces = createTraces(now)
  const capabilityCalls = createCapabilityCalls({ openCalled, call: async (...args) => app.adapters.call(...args) })
  const telemetryOf = (adapter: string): Telemetry => ({
    log: log.child({ adapter }) as Log,
    count: (name, by) => {
      app.metrics.adapterCount(adapter, name, by)
    },
    observe: (name, value) => {
      app.metrics.adapterObserve(adapter, name, value)
    },
    admitRequest: async (connectionId, traceId, options) =>
      trials.has(connectionId) ? undefined : app.upstream.admit(connectionId, traceId, options),
    upstream (event, connectionId, traceId) {
      traces.note(traceId, event)
      // The platform saw nothing of it.
      if (event.unsent !== undefined) return
      app.upstream.note(event, traceId)
      app.metrics.upstream(adapter, event)
      if (connectionId !== undefined && !trials.has(connectionId)) app.figures.upstream(connectionId, adapter, event)
      log.info({ ...event, adapter, connectionId }, 'upstream call')
    }
  })
  const owners: { folder: string, adapter: string }[] = []
  const blame = await startBlame({
    currentCall: host.currentCall,
    inlineCalls: host.inlineCalls,
    carrierOf: adapter => carriers.get(adapter),
    adapterOf: url => owners.find(({ folder }) => url.startsWith(folder))?.adapter,
    log,
    onBlocked (adapter, seconds) {
      app.metrics.blocked(adapter ?? 'none', seconds)
    },
    onBroken
  })
  cleanRegularly(app, {
    clean: signal => removeExpiredState(app.database.query, signal),
    everyMs: cleaningIntervalMs,
    work: 'removing expired state of adapters',
    log
  })
  app.addHook('onClose', async () => {
    growth.close()
    await blame.close()
    await threads.close()
    await host.close()
  })
  onBlameable?.(error => blame.take(error), blame.output)
  const servicesOf = (found: AdapterPackage): HostServices =>
    createHostServices({
      ...trials.services,
      ...platformServicesOf(found),
      callCapability: request => capabilityCalls.answer(nameOf(found), request)
    }, telemetryOf(nameOf(found)))
  const { records, drift } = await readAdapters(config, host, servicesOf)
  for (const { adapter } of records) {
    if (adapter === undefined) continue
    await own(adapter)
    if (adapter.warning !== undefined) log.warn({ adapter: nameOf(adapter) }, adapter.warning)
  }
  for (const { adapter, message } of drift) log.warn({ code: driftCode, adapter }, message)
  const { registry, changeTo } = createChangingRegistry(await registryOf(records))
  const successors = new WeakMap<LoadedAdapter, LoadedAdapter>()

  async function registryOf (given: readonly AdapterRecord[]): Promise<Registry> {
    const configured = new Map(Object.entries(config.file.defaults ?? {}))
    const { readOldestKeys } = options
    return createRegistry(
      given,
      configured,
      await keepDefaults({ query: app.database.query, configured, readOldestKeys }, given)
    )
  }

  async function own (adapter: LoadedAdapter): Promise<void> {
    const folder = `${pathToFileURL(await realpath(adapter.directory)).href}/`
    const name = nameOf(adapter)
    carriers.set(name, adapter.carrier)
    if (!owners.some(owner => owner.folder === folder && owner.adapter === name)) owners.push({ folder, adapter: name })
  }

  /** The load that serves now in place of this one. */
  function newestOf (adapter: LoadedAdapter): LoadedAdapter {
    const successor = successors.get(adapter)
    return successor === undefined ? adapter : newestOf(successor)
  }

  async function swap (discovered: Discovered): Promise<AdapterRecord> {
    try {
      return await loadAndSwap(discovered)
    } finally {
      threads.prepare()
    }
  }

  async function loadAndSwap (discovered: Discovered): Promise<AdapterRecord> {
    const record = await loadOne(discovered)
    const { adapter, directory } = record
    const serves = registry.records.some(other => other.directory === directory && other.adapter !== undefined)
    if (adapter === undefined && serves) return record
    const { changed, left } = await planSwap(record).catch((error: unknown) => {
      if (adapter !== undefined) close(adapter)
      throw error
    })
    if (adapter !== undefined) await own(adapter)
    changeTo(changed)
    if (adapter === undefined) return record
    for (const former of left) successors.set(former, adapter)
    try {
      // In the same turn: a request in between would find the new load and the routes of the old.
      for (const former of left) if (nameOf(former) !== nameOf(adapter)) carriers.delete(nameOf(former))
      await options.onSwapped(adapter)
    } finally {
      left.forEach(close)
    }
    return record
  }

  async function planSwap (record: AdapterRecord): Promise<{ changed: Registry, left: LoadedAdapter[] }> {
    const { records: next, left } = swapRecord(registry.records, record, await options.readPins())
    return { changed: await registryOf(next), left }
  }

  function close ({ carrier, proofs }: LoadedAdapter): void {
    carrier.close('after calls').catch(() => undefined)
    proofs?.close().catch(() => undefined)
  }

  async function loadOne (discovered: Discovered): Promise<AdapterRecord> {
    const { packageName, directory, found, isRequired } = discovered
    const other = findConflict(registry.records, discovered)
    if (other !== undefined && found !== undefined) {
      const message = `several packages provide ${nameOf(found)}: ${other} and ${directory}`
      const problem = { state: 'conflicting', code: 'LNK_ADAPTER_CONFLICT', message } as const
      return { packageName, directory, found, isRequired, problem }
    }
    // In the hub's own thread, Node would answer with the module that it has imported before.
    const isolate = { has: () => true }
    const [record] = await loadAdapters([discovered], { ...loadOptionsOf(config, host, servicesOf), isolate, threads })
    return record ?? { packageName, directory, isRequired }
  }

  async function storeEffects (kept: readonly KeptEffects[], requestId: string | undefined): Promise<void> {
    const wanted = kept.filter(({ effects }) => effects.jobs.length > 0 || Object.keys(effects.cursors).length > 0)
    if (wanted.length === 0) return
    await app.database.transaction(async transaction => {
      await options.requireUnmoved(transaction.query, wanted)
      for (const { connectionId, effects } of wanted) {
        await storeCursors(transaction.query, connectionId, effects.cursors)
        await enqueueJobs(jobRequestsOf(connectionId, effects.jobs, requestId), transaction)
      }
    })
    app.database.notify('jobs')
  }

  function forget (connectionId: string): void {
    for (const { adapter } of registry.records) adapter?.carrier.forget(connectionId)
  }

  app.decorate('adapters', {
    registry,
    host,
    drift,
    listInstalled: () => discoverInstalled(config),
    swap,
    async call (found, connection, target, args, { keep, onRequest, onRecorded, onCredentials, run, ...options }) {
      // The place of a route counts only in the load whose routes were searched.
      const adapter = target.kind === 'route' ? found : newestOf(found)
      if (target.kind === 'capability' && !adapter.supportedCapabilities.includes(target.capability)) {
        throw new CapabilityNotSupportedException(adapter.manifest.adapterKey, target.capability)
      }
      // It cannot be guessed: an adapter cannot report requests for the call of another one.
      const traceId = randomUUID()
      if (onRequest !== undefined) traces.begin(traceId, onRequest)
      if (connection !== undefined && !trials.has(connection.id)) {
        const { id: connectionId } = connection
        const { signal, deadline } = options
        const declared = adapter.description.budget
        const isTest = target.kind === 'test'
        app.upstream.begin(traceId, {
          connectionId,
          adapter: nameOf(adapter),
          declared,
          signal,
          deadline,
          run,
          jobId: options.jobId,
          isNested: (options.depth ?? 0) > 0,
          isTest
        })
      }
      const called = capabilityCalls.begin(traceId, { adapter, connection, ...options, onRequest, run })
      const isRecorded = onRecorded !== undefined
      const call: AdapterCall = { target, args, ...options, connection, traceId, isRecorded }
      const startedAt = performance.now()
      const measure = (outcome: string): void => {
        app.metrics.call(nameOf(adapter), describeTarget(target), outcome, (performance.now() - startedAt) / 1_000)
      }
      try {
        const { value, effects, recorded, credentialsVersion } = await adapter.carrier.call(call)
          .catch((error: unknown) => {
            const wait = app.upstream.end(traceId, error)
            // Nobody knows how far an aborted call came.
            const known = options.signal.aborted ? error : errorOfWait(error, wait)
            throw connection === undefined ? known : withRefused(known, connection)
          })
        const kept = connection === undefined
          ? called.kept
          : [...called.kept, { connectionId: connection.id, effects }]
        if (keep === undefined) await storeEffects(kept, options.requestId)
        else for (const { connectionId, effects, calledAs } of kept) keep(effects, connectionId, calledAs)
        if (recorded !== undefined) onRecorded?.(recorded)
        if (credentialsVersion !== undefined) onCredentials?.(credentialsVersion)
        measure('succeeded')
        return value
      } catch (error) {
        measure(error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed')
        throw error
      } finally {
        called.end()
        traces.end(traceId)
        app.upstream.end(traceId)
      }
    },
    forget,
    beginTrial (credentials) {
      const trial = trials.begin(credentials)
      return {
        ...trial,
        end () {
          trial.end()
          forget(trial.connectionId)
        }
      }
    }
  })
}, { name: 'adapters', dependencies: ['database', 'metrics', 'figures', 'upstream'] })
