import { AdapterErrorCode, ConfigurationError, isAdapterError } from '../errors.ts'
import { capabilityUnavailable } from '../host/called-capability.ts'
import type { CallEffects } from '../host/carrier.ts'
import { encodeError } from '../host/errors.ts'
import type { CapabilityAnswer, CapabilityRequest } from '../host/services.ts'
import type { TestConnection } from './memory-platform.ts'

/** The parts of a call that the capabilities called during it have, too. */
interface MemoryCaller {
  connectionId: string | undefined
  signal: AbortSignal
  deadline?: Date
  requestId?: string
  depth: number
}

/** The call that calls a capability, as the called connection sees it. */
export interface CalledBy extends Omit<MemoryCaller, 'connectionId'> {
  keep(connectionId: string, effects: CallEffects): void
}

interface ServedConnection {
  status(): TestConnection['status']
  call(request: CapabilityRequest, caller: CalledBy): Promise<unknown>
}

interface KeptEffects {
  connectionId: string
  effects: CallEffects
}

interface Running {
  caller: MemoryCaller
  kept: KeptEffects[]
  ended: AbortController
}

/** The capabilities that adapters on a test host can call. */
export interface MemoryCapabilities {
  /** Serves all capabilities of an opened connection. */
  serve(connectionId: string, connection: ServedConnection): void
  /** Serves one capability by the functions of a test, without a connection for all of them. */
  stub(connectionId: string | undefined, capability: string, implementation: object): void
  begin(traceId: string, caller: MemoryCaller): { readonly kept: readonly KeptEffects[], end(): void }
  answer(request: CapabilityRequest): Promise<CapabilityAnswer>
}

/** Creates the calls of capabilities in memory, by the rules of the hub. */
export function createMemoryCapabilities (): MemoryCapabilities {
  const served = new Map<string, ServedConnection>()
  const stubs = new Map<string, object>()
  const underWay = new Map<string, Running>()
  const stubKey = (connectionId: string | undefined, capability: string): string =>
    JSON.stringify([connectionId ?? null, capability])

  async function run (request: CapabilityRequest): Promise<unknown> {
    const { traceId = '', connectionId, capability, method, args } = request
    const stub = stubs.get(stubKey(connectionId, capability)) ?? stubs.get(stubKey(undefined, capability))
    const running = underWay.get(traceId)
    const isOwn = connectionId === running?.caller.connectionId
    if (stub !== undefined) {
      return callStub(stub, capability, method, args).catch((error: unknown) => {
        throw isOwn ? error : toldToCaller(error, request)
      })
    }
    if (running === undefined) throw new ConfigurationError('a capability can be called only during a call of the hub')
    const connection = served.get(connectionId)
    if (connection === undefined) throw new ConfigurationError(`Connection '${connectionId}' not found`)
    const { caller: { connectionId: _own, ...caller }, kept, ended } = running
    const status = connection.status()
    // A call of an own capability is a part of the work under way, whatever became of it.
    if (!isOwn && status !== 'active') {
      throw capabilityUnavailable(request, `the connection is in status '${status}'`)
    }
    return connection.call(request, {
      ...caller,
      signal: AbortSignal.any([caller.signal, ended.signal]),
      depth: caller.depth + 1,
      keep (ofConnection, effects) {
        kept.push({ connectionId: ofConnection, effects })
      }
    }).catch((error: unknown) => {
      throw isOwn ? error : toldToCaller(error, request)
    })
  }

  return {
    serve (connectionId, connection) {
      served.set(connectionId, connection)
    },
    stub (connectionId, capability, implementation) {
      stubs.set(stubKey(connectionId, capability), implementation)
    },
    begin (traceId, caller) {
      const running: Running = { caller, kept: [], ended: new AbortController() }
      underWay.set(traceId, running)
      return {
        kept: running.kept,
        end () {
          underWay.delete(traceId)
          running.ended.abort()
        }
      }
    },
    async answer (request) {
      try {
        return { value: structuredClone(await run(request)) }
      } catch (error) {
        return { error: encodeError(error) }
      }
    }
  }
}

/** The caller must not get the code of refused credentials of another connection. */
function toldToCaller (error: unknown, request: CapabilityRequest): unknown {
  return isAdapterError(error) && error.code === AdapterErrorCode.authentication
    ? capabilityUnavailable(request, error.message)
    : error
}

async function callStub (
  implementation: object,
  capability: string,
  method: string,
  args: readonly unknown[]
): Promise<unknown> {
  const called: unknown = Reflect.get(implementation, method)
  if (typeof called !== 'function') throw new ConfigurationError(`there is no ${capability}.${method}`)
  return called.apply(implementation, args)
}
