import { runAdapterJob } from './adapter-job.ts'
import { compareShownOffers } from './compare-offers.ts'
import type { CoreHandler } from './handler.ts'
import { syncMasterInventory } from './master-inventory-sync.ts'
import { syncMasterProduct } from './master-product-sync.ts'
import { propagateStock } from './propagate-stock.ts'
import { readAgain } from './read-again.ts'
import { sweepInventory } from './sweep-inventory.ts'
import { updateOfferQuantity } from './update-offer-quantity.ts'

const coreHandlers: ReadonlyMap<string, CoreHandler> = new Map([
  ['master.product.syncByExternalId', syncMasterProduct],
  ['master.inventory.syncByExternalId', syncMasterInventory],
  ['master.inventory.syncAll', sweepInventory],
  ['inventory.propagateToMarketplaces', propagateStock],
  ['inventory.readAgain', readAgain],
  ['marketplace.offerQuantity.update', updateOfferQuantity],
  ['marketplace.offers.sync', compareShownOffers]
])

/** The core's own job types. */
export const coreJobTypes: readonly string[] = [...coreHandlers.keys()]

/** The prefixes of the core's own job types; every other prefix is a platform. */
const corePrefixes: ReadonlySet<string> = new Set(['master', 'inventory', 'marketplace'])

/** The handler of a job type: the core's own, or the one that asks the adapter of the platform that the name starts with. Undefined for a core name that does not exist. */
export function coreHandlerOf (jobType: string): CoreHandler | undefined {
  const core = coreHandlers.get(jobType)
  if (core !== undefined) return core
  return corePrefixes.has(jobType.slice(0, jobType.indexOf('.'))) ? undefined : runAdapterJob
}
