import type { Context } from '../context.ts'
import { isAdapterError, RejectedError } from '../errors.ts'
import type { CallEffects } from './carrier.ts'
import { permitCapabilityCall, type CallingConnection } from './connection-members.ts'
import type { CurrentCall } from './current-call.ts'
import { decodeError, type ErrorData } from './errors.ts'
import { HostError } from './host-error.ts'
import type { CapabilityRequest, HostServices } from './services.ts'

const mostCallsPerCall = 100
const mostDepth = 3

interface CalledCapabilityOptions {
  connection: CallingConnection
  /** The running call. Throws outside of a call. */
  current(): CurrentCall
  callCapability: HostServices['callCapability']
}

/** Creates `context.capability` of one connection. */
export function createCalledCapability ({ connection, current, callCapability }:
  CalledCapabilityOptions): Context['capability']
{
  const made = new WeakMap<CallEffects, number>()

  function note ({ call: { depth = 0 }, effects }: CurrentCall, capability: string): void {
    const count = (made.get(effects) ?? 0) + 1
    if (count > mostCallsPerCall) {
      throw new RejectedError(`a call calls at most ${mostCallsPerCall} methods of capabilities`)
    }
    if (depth >= mostDepth) {
      throw new RejectedError(`${capability} is called more than ${mostDepth} levels deep: do capabilities call each ` +
        'other in a circle?')
    }
    made.set(effects, count)
  }

  async function call (capability: string, connectionId: string, method: string, args: unknown[]): Promise<unknown> {
    const running = current()
    note(running, capability)
    const { traceId } = running.call
    const answer = await callCapability({ traceId, connectionId, capability, method, args: structuredClone(args) })
    if (!('error' in answer)) return answer.value
    // An own capability may have renewed the credentials before they were refused.
    running.credentialsVersion = answer.error.credentialsVersion ?? running.credentialsVersion
    throw thrownBy(answer.error)
  }

  const capability = (name: string, { connectionId = connection.id }: { connectionId?: string } = {}): object => {
    permitCapabilityCall(connection, { capability: name, connectionId })
    return new Proxy({}, {
      get: (_target, method) =>
        // A promise asks its value for `then`.
        typeof method !== 'string' || method === 'then'
          ? undefined
          : (...args: unknown[]) => call(name, connectionId, method, args)
    })
  }
  // The types of the other adapter are not here: the caller names them.
  return capability as Context['capability']
}

/** The code of a call that may succeed later, when somebody has changed the called connection. */
export const capabilityUnavailableCode = 'LNK_CAPABILITY_UNAVAILABLE'

/** The error of a call whose connection cannot be used now. */
export function capabilityUnavailable (
  { connectionId, capability }: Pick<CapabilityRequest, 'connectionId' | 'capability'>,
  reason: string
): Error {
  return new HostError(
    capabilityUnavailableCode,
    `${capability} of connection '${connectionId}' cannot be called now: ${reason}`
  )
}

/** An error of the hub passes through the caller unchanged, so that the hub knows it again. */
function thrownBy (data: ErrorData): Error {
  const error = decodeError(data)
  return isAdapterError(error) || data.code === undefined ? error : new HostError(data.code, data.message)
}
