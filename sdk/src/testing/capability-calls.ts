import type { Capabilities } from '../capabilities/capabilities.ts'
import type { carrierCapability, Carrier } from '../capabilities/carrier.ts'
import type { CallTarget } from '../host/carrier.ts'

/** The capabilities whose methods the SDK knows. */
type KnownCapabilities = Capabilities & Record<typeof carrierCapability, Carrier>

/** A method as a caller sees it: its answer comes from another thread, so it is a promise. */
type MethodCall<Method> = Method extends (...args: infer Args) => infer Answer
  ? (...args: Args) => Promise<Awaited<Answer>>
  : never

/**
 * The methods of a capability, typed by the SDK's interface, or by the adapter's own code for a
 * capability of a vendor. Only methods that the adapter's code has are members.
 */
type MethodCalls<Name, Implemented> = Name extends keyof KnownCapabilities ? {
    readonly [Method in keyof Implemented as Method extends keyof KnownCapabilities[Name] ? Method : never]: MethodCall<
      NonNullable<KnownCapabilities[Name][Method & keyof KnownCapabilities[Name]]>
    >
  }
  : { readonly [Method in keyof Implemented]: MethodCall<NonNullable<Implemented[Method]>> }

/**
 * The capabilities of an adapter as members: `shop.ProductMaster.getProduct('27')`. A method that
 * the type of the adapter's factory leaves open (`InventoryMaster` has an optional `setStock`) may
 * be undefined here, too. `satisfies InventoryMaster` in place of the return type tells which
 * methods there are.
 */
export type CapabilityCalls<Factories> = {
  readonly [Name in keyof Factories]: NonNullable<Factories[Name]> extends (...args: never[]) => infer Implemented
    ? MethodCalls<Name, Implemented>
    : never
}

type Call = (target: CallTarget, args: readonly unknown[]) => Promise<unknown>

const capabilityName = /^(?:[a-z][a-z0-9-]*\/)?[A-Z]/

/**
 * Adds a member for each capability of the adapter to an opened connection. A capability that the
 * adapter does not have is an error that names those that it has.
 */
export function withCapabilityCalls<Opened extends { call: Call }, Factories extends object> (
  opened: Opened,
  adapterKey: string,
  factories: Factories
): Opened & CapabilityCalls<Factories> {
  const names = Object.keys(factories)
  const calls = new Map(names.map(name => [name, createMethodCalls(name, opened.call)]))
  const typed: unknown = new Proxy(opened, {
    get (target, name, receiver) {
      if (typeof name !== 'string' || name in target) return Reflect.get(target, name, receiver) as unknown
      const found = calls.get(name)
      if (found === undefined && capabilityName.test(name)) {
        throw new TypeError(`${adapterKey} has no capability ${name}; it has ${names.join(', ') || 'none'}`)
      }
      return found
    }
  })
  return typed as Opened & CapabilityCalls<Factories>
}

/** Every name is a method: the call of one that the adapter lacks rejects with its name. */
function createMethodCalls (capability: string, call: Call): object {
  return new Proxy({}, {
    get: (_target, method) =>
      // A promise asks its value for `then`.
      typeof method !== 'string' || method === 'then'
        ? undefined
        : (...args: unknown[]) => call({ kind: 'capability', capability, method }, args)
  })
}
