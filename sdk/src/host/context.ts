import type { Context, EnqueueOptions, Locks, Log } from '../context.ts'
import { ConfigurationError, RejectedError } from '../errors.ts'
import type { HttpClientFactory } from '../http/http.ts'
import type { Manifest } from '../manifest.ts'
import { createCalledCapability } from './called-capability.ts'
import type { CallEffects, ConnectionSnapshot } from './carrier.ts'
import type { CurrentCall, CurrentCallStorage } from './current-call.ts'
import { noDefaults, type SettingsDefaults } from './defaults.ts'
import { createKeyValueStore } from './key-values.ts'
import { limitedLog } from './limited-log.ts'
import { createLocks } from './locks.ts'
import { createOAuth } from './oauth.ts'
import { permitsJob, permittedHttp } from './permissions.ts'
import { redactingLog, type Secrecy } from './redact.ts'
import type { ContextServices, HostServices } from './services.ts'
import { checkedDelay, checkedJobKey, checkedName, checkedPayload, checkedPosition } from './storable.ts'

/**
 * The locks of adapters have a prefix of their own: an adapter that takes 'oauth' and then asks for
 * a token would wait for itself.
 */
const ownLock = 'adapter:'

export interface ContextOptions {
  /** `adapterKey@version`. */
  adapter: string
  manifest: Manifest
  platformSettings: Readonly<Record<string, unknown>>
  services: ContextServices
  /** Writes a line of the log. Default: the one of the services. */
  writeLine?: ContextServices['log']
  http: HttpClientFactory
  now: () => Date
  currentCall: CurrentCallStorage
  /** The schema of the config. Default: one that marks no member. */
  configSchema?: object
  /** Fills in the defaults of the adapter's schemas. Default: without schemas, none. */
  defaults?: SettingsDefaults
}

const mostJobsPerCall = 1_000
const mostCursorsPerCall = 100
/** The most bytes of the jobs and cursors of one call. */
const mostStoredPerCall = 8 * 1024 * 1024
/** The most bytes of a line of the log. */
const mostLineBytes = 16_384
/**
 * The most bytes of a line in which the hub searches for secrets. It drops the rest. The written
 * part ends long before, so it never ends with half of a secret.
 */
const mostSearchedBytes = 1024 * 1024

const mostWarnings = 100
const keepNothing = { redact: (value: unknown) => value }

/** Creates the context of one connection from the host's services. */
export function createContext (
  options: ContextOptions,
  connection: ConnectionSnapshot,
  { redact, isIn, addCredentials }: Secrecy
): Context {
  const {
    adapter,
    manifest,
    services,
    now,
    currentCall,
    platformSettings: platform,
    configSchema = {},
    defaults = noDefaults
  } = options
  const { id: connectionId, platformType } = connection
  const never = new AbortController().signal
  const storedBytes = new WeakMap<CallEffects, number>()
  const config = deepFreeze(defaults.config(structuredClone(connection.config)))
  const credentials = deepFreeze(defaults.credentials(structuredClone(connection.credentials)))

  function current (what: string): CurrentCall {
    const store = currentCall.getStore()
    if (store === undefined) throw new Error(`${what} belongs to a call: outside of a call, the hub would not store it`)
    return store
  }

  /** Throws when the effects of a call get too large. */
  function noteStored (effects: CallEffects, bytes: number): void {
    const total = (storedBytes.get(effects) ?? 0) + bytes
    if (total > mostStoredPerCall) {
      throw new RejectedError(`the jobs and cursors of a call have at most ${mostStoredPerCall} bytes together`)
    }
    storedBytes.set(effects, total)
  }

  function detached<Result> (work: () => Promise<Result>): Promise<Result> {
    const store = currentCall.getStore()
    if (store === undefined) return work()
    // A dry run renews a token, too: without a valid one it could not even read.
    const call = { ...store.call, signal: never, isDryRun: false, renewsToken: true }
    return currentCall.run({ ...store, call }, work)
  }

  const isDryRun = (): boolean => currentCall.getStore()?.call.isDryRun === true
  const values = {
    readValue: services.readValue,
    listValues: services.listValues,
    writeValue: async (...value: Parameters<HostServices['writeValue']>) => isDryRun() || services.writeValue(...value),
    async deleteValue (...value: Parameters<HostServices['deleteValue']>) {
      if (!isDryRun()) await services.deleteValue(...value)
    }
  }

  const warned = new Set<string>()

  /**
   * The hub cannot redact a stored job: the key says which job it is. Warn the author instead, once
   * for each job type.
   */
  function warnOfSecrets ({ jobType, key, payload }: CallEffects['jobs'][number]): void {
    for (const [part, value] of Object.entries({ key, payload })) {
      const name = `${part} ${jobType}`
      if (warned.has(name) || warned.size === mostWarnings || !isIn(value)) continue
      warned.add(name)
      services.log(
        'warn',
        { connectionId, jobType: redact(jobType), part },
        `the adapter ${adapter} puts a secret of the connection into the ${part} of a job: ` +
          'the hub stores it as it is and shows it redacted. Name the object by its id instead'
      )
    }
  }

  const locks = createLocks({
    connectionId,
    services,
    now,
    limits () {
      const { call } = currentCall.getStore() ?? {}
      return { signal: call?.signal ?? never, deadline: call?.deadline }
    }
  })

  return Object.freeze({
    connection: Object.freeze({ id: connectionId, platformType }),
    config,
    credentials,
    platform,
    http: permittedHttp(options.http, manifest.permissions, { config, credentials, platform }),
    log: limitedLog(redactingLog(createLog(options, connectionId), redact), mostSearchedBytes),
    kv: createKeyValueStore(values, connectionId),
    cursor: Object.freeze({
      async get (name: string) {
        const staged = currentCall.getStore()?.effects.cursors ?? {}
        return Object.hasOwn(staged, checkedName(name)) ? staged[name] : services.readCursor(connectionId, name)
      },
      set (name: string, value: string) {
        const { effects } = current('cursor.set')
        const position = checkedPosition(value)
        const isNew = !Object.hasOwn(effects.cursors, checkedName(name))
        if (isNew && Object.keys(effects.cursors).length >= mostCursorsPerCall) {
          throw new RejectedError(`a call sets at most ${mostCursorsPerCall} cursors`)
        }
        noteStored(effects, position.length)
        effects.cursors[name] = position
      },
      list: async () => services.listCursors(connectionId)
    }),
    jobs: Object.freeze({
      async enqueue (jobType: string, payload: Readonly<Record<string, unknown>>, { key, delayMs }: EnqueueOptions) {
        if (!permitsJob(manifest.permissions, jobType)) {
          throw new ConfigurationError(`the manifest does not permit the job '${jobType}': permissions.jobs is ${
            JSON.stringify(manifest.permissions?.jobs ?? [])
          }`)
        }
        const { effects } = current('jobs.enqueue')
        if (effects.jobs.length >= mostJobsPerCall) {
          throw new RejectedError(`a call enqueues at most ${mostJobsPerCall} jobs: let one of them enqueue the rest`)
        }
        const job = {
          jobType,
          payload: checkedPayload(payload),
          key: checkedJobKey(key),
          ...(checkedDelay(delayMs) === undefined ? {} : { delayMs })
        }
        noteStored(effects, JSON.stringify(job.payload).length)
        effects.jobs.push(job)
        warnOfSecrets(job)
        return { jobId: await services.identifyJob(connectionId, jobType, key) }
      }
    }),
    capability: createCalledCapability({
      connection: { manifest, id: connectionId, config: connection.config, configSchema },
      current: () => current('capability'),
      callCapability: request => services.callCapability(request)
    }),
    oauth: createOAuth({
      connection,
      credentials,
      platform,
      services,
      locks,
      now,
      detached,
      onReplaced: addCredentials,
      onUsed (version) {
        const store = currentCall.getStore()
        if (store !== undefined) store.credentialsVersion = version
      },
      isTest: () => currentCall.getStore()?.call.target.kind === 'test',
      redact: message => String(redact(message)),
      withDefaults: value => deepFreeze(defaults.credentials(structuredClone(value)))
    }),
    locks: Object.freeze<Locks>({ run: async (name, action) => locks.run(ownLock + checkedName(name), action) }),
    metrics: Object.freeze({
      count: (name: string, by = 1) => {
        services.count(String(redact(name)), by)
      },
      observe: (name: string, value: number) => {
        services.observe(String(redact(name)), value)
      }
    }),
    clock: Object.freeze({ now }),
    get signal () {
      return currentCall.getStore()?.call.signal ?? never
    },
    get deadline () {
      const deadline = currentCall.getStore()?.call.deadline
      return deadline === undefined ? undefined : new Date(deadline)
    }
  })
}

/**
 * Creates a log that adds the connection and the request to each line of the host's log, and
 * removes the secrets of the call.
 */
export function createLog (
  options: Pick<ContextOptions, 'services' | 'writeLine' | 'currentCall'>,
  connectionId?: string
): Log {
  const {
    services,
    writeLine = (...line) => {
      services.log(...line)
    },
    currentCall
  } = options
  const host = (name: keyof Log) => (fields: object, message: string): void => {
    const { call: { requestId } = {} } = currentCall.getStore() ?? {}
    const connection = connectionId === undefined ? {} : { connectionId }
    const request = requestId === undefined ? {} : { requestId }
    writeLine(name, { ...fields, ...connection, ...request }, message)
  }
  const lines = { debug: host('debug'), info: host('info'), warn: host('warn'), error: host('error') }
  const redact = (value: unknown): unknown => (currentCall.getStore()?.secrets ?? keepNothing).redact(value)
  return limitedLog(redactingLog(limitedLog(lines, mostLineBytes), redact), mostSearchedBytes)
}

export function deepFreeze<Value> (value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
