import { capabilityUnavailable } from '@linker/sdk/host'
import type { KeptEffects } from '../../adapters/kept-effects.ts'
import type { Query } from '../../database/database.ts'
import { holdPins } from '../store.ts'

/**
 * Keeps the called connections of kept effects from moving until the transaction ends. Throws when
 * one of them has moved or was deleted since it was called: its migrations have run already.
 */
export async function requireUnmoved (query: Query, kept: readonly KeptEffects[]): Promise<void> {
  const called = kept.flatMap(({ connectionId, calledAs }) =>
    calledAs === undefined ? [] : [{ connectionId, calledAs }]
  )
  if (called.length === 0) return
  const pins = await holdPins(query, called.map(({ connectionId }) => connectionId))
  for (const { connectionId, calledAs: { capability, adapterKey, adapterVersion } } of called) {
    const now = pins.get(connectionId)
    if (now?.adapterKey === adapterKey && now.adapterVersion === adapterVersion) continue
    const change = now === undefined ? 'was deleted' : 'moved to another adapter version'
    throw capabilityUnavailable({ connectionId, capability }, `it ${change} during the call, and nothing was stored`)
  }
}
