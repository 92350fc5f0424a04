import { adapterJobType, type JobDefinition } from '../jobs/define-job.ts'
import { exclusionKeyOf } from '../jobs/identity.ts'
import type { JobType } from '../jobs/job.ts'
import type { ObjectNames } from '../jobs/object-keys.ts'
import type { FindDeathEffects, FindRetryEffects, JobHandler } from '../jobs/running-job.ts'
import { runAdapterJob } from './adapter-job.ts'
import addTrackingAtMarketplace from './add-tracking-at-marketplace.ts'
import addTrackingAtShop from './add-tracking-at-shop.ts'
import type { CoreHandler, HandlerServices } from './call-adapter.ts'
import cancelOrderAtShop from './cancel-order-at-shop.ts'
import cancelShipment from './cancel-shipment.ts'
import compareOffers from './compare-offers.ts'
import createOffer from './create-offer.ts'
import createOrderAtShop from './create-order-at-shop.ts'
import createShipment from './create-shipment.ts'
import endOffer from './end-offer.ts'
import type { Implementation } from './implement-job.ts'
import { keepEffects } from './kept-effects.ts'
import pollOrders from './poll-orders.ts'
import pollShopOrders from './poll-shop-orders.ts'
import propagateStock from './propagate-stock.ts'
import readAgain from './read-again.ts'
import sweepOrders from './sweep-orders.ts'
import sweepStock from './sweep-stock.ts'
import syncOrder from './sync-order.ts'
import syncProduct from './sync-product.ts'
import syncStock from './sync-stock.ts'
import updateOfferFields from './update-offer-fields.ts'
import updateOfferQuantity from './update-offer-quantity.ts'
import updateOrderAtShop from './update-order-at-shop.ts'
import updateStatusAtMarketplace from './update-status-at-marketplace.ts'

const implementations: readonly Implementation[] = [
  syncProduct,
  syncStock,
  sweepStock,
  propagateStock,
  readAgain,
  updateOfferQuantity,
  compareOffers,
  createOffer,
  updateOfferFields,
  endOffer,
  pollOrders,
  pollShopOrders,
  sweepOrders,
  syncOrder,
  updateStatusAtMarketplace,
  addTrackingAtMarketplace,
  createOrderAtShop,
  cancelOrderAtShop,
  updateOrderAtShop,
  addTrackingAtShop,
  createShipment,
  cancelShipment
]
const byType = new Map(implementations.map(implementation => [implementation.definition.type, implementation]))

/** Returns the function that writes the consequences when a job of this core type dies. */
export const coreDeathEffectsOf: FindDeathEffects = jobType => byType.get(jobType)?.onDeath

/** Returns the function that takes these consequences back when the job runs again. */
export const coreRetryEffectsOf: FindRetryEffects = jobType => byType.get(jobType)?.onRetry

/** The definitions of the core's own job types. */
export const coreJobDefinitions: readonly JobDefinition[] = implementations.map(({ definition }) => definition)

/** The core's own job types. */
export const coreJobTypes: readonly string[] = [...byType.keys()]

export function isCoreJobType (jobType: string): boolean {
  return byType.has(jobType)
}

/** The core's own job types that a connection with these capabilities can run. */
export function coreJobTypesFor (capabilities: readonly string[]): string[] {
  return coreJobDefinitions
    .filter(({ needs }) => needs.length === 0 || needs.some(name => capabilities.includes(name)))
    .map(({ type }) => type)
}

/**
 * Returns lane and object of a job type. Every type that is not the core's own is one of an
 * adapter.
 */
export function jobTypeOf (name: string): JobType {
  return byType.get(name)?.definition ?? adapterJobType()
}

/**
 * Returns the keys of the objects of all jobs whose payload names this offer or order, on each of
 * the connections.
 */
export function objectKeysOf (
  member: keyof ObjectNames,
  id: string,
  connectionIds: readonly string[]
): readonly string[] {
  const payload = { [member]: id.toLowerCase() }
  const definitions = implementations.map(({ definition }) => definition)
    .filter(({ payload: { properties } }) => Object.hasOwn(properties as object, member))
  const keys = definitions.flatMap(definition =>
    connectionIds.map(connectionId =>
      exclusionKeyOf(definition, definition.request(payload, { connectionId, key: '' }))
    )
  )
  return [...new Set(keys)]
}

/** The prefixes of the core's own job types; every other prefix is a platform. */
const corePrefixes: ReadonlySet<string> = new Set(coreJobTypes.map(prefixOf))

function prefixOf (jobType: string): string {
  return jobType.slice(0, jobType.indexOf('.'))
}

/**
 * Returns the handler of a job type: that of the core, or the handler that asks an adapter.
 * Undefined for an unknown name with a prefix of the core.
 */
function coreHandlerOf (jobType: string): CoreHandler | undefined {
  const core = byType.get(jobType)
  if (core !== undefined) return core.run
  return corePrefixes.has(prefixOf(jobType)) ? undefined : runAdapterJob
}

/** The handler that the engine runs for a job type; undefined for an unknown name of the core. */
export function jobHandlerOf (jobType: string, services: HandlerServices): JobHandler | undefined {
  const handler = coreHandlerOf(jobType)
  return handler === undefined ? undefined : keepEffects(job => handler(job, services))
}
