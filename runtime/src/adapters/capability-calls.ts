import { ConfigurationError, isAdapterError, OutcomeUnknownError, TransientError } from '@linker/sdk'
import {
  capabilityUnavailable,
  capabilityUnavailableCode,
  encodeError,
  permitCapabilityCall,
  type CapabilityAnswer,
  type CapabilityRequest,
  type CallTarget,
  type ConnectionSnapshot
} from '@linker/sdk/host'
import type { Query } from '../database/database.ts'
import { isInfrastructureError } from '../database/infrastructure-error.ts'
import { CredentialsRefusedError } from '../jobs/refused-credentials.ts'
import { HubErrorCode, JobProblemCode } from '../jobs/retry-policy.ts'
import type { CallOptions } from './call-options.ts'
import type { KeptEffects, Pin } from './kept-effects.ts'
import { nameOf, type LoadedAdapter } from './load.ts'

/** A connection whose capability an adapter calls. */
export interface CalledConnection {
  adapter: LoadedAdapter
  snapshot: ConnectionSnapshot
  /** The adapter and its version as the connection names them. */
  pin: Pin
  /** The platform refused the credentials of the connection. */
  refuse(refusal: CredentialsRefusedError): Promise<void>
}

/** Opens the called connection. Throws when it has no such method or must not be called now. */
export type OpenCalled = (connectionId: string, capability: string, method: string) => Promise<CalledConnection>

/**
 * Keeps the called connections of kept effects from moving until the transaction ends. Throws when
 * one of them has moved or was deleted since it was called.
 */
export type RequireUnmoved = (query: Query, kept: readonly KeptEffects[]) => Promise<void>

/** The call that may call capabilities: what it hands on to them. */
export interface Caller extends Omit<CallOptions, 'keep'> {
  adapter: LoadedAdapter
  /** Absent for a call that concerns no connection. */
  connection: ConnectionSnapshot | undefined
}

/** A call under way. */
export interface RunningCaller {
  /** The effects of the capabilities that it has called, in the order of their ends. */
  readonly kept: readonly KeptEffects[]
  /** Aborts the calls that it left behind. */
  end(): void
}

export interface CapabilityCalls {
  begin(traceId: string, caller: Caller): RunningCaller
  /** Answers a request of an adapter, `adapterKey@version`. Never rejects. */
  answer(adapter: string, request: CapabilityRequest): Promise<CapabilityAnswer>
}

export interface CapabilityCallsOptions {
  openCalled: OpenCalled
  call(
    adapter: LoadedAdapter,
    connection: ConnectionSnapshot,
    target: CallTarget,
    args: readonly unknown[],
    options: CallOptions
  ): Promise<unknown>
}

/** Without a pin: the connection of the call itself, whose work a move waits for. */
type Opened = Omit<CalledConnection, 'pin'> & Partial<Pick<CalledConnection, 'pin'>>

interface UnderWay {
  caller: Caller
  kept: KeptEffects[]
  ended: AbortController
}

/** A called connection in these states may be called later. */
const passingCodes: ReadonlySet<unknown> = new Set([
  HubErrorCode.connectionDisabled,
  HubErrorCode.connectionMoving,
  HubErrorCode.connectionPaused,
  HubErrorCode.capabilityPaused,
  JobProblemCode.adapterMissing,
  JobProblemCode.adapterUnavailable
])

/** Repeating the call does not help: the config or the adapter has to change. */
const lastingCodes: ReadonlySet<unknown> = new Set([
  HubErrorCode.connectionNotFound,
  HubErrorCode.capabilityNotSupported,
  HubErrorCode.requestInvalid
])

/**
 * Runs the calls that adapters make of capabilities. Each belongs to a call under way and has its
 * signal, deadline, run and dry run, so it can do no more than that call. The checks of the
 * adapter's thread are repeated here: an adapter can send any request.
 */
export function createCapabilityCalls ({ openCalled, call }: CapabilityCallsOptions): CapabilityCalls {
  const underWay = new Map<string, UnderWay>()

  function callerOf (adapter: string, { traceId }: CapabilityRequest): UnderWay {
    const found = underWay.get(traceId ?? '')
    if (found !== undefined && nameOf(found.caller.adapter) === adapter) return found
    throw new ConfigurationError('a capability can be called only during a call of the hub')
  }

  async function run ({ caller, kept, ended }: UnderWay, request: CapabilityRequest): Promise<unknown> {
    const { connectionId, capability, method, args } = request
    const { adapter, connection, depth = 0, ...options } = caller
    if (connection === undefined) throw new ConfigurationError('a call without a connection calls no capability')
    permitCapabilityCall({
      manifest: adapter.manifest,
      id: connection.id,
      config: connection.config,
      configSchema: adapter.description.config
    }, request)
    const isOwn = connectionId === connection.id
    const opened: Opened = isOwn
      ? openOwn({ adapter, connection }, request)
      : await openCalled(connectionId, capability, method)
    const calledAs = opened.pin && { capability, ...opened.pin }
    try {
      return await call(opened.adapter, opened.snapshot, { kind: 'capability', capability, method }, args, {
        ...options,
        signal: AbortSignal.any([caller.signal, ended.signal]),
        depth: depth + 1,
        // The caller may store or show the answer, and the hub then removes only its own secrets.
        redactsAnswer: !isOwn || options.redactsAnswer === true,
        // Effects with a version are those of connections that the called adapter has called.
        keep (effects, ofConnection, already) {
          kept.push({ connectionId: ofConnection, effects, calledAs: already ?? calledAs })
        }
      })
    } catch (error) {
      if (!isOwn && error instanceof CredentialsRefusedError) {
        await opened.refuse(error)
        // The caller must not get this code: its own credentials are not the refused ones.
        throw capabilityUnavailable(request, error.message)
      }
      throw error
    }
  }

  return {
    begin (traceId, caller) {
      const entry: UnderWay = { caller, kept: [], ended: new AbortController() }
      underWay.set(traceId, entry)
      return {
        kept: entry.kept,
        end () {
          underWay.delete(traceId)
          entry.ended.abort()
        }
      }
    },
    async answer (adapter, request) {
      try {
        return { value: await run(callerOf(adapter, request), request) }
      } catch (error) {
        return { error: encodeError(toldToCaller(error, request)) }
      }
    }
  }
}

/**
 * A call of an own capability is a part of the work under way. It goes on although the connection
 * was paused or disabled meanwhile, and also for a connection that is only tried and not stored.
 */
function openOwn (
  { adapter, connection: snapshot }: { adapter: LoadedAdapter, connection: ConnectionSnapshot },
  { capability, method }: CapabilityRequest
): Opened {
  const methods = adapter.description.capabilities[capability] ?? null
  if (methods !== null && !methods.includes(method)) {
    throw new ConfigurationError(`${adapter.manifest.adapterKey} has no ${capability}.${method}`)
  }
  // Its own credentials are refused: the caller gets that error itself.
  return { adapter, snapshot, refuse: async () => undefined }
}

/**
 * Returns the error that the calling adapter gets. A job that fails with it waits while the called
 * connection cannot be used, and is dead when there is no such method or connection. Any other
 * fault of the hub may pass, so the job is repeated.
 */
function toldToCaller (error: unknown, request: CapabilityRequest): unknown {
  if (isAdapterError(error)) return error
  if (isInfrastructureError(error)) return new TransientError('the hub could not read the called connection')
  const { code, message } = error as { code?: unknown, message?: unknown }
  if (code === capabilityUnavailableCode) return error
  if (passingCodes.has(code)) return capabilityUnavailable(request, String(message))
  if (code === HubErrorCode.adapterCrashed) return new OutcomeUnknownError(String(message))
  if (lastingCodes.has(code)) return new ConfigurationError(String(message))
  return typeof code === 'string' && code.startsWith('LNK_') ? new TransientError(String(message)) : error
}
