import type { KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

// Long after every repeat: the hub itself knows by then which order of the shop it is.
const keepSeconds = 90 * 24 * 3_600

/** What is left to do once the shop has the order. Amounts are decimals as the buyer pays them. */
export const Plan = Type.Object({
  total: Type.String(),
  shipping: Type.Object({ net: Type.String(), gross: Type.String() }),
  stateId: Type.String()
})
export type Plan = Static<typeof Plan>

/**
 * How far the order of a reference has come. The cart is there first: of one cart the shop makes
 * one order, so a search by it finds what a lost answer hid.
 */
export const Progress = Type.Object({
  cartId: Type.String(),
  plan: Plan,
  orderId: Type.Optional(Type.String()),
  /** Set when nothing is left to do; `[]` for an order that is as it should be. */
  problems: Type.Optional(Type.Array(Type.String()))
})
export type Progress = Static<typeof Progress>

export interface OrderMemory {
  get(reference: string): Promise<Progress | undefined>
  set(reference: string, progress: Progress): Promise<void>
}

export function createOrderMemory (kv: KeyValueStore): OrderMemory {
  const keyOf = (reference: string) => `order:${reference}`
  return {
    async get (reference) {
      const value = await kv.get(keyOf(reference))
      return Value.Check(Progress, value) ? value : undefined
    },
    set: (reference, progress) => kv.set(keyOf(reference), progress, { ttlSeconds: keepSeconds })
  }
}
