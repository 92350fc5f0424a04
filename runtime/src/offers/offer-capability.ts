import type { OpenConnection } from '../connections/open-connection.ts'
import { CapabilityNotSupportedException } from '../errors.ts'

export type OfferCapability = 'OfferManager' | 'Marketplace'

/**
 * The capability by which the adapter of a connection can do something with offers. Undefined: it
 * cannot, or the operator left that out.
 */
export function offerCapabilityFor (
  { connection: { capabilities }, adapter: { description } }: OpenConnection,
  method: string
): OfferCapability | undefined {
  return (['OfferManager', 'Marketplace'] as const).find(name =>
    capabilities.includes(name) && description.capabilities[name]?.includes(method) === true
  )
}

/** As `offerCapabilityFor`. Throws `LNK_CAPABILITY_NOT_SUPPORTED` when it cannot. */
export function requireOfferCapability (opened: OpenConnection, method: string): OfferCapability {
  const found = offerCapabilityFor(opened, method)
  if (found !== undefined) return found
  const { adapterKey, capabilities } = opened.connection
  throw new CapabilityNotSupportedException(
    adapterKey,
    `${capabilities.includes('Marketplace') ? 'Marketplace' : 'OfferManager'}.${method}`
  )
}
