import type { Mode } from '../../support/modes.ts'

interface Option {
  value: number
  meaning: string
}

/** Describes the wanted load. To find the first bottleneck, the plan grows all of it together. */
export const load = {
  connections: { value: 10_000, meaning: 'connections to shops and marketplaces' },
  'events-per-second': { value: 5_000, meaning: 'webhooks in the busiest hour' },
  'average-percent': { value: 100, meaning: 'the average of all hours, in percent of the busiest one' },
  'orders-per-second': { value: 50, meaning: 'orders in the busiest hour' },
  variants: { value: 100_000_000, meaning: 'variants of all shops' },
  offers: { value: 100_000_000, meaning: 'offers of all marketplaces' }
} as const satisfies Record<string, Option>

/** No benchmark measures these. A meaning names the setting or the constant that decides it. */
export const assumptions = {
  'stock-percent': { value: 100, meaning: 'events that change a quantity, in percent; others start one job' },
  'jobs-per-order': { value: 8, meaning: 'jobs that an order starts, from its reading to its tracking' },
  'jobs-per-hour': { value: 30, meaning: 'scheduled jobs of a connection in an hour (`schedules`)' },
  'sweep-minutes': { value: 15, meaning: 'time between two sweeps (schedule `master-inventory-sweep`)' },
  'upstream-ms': { value: 200, meaning: 'time that a platform takes for a request' },
  'busy-percent': { value: 70, meaning: 'how busy a core may be' },
  'worker-slots': { value: 100, meaning: 'jobs at the same time in a process (`workers.concurrency`)' },
  'connection-slots': { value: 10, meaning: 'jobs at the same time of a connection (`workers.perConnection`)' },
  'process-connections': { value: 14, meaning: 'connections of a process to PostgreSQL (10 + 3 + 1, no setting)' },
  'job-retention-days': { value: 14, meaning: 'days that an ended job is kept (no setting)' },
  'dedup-days': { value: 7, meaning: 'days that markers and messages are kept (no setting)' },
  'stream-mib': { value: 64, meaning: 'handled entries that Redis keeps in a stream (LINKER_STREAM_BYTES)' },
  'variant-bytes': { value: 1_000, meaning: 'disk space of a variant with its product, its stock and their indexes' },
  'offer-bytes': { value: 500, meaning: 'disk space of an offer with its indexes' },
  'database-cores': { value: 32, meaning: 'cores of the PostgreSQL server' },
  'database-disk-gib': { value: 2_000, meaning: 'disk of the PostgreSQL server' },
  'database-connections': { value: 500, meaning: 'connections that PostgreSQL takes (`max_connections`)' },
  'database-wal-mib': { value: 200, meaning: 'write-ahead log that the disk takes in a second' },
  'database-transactions': { value: 20_000, meaning: 'writing transactions that the disk takes in a second' },
  'redis-gib': { value: 64, meaning: 'memory of a Redis server' }
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof load | keyof typeof assumptions
export type Options = Readonly<Record<OptionName, number>> & { mode: Mode }

const all = { ...load, ...assumptions }
export const optionNames = Object.keys(all) as OptionName[]

export const defaultOptions: Options = {
  ...Object.fromEntries(optionNames.map(name => [name, all[name].value])) as Record<OptionName, number>,
  mode: 'full'
}
