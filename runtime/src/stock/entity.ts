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
    isCounted: p.boolean(),
    /** Rows with the same id sell the same pieces. */
    sharedId: p.uuid().strictNullable(),
    /** The quantity that offers go by until a person confirms a jump. Null: `quantity`. */
    confirmedQuantity: p.integer().strictNullable(),
    jumpedAt: p.datetime().strictNullable(),
    version: p.integer(),
    updatedAt: p.datetime(),
    /** The start of the reading that brought the quantity, or earlier. */
    readAt: p.datetime()
  }
})
export type Stock = InferEntity<typeof Stock>

/** A comparison of all stock of one master connection. At most one per connection is unfinished. */
export const Sweep = defineEntity({
  name: 'Sweep',
  tableName: 'inventory_sweeps',
  properties: {
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    phase: p.text().$type<'stock' | 'missing' | 'products'>(),
    /** Null while it runs. */
    outcome: p.text().$type<'complete' | 'held' | 'abandoned'>().strictNullable(),
    problem: p.text().strictNullable(),
    /** `adapterKey@version` to which the cursor belongs. */
    adapter: p.text().strictNullable(),
    cursor: p.text().strictNullable(),
    /** An operator confirmed that many variants are missing. */
    acceptMissing: p.boolean(),
    /** Fences its runs: each step raises the number. */
    steps: p.integer(),
    pages: p.integer(),
    seen: p.integer(),
    changed: p.integer(),
    missing: p.integer(),
    startedAt: p.datetime(),
    touchedAt: p.datetime(),
    finishedAt: p.datetime().strictNullable()
  }
})

/** The variants that a page of a sweep named. A sweep that ends without them finds them missing. */
export const SweepPage = defineEntity({
  name: 'SweepPage',
  tableName: 'inventory_sweep_pages',
  properties: {
    sweepId: p.uuid().primary(),
    page: p.integer().primary(),
    variantIds: p.array().columnType('uuid[]')
  }
})
