import type { Options } from './options.ts'

/**
 * Counts what happens in a second of the busiest hour. `keptJobs` and `keptEvents` count what the
 * hub keeps.
 */
export interface Rates {
  events: number
  stockEvents: number
  otherEvents: number
  offersPerVariant: number
  writes: number
  orders: number
  scheduled: number
  /** Counts jobs of all kinds. */
  jobs: number
  sweptVariants: number
  keptJobs: number
  /** Counts the events whose markers or messages are kept. */
  keptEvents: number
}

const secondsPerDay = 86_400
const secondsPerHour = 3_600

/**
 * A change of a quantity is a job that reads the shop, a job that finds the offers, and a job for
 * each offer. Every variant changes as often as any other.
 */
export function ratesOf (options: Options): Rates {
  const events = options['events-per-second']
  const stockEvents = events * options['stock-percent'] / 100
  const offersPerVariant = options.variants === 0 ? 0 : options.offers / options.variants
  const writes = stockEvents * offersPerVariant
  const orders = options['orders-per-second']
  const scheduled = options.connections * options['jobs-per-hour'] / secondsPerHour
  const ofEvents = events + stockEvents + writes
  const jobs = ofEvents + orders * options['jobs-per-order'] + scheduled
  const average = options['average-percent'] / 100
  return {
    events,
    stockEvents,
    otherEvents: events - stockEvents,
    offersPerVariant,
    writes,
    orders,
    scheduled,
    jobs,
    sweptVariants: options.variants / (options['sweep-minutes'] * 60),
    keptJobs: ((jobs - scheduled) * average + scheduled) * options['job-retention-days'] * secondsPerDay,
    keptEvents: events * average * options['dedup-days'] * secondsPerDay
  }
}
