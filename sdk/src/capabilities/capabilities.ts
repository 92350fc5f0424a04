import type { InventoryMaster } from './inventory-master.ts'
import type { Marketplace } from './marketplace.ts'
import type { OfferManager } from './offer-manager.ts'
import type { OrderProcessorManager } from './order-processor-manager.ts'
import type { OrderSource } from './order-source.ts'
import type { ProductMaster } from './product-master.ts'

/** The six capabilities of the specification (section 2.4) and their interfaces. */
export interface Capabilities {
  ProductMaster: ProductMaster
  InventoryMaster: InventoryMaster
  OrderProcessorManager: OrderProcessorManager
  Marketplace: Marketplace
  OfferManager: OfferManager
  OrderSource: OrderSource
}
export type CapabilityName = keyof Capabilities

/**
 * Methods that an adapter must have to declare a capability. The loader refuses an adapter that
 * lacks one; every other method of the interface is an optional feature.
 */
export const requiredMethods: { readonly [Name in CapabilityName]: readonly (keyof Capabilities[Name])[] } = {
  ProductMaster: ['getProduct', 'listProducts'],
  InventoryMaster: ['getStock', 'listStock'],
  OrderProcessorManager: ['getOrder'],
  Marketplace: ['listOffers', 'updateOfferQuantity', 'listOrderEvents', 'getOrder'],
  OfferManager: ['createOffer', 'updateOffer', 'updateOfferQuantity', 'getOffer'],
  OrderSource: ['listUnread', 'acknowledge', 'getOrder']
}
