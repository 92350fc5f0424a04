import {
  AdapterError, ConfigurationError, isAdapterError, RejectedError, TransientError, type Context, type HttpClientFactory, type Job, type Log
} from '@linker/sdk'
import type { AsyncLocalStorage } from 'node:async_hooks'
import { compileSchema, type SchemaValidator } from '../http/json-schema.ts'
import type { AdapterCall, Carrier, ConnectionSnapshot } from './carrier.ts'
import { missingMethods, type LoadedAdapter } from './load.ts'
import { collectMarked, collectSecrets, createValueRedactor, redactingLog } from './redact.ts'

export interface InlineCarrierOptions {
  adapter: LoadedAdapter
  http: HttpClientFactory
  platformSettings: Readonly<Record<string, unknown>>
  log: Log
  now: () => Date
  /** Holds the call that is running, for whatever the adapter uses inside it. */
  currentCall: AsyncLocalStorage<AdapterCall>
}

interface Client {
  version: string
  context: Context
  value: unknown
  redact: (value: unknown) => unknown
  capabilities: Map<string, object>
}

/** Runs an adapter in the hub's own thread. Arguments and results are cloned, so what works here works in a worker. */
export function createInlineCarrier (options: InlineCarrierOptions): Carrier {
  const { adapter, currentCall } = options
  const clients = new Map<string, Promise<Client>>()
  const versions = new Map<string, string>()
  const jobPayloads = new Map<string, SchemaValidator>(Object.entries(adapter.definition.jobs ?? {}).map(([name, job]) => [name, compileSchema(job.payload)]))

  function clientOf (connection: ConnectionSnapshot): Promise<Client> {
    const existing = clients.get(connection.id)
    if (existing !== undefined && versions.get(connection.id) === connection.version) return existing
    const made = connect(options, connection)
    clients.set(connection.id, made)
    versions.set(connection.id, connection.version)
    // A failed connect is tried again by the next call.
    made.catch(() => { if (clients.get(connection.id) === made) clients.delete(connection.id) })
    return made
  }

  async function run (call: AdapterCall): Promise<unknown> {
    const client = await clientOf(call.connection)
    const args = structuredClone([...call.args])
    try {
      return structuredClone(await invoke(adapter, client, call, args, jobPayloads))
    } catch (error) {
      throw withoutSecrets(error, client.redact)
    }
  }

  return {
    call: call => currentCall.run(call, () => untilAborted(() => run(call), call.signal)),
    forget (connectionId) {
      clients.delete(connectionId)
      versions.delete(connectionId)
    }
  }
}

async function connect (options: InlineCarrierOptions, connection: ConnectionSnapshot): Promise<Client> {
  const { adapter, currentCall } = options
  const secrets = [...collectSecrets(adapter.definition.credentials, connection.credentials), ...collectMarked(adapter.definition.config, connection.config)]
  const context: Context = Object.freeze({
    connection: Object.freeze({ id: connection.id, platformType: connection.platformType }),
    config: deepFreeze(structuredClone(connection.config)),
    credentials: deepFreeze(structuredClone(connection.credentials)),
    platform: options.platformSettings,
    http: options.http,
    log: redactingLog(options.log, secrets),
    clock: { now: options.now },
    get signal () { return currentCall.getStore()?.signal ?? new AbortController().signal }
  })
  return { version: connection.version, context, value: await adapter.definition.connect(context), redact: createValueRedactor(secrets), capabilities: new Map() }
}

async function invoke (adapter: LoadedAdapter, client: Client, call: AdapterCall, args: unknown[], jobPayloads: ReadonlyMap<string, SchemaValidator>): Promise<unknown> {
  const { target } = call
  if (target.kind === 'test') return adapter.definition.test?.(client.value, client.context)
  if (target.kind === 'capability') {
    const method: unknown = Reflect.get(capabilityOf(adapter, client, target.capability), target.method)
    if (typeof method !== 'function') throw new ConfigurationError(`${adapter.manifest.adapterKey} has no ${target.capability}.${target.method}`)
    return method(...args)
  }
  const definition = new Map(Object.entries(adapter.definition.jobs ?? {})).get(target.jobType)
  if (definition === undefined) throw new ConfigurationError(`${adapter.manifest.adapterKey} has no job '${target.jobType}'`)
  const job = args[0] as Job<unknown>
  const problems = jobPayloads.get(target.jobType)?.(job.payload, '/payload').problems ?? []
  if (problems.length > 0) throw new RejectedError(`the payload of ${target.jobType} is invalid`, { fields: problems })
  return definition.run(client.value, job, client.context)
}

function capabilityOf (adapter: LoadedAdapter, client: Client, name: string): object {
  const existing = client.capabilities.get(name)
  if (existing !== undefined) return existing
  const factory = new Map<string, unknown>(Object.entries(adapter.definition.capabilities)).get(name)
  if (typeof factory !== 'function') throw new ConfigurationError(`${adapter.manifest.adapterKey} does not implement ${name}`)
  const made = factory(client.value, client.context) as object
  const missing = missingMethods(name, made)
  if (missing.length > 0) throw new ConfigurationError(`${adapter.manifest.adapterKey}: ${name} lacks ${missing.join(', ')}`)
  client.capabilities.set(name, made)
  return made
}

/** A call that ignores its signal must not hold the job that waits for it. */
function untilAborted<Result> (start: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  // Not started: nobody would take what it rejects with, and that ends the process.
  if (signal.aborted) return Promise.reject(abortError(signal))
  const work = start()
  return new Promise((resolve, reject) => {
    const abort = (): void => { reject(abortError(signal)) }
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => { signal.removeEventListener('abort', abort) })
  })
}

function abortError (signal: AbortSignal): TransientError {
  return new TransientError('the call was stopped before it finished', { cause: signal.reason })
}

function withoutSecrets (error: unknown, redact: (value: unknown) => unknown): unknown {
  if (!(error instanceof Error)) return new Error(`an adapter threw ${String(redact(String(error)))}`)
  const message = String(redact(error.message))
  if (!isAdapterError(error)) return Object.assign(new Error(message), { name: error.name, stack: redact(error.stack) })
  const copy = new AdapterError(error.code, message, { ...(error.status === undefined ? {} : { status: error.status }), cause: redact(error.cause) })
  copy.name = error.name
  return Object.assign(copy, 'fields' in error ? { fields: redact(error.fields) } : {}, 'retryAfterMs' in error ? { retryAfterMs: error.retryAfterMs } : {})
}

function deepFreeze<Value> (value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
