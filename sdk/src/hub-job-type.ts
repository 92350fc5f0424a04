/**
 * Jobs of the hub that an adapter may name: in `events` of its webhooks, in a schedule and in
 * `jobs.enqueue`. The manifest must permit them (`permissions.jobs`), except in `events`. The first
 * three take the payload `{ externalId }`.
 */
export const HubJobType = {
  /** Reads one product with `ProductMaster.getProduct`. */
  syncProduct: 'master.product.syncByExternalId',
  /** Reads the stock of one product with `InventoryMaster.getStock`. */
  syncStock: 'master.inventory.syncByExternalId',
  /** Reads one order with `getOrder` of `OrderSource` or `Marketplace`. */
  syncOrder: 'marketplace.order.syncByExternalId',
  /** Reads the inbox of `OrderSource` or the journal of `Marketplace`. */
  pollOrders: 'marketplace.orders.poll',
  /** Lists the orders changed in the last `days` (payload), in case events were lost. */
  sweepOrders: 'marketplace.orders.sweep',
  /** Reads the orders that the hub made in a shop, with `OrderProcessorManager`. */
  pollShopOrders: 'master.orders.poll',
  /** Compares the offers that the marketplace shows with the hub's writes. */
  syncOffers: 'marketplace.offers.sync',
  /** Reads the stock of all products. */
  syncAllStock: 'master.inventory.syncAll'
} as const
export type HubJobType = typeof HubJobType[keyof typeof HubJobType]
