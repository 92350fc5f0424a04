import type { NewOrder } from '@linker/sdk'
import type { LineRow } from '../lines/store.ts'
import type { OrderRow } from '../store.ts'

/**
 * Returns the order to make in the shop. Every line has a variant: without one, the order would
 * still wait for its mapping.
 */
export function toNewOrder (
  { snapshot, connectionId }: OrderRow,
  lines: readonly LineRow[],
  platformType: string
): NewOrder {
  const { lines: placed, fulfilment: _fulfilment, ...order } = snapshot
  const mapped = new Map(lines.map(line => [line.externalId, line]))
  return {
    ...order,
    lines: placed.map(line => {
      const { productExternalId, variantExternalId } = mapped.get(line.externalId) ?? {}
      if (typeof productExternalId !== 'string' || typeof variantExternalId !== 'string') {
        throw new Error(`line ${line.externalId} has no variant`)
      }
      return { ...line, productExternalId, variantExternalId }
    }),
    source: { connectionId, platformType }
  }
}
