import { carrierCapability } from '@linker/sdk'
import { noteChangeNotWritten, noteNotEnded, noteQuantityNotWritten } from '../offers/own-problems.ts'
import { runAdapterJob } from './adapter-job.ts'
import { compareShownOffers } from './compare-offers.ts'
import { createOffer, failOffer } from './create-offer.ts'
import type { DeathEffects, FindDeathEffects, JobHandler } from '../jobs/running-job.ts'
import type { CoreHandler, HandlerServices } from './call-adapter.ts'
import { syncMasterInventory } from './master-inventory-sync.ts'
import { syncMasterProduct } from './master-product-sync.ts'
import { offerProblemOnDeath } from './offer-problem.ts'
import { addTrackingAtMarketplace, updateStatusAtMarketplace } from './order-at-marketplace.ts'
import { cancelOrderAtShop, createOrderAtShop, failOrder } from './order-at-shop.ts'
import { problemOnDeath, undone } from './order-problem.ts'
import { pollOrders } from './poll-orders.ts'
import { propagateStock } from './propagate-stock.ts'
import { readAgain } from './read-again.ts'
import { cancelShipment, createShipment, failShipment, failShipmentCancel } from './shipment.ts'
import { addTrackingAtShop } from './shipment-tracking.ts'
import { sweepInventory } from './sweep-inventory.ts'
import { sweepOrders } from './sweep-orders.ts'
import { syncOrder } from './sync-order.ts'
import { endOffer, updateOfferFields } from './update-offer-fields.ts'
import { updateOfferQuantity } from './update-offer-quantity.ts'
import { keepEffects } from './kept-effects.ts'

const coreHandlers: ReadonlyMap<string, CoreHandler> = new Map([
  ['master.product.syncByExternalId', syncMasterProduct],
  ['master.inventory.syncByExternalId', syncMasterInventory],
  ['master.inventory.syncAll', sweepInventory],
  ['inventory.propagateToMarketplaces', propagateStock],
  ['inventory.readAgain', readAgain],
  ['marketplace.offerQuantity.update', updateOfferQuantity],
  ['marketplace.offers.sync', compareShownOffers],
  ['marketplace.offer.create', createOffer],
  ['marketplace.offer.updateFields', updateOfferFields],
  ['marketplace.offer.end', endOffer],
  ['marketplace.orders.poll', pollOrders],
  ['marketplace.orders.sweep', sweepOrders],
  ['marketplace.order.syncByExternalId', syncOrder],
  ['marketplace.order.updateStatus', updateStatusAtMarketplace],
  ['marketplace.order.addTracking', addTrackingAtMarketplace],
  ['master.order.create', createOrderAtShop],
  ['master.order.cancel', cancelOrderAtShop],
  ['master.order.addTracking', addTrackingAtShop],
  ['fulfilment.shipment.create', createShipment],
  ['fulfilment.shipment.cancel', cancelShipment]
])

const deathEffects: ReadonlyMap<string, DeathEffects> = new Map([
  ['marketplace.offer.create', failOffer],
  ['marketplace.offer.updateFields', offerProblemOnDeath(noteChangeNotWritten)],
  ['marketplace.offer.end', offerProblemOnDeath(noteNotEnded)],
  ['marketplace.offerQuantity.update', offerProblemOnDeath(noteQuantityNotWritten)],
  ['master.order.create', failOrder],
  ['master.order.cancel', problemOnDeath(() => undone.cancelAtShop)],
  ['master.order.addTracking', problemOnDeath(() => undone.trackingAtShop)],
  ['marketplace.order.addTracking', problemOnDeath(() => undone.trackingAtMarketplace)],
  ['marketplace.order.updateStatus', problemOnDeath(({ status }) => undone.statusAtMarketplace(status))],
  ['fulfilment.shipment.create', failShipment],
  ['fulfilment.shipment.cancel', failShipmentCancel]
])

/** Finds the effects of the death of a core job. */
export const coreDeathEffectsOf: FindDeathEffects = jobType => deathEffects.get(jobType)

/** The core's own job types. */
export const coreJobTypes: readonly string[] = [...coreHandlers.keys()]

/** The capabilities of which a job type needs one. A job type that is not listed needs none. */
const neededCapabilities: ReadonlyMap<string, readonly string[]> = new Map([
  ['master.product.syncByExternalId', ['ProductMaster']],
  ['master.inventory.syncByExternalId', ['InventoryMaster']],
  ['master.inventory.syncAll', ['InventoryMaster']],
  ['marketplace.offerQuantity.update', ['OfferManager', 'Marketplace']],
  ['marketplace.offers.sync', ['OfferManager', 'Marketplace']],
  ['marketplace.offer.create', ['OfferManager']],
  ['marketplace.offer.updateFields', ['OfferManager', 'Marketplace']],
  ['marketplace.offer.end', ['OfferManager', 'Marketplace']],
  ['marketplace.orders.poll', ['OrderSource', 'Marketplace']],
  ['marketplace.orders.sweep', ['OrderSource', 'Marketplace']],
  ['marketplace.order.syncByExternalId', ['OrderSource', 'Marketplace']],
  ['marketplace.order.updateStatus', ['OrderSource', 'Marketplace']],
  ['marketplace.order.addTracking', ['OrderSource', 'Marketplace']],
  ['master.order.create', ['OrderProcessorManager']],
  ['master.order.cancel', ['OrderProcessorManager']],
  ['master.order.addTracking', ['OrderProcessorManager']],
  ['fulfilment.shipment.create', [carrierCapability]],
  ['fulfilment.shipment.cancel', [carrierCapability]]
])

/** The core's own job types that a connection with these capabilities can run. */
export function coreJobTypesFor (capabilities: readonly string[]): string[] {
  return coreJobTypes.filter(jobType =>
    neededCapabilities.get(jobType)?.some(name => capabilities.includes(name)) !== false
  )
}

/** The prefixes of the core's own job types; every other prefix is a platform. */
const corePrefixes: ReadonlySet<string> = new Set(['master', 'inventory', 'marketplace', 'fulfilment'])

/**
 * The handler of a job type: the core's own, or the one that asks the adapter of the platform that
 * the name starts with. Undefined for a core name that does not exist.
 */
function coreHandlerOf (jobType: string): CoreHandler | undefined {
  const core = coreHandlers.get(jobType)
  if (core !== undefined) return core
  return corePrefixes.has(jobType.slice(0, jobType.indexOf('.'))) ? undefined : runAdapterJob
}

/** The handler that the engine runs for a job type; undefined for an unknown name of the core. */
export function jobHandlerOf (jobType: string, services: HandlerServices): JobHandler | undefined {
  const handler = coreHandlerOf(jobType)
  return handler === undefined ? undefined : keepEffects(job => handler(job, services))
}
