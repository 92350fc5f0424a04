import { syncProduct } from '../catalog/jobs.ts'
import type { JobDefinition } from '../jobs/define-job.ts'
import { compareOffers, createOffer, endOffer, updateOfferFields, updateOfferQuantity } from '../offers/jobs.ts'
import {
  addTrackingAtMarketplace,
  addTrackingAtShop,
  cancelOrderAtShop,
  cancelShipment,
  createOrderAtShop,
  createShipment,
  pollOrders,
  sweepOrders,
  syncOrder,
  updateStatusAtMarketplace
} from '../orders/jobs.ts'
import { propagateStock, readAgain, sweepStock, syncStock } from '../stock/jobs.ts'
import type { Direction } from './schemas.ts'

/** The core's own job types by what they do at the platform of their connection. */
export const coreJobs: Readonly<Record<'read' | 'write' | 'neither', readonly JobDefinition[]>> = {
  read: [syncProduct, syncStock, sweepStock, readAgain, compareOffers, pollOrders, sweepOrders, syncOrder],
  write: [
    updateOfferQuantity,
    createOffer,
    updateOfferFields,
    endOffer,
    updateStatusAtMarketplace,
    addTrackingAtMarketplace,
    createOrderAtShop,
    cancelOrderAtShop,
    addTrackingAtShop,
    createShipment,
    cancelShipment
  ],
  neither: [propagateStock]
}

const writing = typesOf(coreJobs.write)
const neither = typesOf(coreJobs.neither)

/** The direction of a job type. Those of adapters bring an object of the hub up to date: `in`. */
export function directionOf (jobType: string): Direction {
  if (writing.has(jobType)) return 'out'
  return neither.has(jobType) ? 'both' : 'in'
}

/** The direction of jobs of these types. */
export function directionOfAll (jobTypes: readonly string[]): Direction {
  const [direction = 'both', ...others] = new Set(jobTypes.map(directionOf))
  return others.length === 0 ? direction : 'both'
}

/** The direction of the jobs that need a capability. */
export function directionOfCapability (name: string): Direction {
  const needs = ({ needs }: JobDefinition): boolean => needs.includes(name)
  const [reads, writes] = [coreJobs.read.some(needs), coreJobs.write.some(needs)]
  if (reads === writes) return 'both'
  return reads ? 'in' : 'out'
}

function typesOf (jobs: readonly JobDefinition[]): ReadonlySet<string> {
  return new Set(jobs.map(({ type }) => type))
}
