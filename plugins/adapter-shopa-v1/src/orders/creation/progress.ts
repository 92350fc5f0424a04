import type { KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

// Longer than any repeat: by then the hub itself knows the shop's order.
const keepSeconds = 90 * 24 * 3_600

/**
 * The work that is left once the shop has the order. Amounts are decimals, as the buyer pays them.
 */
export const Plan = Type.Object({
  total: Type.String(),
  shipping: Type.Object({ net: Type.String(), gross: Type.String() }),
  stateId: Type.String(),
  /** The sum of all products. An earlier version stored neither this nor the members below. */
  products: Type.Optional(Type.String()),
  currency: Type.Optional(Type.String()),
  /** The carrier that the order has in the end, and the id of the one that its cart asked for. */
  carrier: Type.Optional(Type.Object({ id: Type.String(), name: Type.String(), ofCart: Type.String() })),
  isUnpaid: Type.Optional(Type.Boolean()),
  /** Problems that were known before the shop had the order. */
  problems: Type.Optional(Type.Array(Type.String()))
})
export type Plan = Static<typeof Plan>

/**
 * How far the order of a reference has come. The cart exists first: the shop makes one order per
 * cart, so a search by cart finds an order whose answer was lost.
 */
export const Progress = Type.Object({
  cartId: Type.String(),
  plan: Plan,
  orderId: Type.Optional(Type.String()),
  /** The total that the shop computed, before it was corrected. */
  shopTotal: Type.Optional(Type.String()),
  /** Set when all work is done; `[]` for an order without problems. */
  problems: Type.Optional(Type.Array(Type.String()))
})
export type Progress = Static<typeof Progress>

export interface ProgressStore {
  get(reference: string): Promise<Progress | undefined>
  set(reference: string, progress: Progress): Promise<void>
}

export function createProgressStore (kv: KeyValueStore): ProgressStore {
  const keyOf = (reference: string) => `order:${reference}`
  return {
    async get (reference) {
      const value = await kv.get(keyOf(reference))
      return Value.Check(Progress, value) ? value : undefined
    },
    set: (reference, progress) => kv.set(keyOf(reference), progress, { ttlSeconds: keepSeconds })
  }
}
