import type { OpenConnection } from '../connections/open-connection.ts'
import { CapabilityNotSupportedException } from '../errors.ts'

export type OfferCapability = 'OfferManager' | 'Marketplace'

/** A connection and the adapter that serves it. */
type Served = Pick<OpenConnection, 'connection' | 'adapter'>

/**
 * Returns the capability through which the adapter of a connection has a method. Undefined: the
 * adapter does not have it, or the operator did not enable the capability.
 */
export function offerCapabilityFor (
  { connection: { capabilities }, adapter: { description } }: Served,
  method: string
): OfferCapability | undefined {
  return (['OfferManager', 'Marketplace'] as const).find(name =>
    capabilities.includes(name) && description.capabilities[name]?.includes(method) === true
  )
}

/** Returns the capability through which quantities are written; both have a method for it. */
export function quantityCapability ({ capabilities }: Pick<OpenConnection['connection'], 'capabilities'>):
  | OfferCapability
  | undefined
{
  return (['OfferManager', 'Marketplace'] as const).find(name => capabilities.includes(name))
}

/** Like `offerCapabilityFor`, but throws `LNK_CAPABILITY_NOT_SUPPORTED` instead of undefined. */
export function requireOfferCapability (opened: Served, method: string): OfferCapability {
  const found = offerCapabilityFor(opened, method)
  if (found !== undefined) return found
  const { adapterKey, capabilities } = opened.connection
  const capability = capabilities.includes('Marketplace') ? 'Marketplace' : 'OfferManager'
  throw new CapabilityNotSupportedException(adapterKey, `${capability}.${method}`)
}
