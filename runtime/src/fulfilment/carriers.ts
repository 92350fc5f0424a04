import { carrierCapability } from '@linker/sdk'
import type { Registry } from '../adapters/registry.ts'
import type { ConnectionStatus } from '../connections/entity.ts'
import { listByCapability } from '../connections/store.ts'
import type { Query } from '../database/database.ts'
import type { Candidate } from './schemas.ts'

/** A connection that can send parcels. */
export interface Carrier {
  id: string
  name: string
  adapterKey: string
  adapterVersion: string | null
  /** Why the carrier takes no parcels now, as the end of a sentence about it. */
  problem: string | null
}

/** Returns every connection whose carrier capability the operator enabled, oldest first. */
export async function readCarriers (query: Query): Promise<Carrier[]> {
  const rows = await listByCapability(query, carrierCapability)
  return rows.map(({ id, name, adapterKey, adapterVersion, status, statusReason }) => ({
    id,
    name,
    adapterKey,
    adapterVersion,
    problem: problemOf(status, statusReason)
  }))
}

function problemOf (status: ConnectionStatus, reason: string | null): string | null {
  const why = reason === null ? '' : ` (${reason})`
  if (status === 'disabled') return `is disabled${why}`
  return status === 'error' ? `is in error${why}` : null
}

/** Adds a problem to carriers whose adapter is missing in this process. */
export function withMissingAdapters (carriers: readonly Carrier[], registry: Registry): Carrier[] {
  return carriers.map(carrier => {
    if (carrier.problem !== null || registry.find(carrier.adapterKey, carrier.adapterVersion) !== undefined) {
      return carrier
    }
    return { ...carrier, problem: `has no adapter (${registry.explain(carrier.adapterKey, carrier.adapterVersion)})` }
  })
}

/**
 * Returns the dispatchers that a marketplace's rules may name. A `reason` says why one cannot be
 * used now.
 */
export function candidatesFor (connectionId: string, carriers: readonly Carrier[]): Candidate[] {
  const own = carriers.find(({ id }) => id === connectionId)
  return [
    { processorKind: 'omp_fulfilled', displayName: 'The shop or its operator' },
    {
      processorKind: 'source_brokered',
      displayName: 'The marketplace',
      ...(own === undefined
        ? { reason: 'The adapter of the marketplace makes no labels; the operator gets them at the marketplace' }
        : reasonOf(own))
    },
    ...carriers.filter(carrier => carrier !== own).map(carrier => ({
      processorKind: 'hub_managed_carrier' as const,
      processorConnectionId: carrier.id,
      displayName: carrier.name,
      ...reasonOf(carrier)
    }))
  ]
}

function reasonOf ({ problem }: Carrier): { reason?: string } {
  return problem === null ? {} : { reason: `The connection ${problem}` }
}
