import { defineEntity, p, type InferEntity } from '@mikro-orm/core'

/**
 * The quantity of a variant in its master shop. `reserved` counts sold pieces that the shop has not
 * taken off yet. `version` grows by one with each change of either, and names the change in
 * idempotency keys.
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
