import { defineEntity, p, type InferEntity } from '@mikro-orm/core'

/**
 * Quantity of one variant in its master shop, and how much of it is sold and not yet taken off
 * there. `version` grows by one when either changes and names that change in idempotency keys.
 */
export const Stock = defineEntity({
  name: 'Stock',
  tableName: 'stock',
  properties: {
    variantId: p.uuid().primary(),
    quantity: p.integer(),
    reserved: p.integer(),
    version: p.integer(),
    updatedAt: p.datetime()
  }
})
export type Stock = InferEntity<typeof Stock>
