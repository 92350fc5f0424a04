import { defineEntity, p, type InferEntity } from '@mikro-orm/core'

/** Quantity of one variant in its master shop. `version` grows by one when the quantity changes and names that change in idempotency keys. */
export const Stock = defineEntity({
  name: 'Stock',
  tableName: 'stock',
  properties: {
    variantId: p.uuid().primary(),
    quantity: p.integer(),
    version: p.integer(),
    updatedAt: p.datetime()
  }
})
export type Stock = InferEntity<typeof Stock>
