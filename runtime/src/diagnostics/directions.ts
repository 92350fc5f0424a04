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
  pollShopOrders,
  sweepOrders,
  syncOrder,
  updateOrderAtShop,
  updateStatusAtMarketplace
} from '../orders/jobs.ts'
import { propagateStock, readAgain, sweepStock, syncStock } from '../stock/jobs.ts'
import type { Direction } from './schemas.ts'

/** The core's jobs that read a platform, by the noun with which events about the same begin. */
const readings: ReadonlyMap<string, readonly JobDefinition[]> = new Map([
  ['product', [syncProduct]],
  ['stock', [syncStock, sweepStock, readAgain]],
  ['offer', [compareOffers]],
  ['order', [pollOrders, pollShopOrders, sweepOrders, syncOrder]]
])

/** The core's own job types by what they do at the platform of their connection. */
export const coreJobs: Readonly<Record<'read' | 'write' | 'neither', readonly JobDefinition[]>> = {
  read: [...readings.values()].flat(),
  write: [
    updateOfferQuantity,
    createOffer,
    updateOfferFields,
    endOffer,
    updateStatusAtMarketplace,
    addTrackingAtMarketplace,
    createOrderAtShop,
    cancelOrderAtShop,
    updateOrderAtShop,
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

/**
 * The types of the jobs that read what an event tells: the job that the event starts, and the
 * core's jobs that read the same.
 */
export function readersOf (eventType: string, jobType: string): string[] {
  const [noun = ''] = eventType.split('.')
  const ofJob = [...readings.values()].find(jobs => typesOf(jobs).has(jobType))
  return [jobType, ...typesOf(ofJob ?? readings.get(noun) ?? [])]
}

/** Whether a connection has a capability that jobs of a type need, as far as the core knows. */
export function hasCapabilityFor (jobType: string, capabilities: readonly string[]): boolean {
  const { needs = [] } = coreJobs.read.find(({ type }) => type === jobType) ?? {}
  return needs.length === 0 || needs.some(name => capabilities.includes(name))
}

function typesOf (jobs: readonly JobDefinition[]): ReadonlySet<string> {
  return new Set(jobs.map(({ type }) => type))
}
