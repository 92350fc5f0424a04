import type { Context } from '../context.ts'
import { ConfigurationError, isAdapterError, RejectedError } from '../errors.ts'
import type { Manifest } from '../manifest.ts'
import type { CallEffects } from './carrier.ts'
import type { CurrentCall } from './current-call.ts'
import { decodeError, type ErrorData } from './errors.ts'
import { HostError } from './host-error.ts'
import { permitsCapability } from './permissions.ts'
import type { CapabilityRequest, HostServices } from './services.ts'

const mostCallsPerCall = 100
const mostDepth = 3
const vendorCapability = /^[^/]+\/[^/]+$/

interface CalledCapabilityOptions {
  manifest: Manifest
  connectionId: string
  /** The config of the calling connection. */
  config: unknown
  /** The running call. Throws outside of a call. */
  current(): CurrentCall
  callCapability: HostServices['callCapability']
}

/** Creates `context.capability` of one connection. */
export function createCalledCapability ({ manifest, connectionId: ownId, config, current, callCapability }:
  CalledCapabilityOptions): Context['capability']
{
  const made = new WeakMap<CallEffects, number>()

  function permit (capability: string, connectionId: string): void {
    if (!vendorCapability.test(capability)) {
      throw new ConfigurationError(`only the hub calls '${capability}': adapters call capabilities of third parties, ` +
        'such as acme/Labels')
    }
    if (connectionId === ownId) {
      if (manifest.capabilities.includes(capability)) return
      throw new ConfigurationError(`the adapter itself has no '${capability}': name the connection to call`)
    }
    if (!permitsCapability(manifest.permissions, capability)) {
      const permitted = JSON.stringify(manifest.permissions?.capabilities ?? [])
      throw new ConfigurationError(`the manifest does not permit calls of '${capability}': ` +
        `permissions.capabilities is ${permitted}`)
    }
    if (!containsText(config, connectionId)) {
      throw new ConfigurationError(`the config does not name the connection '${connectionId}', so its ${capability} ` +
        'cannot be called: take the id from a member of the config')
    }
  }

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
    if ('error' in answer) throw thrownBy(answer.error)
    return answer.value
  }

  const capability = (name: string, { connectionId = ownId }: { connectionId?: string } = {}): object => {
    permit(name, connectionId)
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

/** Whether a config has this text as a value, at any depth. */
function containsText (value: unknown, text: string): boolean {
  if (typeof value === 'string') return value === text
  return typeof value === 'object' && value !== null && Object.values(value).some(member => containsText(member, text))
}
