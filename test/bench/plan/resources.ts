import type { FigureName, Growth, Measured } from './measured.ts'
import { show } from './numbers.ts'
import type { Options } from './options.ts'
import { ratesOf, type Rates } from './rates.ts'

/** The load uses resources up. The first one that ends is the bottleneck. */
export interface Resource {
  name: string
  /** `demand` and `each` have this unit. */
  unit: string
  demand: number
  /** One provider gives this much. */
  each: number
  /** Names the thing that gives the resource, such as 'process', 'core' or 'Redis'. */
  provider: string
  /** The hub can use this many providers. Absent: as many as wanted. */
  most?: number
  /** Tells how the demand is computed. */
  formula: string
  /** Tells what moves the limit, by its real name. */
  knob: string
  cost: string
}

export interface Plan {
  rates: Rates
  resources: Resource[]
  httpProcesses: number
  workerProcesses: number
  memoryGib: number
  redisServers: number
  /** Each tells where the plan relies on more than was measured. */
  warnings: string[]
}

const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3
const million = 1_000_000

export const unitsOf = ({ demand, each }: Resource): number => Math.max(1, Math.ceil(demand / each))

/** Returns the share of the wanted load at which the resource is used up. */
export const reachedAt = ({ demand, each, most }: Resource): number =>
  most === undefined || demand === 0 ? Number.POSITIVE_INFINITY : most * each / demand

/** Returns the resources that have an end. The first one is used up first. */
export const bottlenecksOf = ({ resources }: Plan): Resource[] =>
  resources.filter(({ most }) => most !== undefined).toSorted((a, b) => reachedAt(a) - reachedAt(b))

/** Extrapolates in proportion: twice the load uses twice as much. */
export function makePlan (options: Options, measured: Measured): Plan {
  const rates = ratesOf(options)
  const factors = factorsOf(options, rates, measured.growth)
  const part: Part = { options, rates, factors, figure: figureFinder(measured) }
  const hub = options.mode === 'embedded' ? hubInOneProcess(part) : hubInProcesses(part)
  const resources = [
    ...hub.resources,
    connectionSlots(part),
    ...(options.mode === 'embedded' ? [] : database(part, hub.httpProcesses + hub.workerProcesses)),
    disk(part),
    ...(options.mode === 'full' ? redis(part) : [])
  ]
  const processMib = part.figure('resident') + part.figure('residentGrowth')
  const servers = resources.filter(({ provider }) => provider === 'Redis').map(unitsOf)
  return {
    ...hub,
    rates,
    resources,
    memoryGib: (hub.httpProcesses + hub.workerProcesses) * processMib * mebibyte / gibibyte,
    redisServers: Math.max(0, ...servers),
    warnings: factors.warnings
  }
}

interface Part {
  options: Options
  rates: Rates
  factors: Factors
  figure(name: FigureName): number
}

function figureFinder ({ figures }: Measured): Part['figure'] {
  return name => figures[name]?.value ?? Number.NaN
}

interface Factors {
  /** An event costs the hub this many times as much with the wanted connections and kept jobs. */
  hub: number
  /** An event costs PostgreSQL this many times as much. */
  database: number
  /** A written quantity costs the hub this many times as much in the wanted catalog. */
  write: number
  warnings: string[]
}

/** Growth never makes an event cheaper; a share below 1 is noise. */
function factorsOf (options: Options, { keptJobs }: Rates, growth: readonly Growth[]): Factors {
  const wanted = { connections: options.connections, jobs: keptJobs, variants: options.variants }
  const factors: Factors = { hub: 1, database: 1, write: 1, warnings: [] }
  for (const kind of ['connections', 'jobs', 'variants'] as const) {
    const known = growth.filter(row => row.kind === kind).toSorted((a, b) => a.count - b.count)
    const row = known.find(({ count }) => count >= wanted[kind]) ?? known.at(-1)
    if (row === undefined) continue
    const hub = Math.max(1, row.hub.value)
    if (kind === 'variants') factors.write *= hub
    else {
      factors.hub *= hub
      factors.database *= Math.max(1, row.database?.value ?? 1)
    }
    if (wanted[kind] > row.count) {
      factors.warnings
        .push(`Not measured: ${show(wanted[kind])} ${kind}. The plan uses the cost of an event with ${
          show(row.count)
        }.`)
    }
  }
  return factors
}

const busyCore = ({ options }: Part): number => options['busy-percent'] / 100

function acceptingCores ({ rates, factors, figure }: Part): number {
  return rates.events * figure('accept') * factors.hub / million
}

/** `write` and `event` contain the acceptance of the event, which is counted elsewhere. */
function workingCores (part: Part): number {
  const { rates, factors, figure } = part
  const job = Math.max(0, figure('event') - figure('accept')) * factors.hub
  const change = rates.writes * figure('write') * 1_000 * factors.write - rates.stockEvents * figure('accept')
  const atLeast = rates.stockEvents * job
  const others = (rates.otherEvents + rates.scheduled) * job
  const orders = rates.orders * figure('order') * 1_000
  return (Math.max(change, atLeast) + others + orders + rates.sweptVariants * figure('sweep')) / million
}

const working = 'writes/s × write + other events/s and scheduled jobs/s × (event − accept) + ' +
  'orders/s × order + swept variants/s × sweep'

/** A job waits for one request at a time, on a socket of its own. */
function slots ({ options, rates, figure }: Part): number {
  const calls = rates.stockEvents + rates.otherEvents + rates.writes + rates.scheduled +
    rates.orders * options['jobs-per-order'] + rates.sweptVariants / figure('variantsPerCall')
  return calls * options['upstream-ms'] / 1_000
}

type Hub = Pick<Plan, 'resources' | 'httpProcesses' | 'workerProcesses'>

function hubInProcesses (part: Part): Hub {
  const http: Resource = {
    name: 'CPU of processes that accept',
    unit: 'cores',
    demand: acceptingCores(part),
    each: busyCore(part),
    provider: 'process',
    formula: 'events/s × accept × growth',
    knob: 'LINKER_ROLE=http in more processes, behind a load balancer',
    cost: 'a core and the memory of a process each'
  }
  const worker: Resource = {
    name: 'CPU of processes that work',
    unit: 'cores',
    demand: workingCores(part),
    each: busyCore(part),
    provider: 'process',
    formula: working,
    knob: 'LINKER_ROLE=worker in more processes; the sweeps: `every` of the schedule master-inventory-sweep',
    cost: 'a core and the memory of a process each; rarer sweeps find a lost event later'
  }
  const sockets = upstreamSlots(part)
  return {
    resources: [http, worker, sockets],
    httpProcesses: unitsOf(http),
    workerProcesses: Math.max(unitsOf(worker), unitsOf(sockets))
  }
}

function hubInOneProcess (part: Part): Hub {
  const resources: Resource[] = [{
    name: 'CPU of the process, with its database',
    unit: 'cores',
    demand: acceptingCores(part) + workingCores(part),
    each: busyCore(part),
    provider: 'process',
    most: 1,
    formula: `events/s × accept × growth + ${working}`,
    knob: 'DATABASE_URL: with PostgreSQL the hub may have many processes',
    cost: 'a PostgreSQL server'
  }, { ...upstreamSlots(part), most: 1 }]
  return { resources, httpProcesses: 0, workerProcesses: 1 }
}

function upstreamSlots (part: Part): Resource {
  return {
    name: 'jobs at the same time = sockets to platforms',
    unit: 'jobs',
    demand: slots(part),
    each: part.options['worker-slots'],
    provider: 'process',
    formula: 'requests/s × upstream-ms',
    knob: 'workers.concurrency (up to 1000 in a process)',
    cost: 'memory and sockets of the process; every platform gets more requests at once'
  }
}

function connectionSlots ({ options, rates }: Part): Resource {
  return {
    name: 'jobs/s of one connection, all being alike',
    unit: 'jobs/s',
    demand: rates.jobs / options.connections,
    each: 1_000 / options['upstream-ms'],
    provider: 'slot',
    most: options['connection-slots'],
    formula: 'jobs/s ÷ connections; a slot gives 1000 ÷ upstream-ms',
    knob: 'workers.perConnection (up to 1000)',
    cost: 'the platform gets more requests of the account at once, and may limit it'
  }
}

// Without Redis the measured event contains the streams. Later jobs do not use them, so the plan
// then asks for somewhat too much.
function database (part: Part, processes: number): Resource[] {
  const { options, rates, factors, figure } = part
  return [{
    name: 'CPU of PostgreSQL',
    unit: 'cores',
    demand: rates.jobs * figure('databaseCpu') * factors.database / million,
    each: busyCore(part),
    provider: 'core',
    most: options['database-cores'],
    formula: 'jobs/s × databaseCpu × growth',
    knob: 'a PostgreSQL server with more cores; the hub uses one server',
    cost: 'the server'
  }, {
    name: 'writing transactions of PostgreSQL',
    unit: 'in a second',
    demand: rates.jobs * figure('transactions'),
    each: options['database-transactions'],
    provider: 'disk',
    most: 1,
    formula: 'jobs/s × transactions',
    knob: 'synchronous_commit = off of PostgreSQL, or a faster disk',
    cost: 'off: a loss of power loses the last commits, so accepted work'
  }, {
    name: 'write-ahead log of PostgreSQL',
    unit: 'MiB/s',
    demand: rates.jobs * figure('wal') / mebibyte,
    each: options['database-wal-mib'],
    provider: 'disk',
    most: 1,
    formula: 'jobs/s × wal',
    knob: 'max_wal_size and wal_compression of PostgreSQL, or a faster disk',
    cost: 'CPU of PostgreSQL, and a longer recovery after a crash'
  }, {
    name: 'connections to PostgreSQL',
    unit: 'connections',
    demand: processes * options['process-connections'],
    each: options['database-connections'],
    provider: 'server',
    most: 1,
    formula: 'processes × process-connections',
    knob: 'max_connections of PostgreSQL',
    cost: 'some 2 to 10 MiB of its memory for each connection'
  }]
}

function disk ({ options, rates, figure }: Part): Resource {
  const messages = options.mode === 'full' ? 0 : 2 * rates.keptEvents * figure('messageBytes')
  const catalog = options.variants * options['variant-bytes'] + options.offers * options['offer-bytes']
  return {
    name: 'disk of the database',
    unit: 'GiB',
    demand: (rates.keptJobs * figure('jobBytes') + messages + catalog) / gibibyte,
    each: options['database-disk-gib'],
    provider: 'disk',
    most: 1,
    formula: 'kept jobs × jobBytes + variants × variant-bytes + offers × offer-bytes' +
      (options.mode === 'full' ? '' : ' + 2 messages × kept events × messageBytes'),
    knob: 'a larger disk; the 14 days of ended jobs are a constant, no setting',
    cost: 'the disk, its backups, and a longer restore'
  }
}

/** Redis runs all commands and scripts on one core. */
function redis (part: Part): Resource[] {
  const { options, rates, figure } = part
  return [{
    name: 'CPU of Redis',
    unit: 'cores',
    demand: rates.events * figure('redisCpu') / million,
    each: busyCore(part),
    provider: 'Redis',
    most: 1,
    formula: 'events/s × redisCpu; scripts run on one core',
    knob: 'a faster core; several Redis would need a change of the hub (below)',
    cost: 'the server'
  }, {
    name: 'memory of Redis',
    unit: 'GiB',
    demand: (rates.keptEvents * figure('markers') + 2 * options['stream-mib'] * mebibyte) / gibibyte,
    each: options['redis-gib'],
    provider: 'Redis',
    most: 1,
    formula: 'kept events × markers + 2 streams × stream-mib',
    knob: 'more memory. LINKER_STREAM_BYTES moves only the streams: the 7 days of markers are a constant',
    cost: 'the memory; twice as much while Redis rewrites its log'
  }]
}
