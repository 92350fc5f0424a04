import type { Manifest } from '@linker/sdk'
import type { AdapterDescription, ScheduleDescription } from '@linker/sdk/host'
import type { Query } from '../database/database.ts'
import { compareOffers } from '../offers/jobs.ts'
import { pollOrders, pollShopOrders, sweepOrders } from '../orders/jobs.ts'
import { sweepStock } from '../stock/jobs.ts'
import { parseEvery, timingOf, type Timing } from './slots.ts'
import { listScheduled, readSettings, type ScheduledConnection, type Setting } from './store.ts'

/** A schedule of a connection, with every setting applied. */
export interface Schedule extends Timing {
  every: string
  enabled: boolean
  job: string
  payload: Readonly<Record<string, unknown>>
}

/** A schedule that the core brings for every connection of a capability. */
interface CoreSchedule extends ScheduleDescription {
  capabilities: readonly string[]
  /** A method of the capability. An adapter without it has no such schedule. */
  method?: string
}

export const shopOrdersSchedule = 'shop-orders-poll'

const coreSchedules: readonly CoreSchedule[] = [
  {
    name: 'master-inventory-sweep',
    every: '15m',
    job: sweepStock.type,
    payload: {},
    capabilities: sweepStock.needs
  },
  {
    name: 'marketplace-offers-sync',
    every: '1h',
    job: compareOffers.type,
    payload: {},
    capabilities: compareOffers.needs
  },
  // The core polls journals only. An adapter's own schedule polls its inbox, because the core does
  // not know how often the platform may be asked.
  {
    name: 'marketplace-orders-poll',
    every: '2m',
    job: pollOrders.type,
    payload: {},
    capabilities: ['Marketplace']
  },
  // Real shops announce neither that an order was shipped nor its tracking number.
  {
    name: shopOrdersSchedule,
    every: '5m',
    job: pollShopOrders.type,
    payload: {},
    capabilities: pollShopOrders.needs
  },
  // Finds orders that neither the journal nor the inbox announced, and whose webhooks were lost.
  {
    name: 'marketplace-orders-sweep',
    every: '6h',
    job: sweepOrders.type,
    payload: { days: 1 },
    capabilities: sweepOrders.needs,
    method: 'listOrders'
  }
]

/** The settings of linker.config.json for schedules of the core and of adapters, by name. */
export type ScheduleDefaults = Readonly<Record<string, { every?: string, enabled?: boolean }>>

/** The part of an adapter that schedules need. */
interface ScheduledAdapter {
  supportedCapabilities: readonly string[]
  description: Pick<AdapterDescription, 'schedules' | 'capabilities'>
}

/** The part of the registry that schedules need. */
interface ScheduledAdapters {
  records: readonly {
    adapter?: { manifest: Pick<Manifest, 'adapterKey'>, description: Pick<AdapterDescription, 'schedules'> }
  }[]
  find(adapterKey: string, version?: string | null): ScheduledAdapter | undefined
}

/** Where schedules come from. */
export interface ScheduleSources {
  registry: ScheduledAdapters
  defaults: ScheduleDefaults
}

const pageSize = 1_000
const beforeAll = '00000000-0000-0000-0000-000000000000'

/**
 * The schedules that linker.config.json changes although neither the core nor a loaded adapter has
 * them.
 */
export function unknownDefaults ({ registry, defaults }: ScheduleSources): string[] {
  const known =
    new Set([coreSchedules, ...registry.records.map(({ adapter }) => adapter?.description.schedules ?? [])].flat().map(
      ({ name }) => name
    ))
  return Object.keys(defaults).filter(name => !known.has(name))
}

/**
 * Reads every schedule that fires now. An active connection has the core's schedules for its
 * capabilities, and the schedules of the adapter version that serves it.
 */
export async function readPlan (query: Query, sources: ScheduleSources): Promise<Schedule[]> {
  const { registry } = sources
  const keys =
    new Set(registry.records.flatMap(({ adapter }) =>
      adapter === undefined || adapter.description.schedules.length === 0 ? [] : [adapter.manifest.adapterKey]
    ))
  const plan: Schedule[] = []
  for (let after: string | undefined = beforeAll; after !== undefined;) {
    const rows: ScheduledConnection[] = await listScheduled(query, {
      adapterKeys: [...keys],
      capabilities: coreSchedules.flatMap(({ capabilities }) => capabilities),
      after,
      limit: pageSize
    })
    for (const row of rows) {
      plan.push(...schedulesOf(sources, row, new Map(Object.entries(row.settings ?? {}))).filter(({ enabled }) =>
        enabled
      ))
    }
    after = rows.length < pageSize ? undefined : rows.at(-1)?.id
  }
  return plan
}

/** The schedules of a connection; none while its adapter is not there. */
export function schedulesOf (
  { registry, defaults }: ScheduleSources,
  connection: { id: string, adapterKey: string, adapterVersion?: string | null, capabilities: readonly string[] },
  settings: ReadonlyMap<string, Setting>
): Schedule[] {
  const adapter = registry.find(connection.adapterKey, connection.adapterVersion)
  if (adapter === undefined) return []
  const own = coreSchedules.filter(({ capabilities, method }) =>
    capabilities.some(name =>
      connection.capabilities.includes(name) && adapter.supportedCapabilities.includes(name) &&
      (method === undefined || adapter.description.capabilities[name]?.includes(method) === true)
    )
  )
  return [...own, ...adapter.description.schedules].map(({ name, every: ownEvery, job, payload }) => {
    const byDefault = defaults[name]
    const setting = settings.get(name)
    const every = setting?.every ?? byDefault?.every ?? ownEvery
    return {
      ...timingOf(connection.id, name, parseEvery(every)),
      every,
      enabled: setting?.enabled ?? byDefault?.enabled ?? true,
      job,
      payload
    }
  })
}

/** Leaves out the connections of which somebody switched a schedule off. */
export async function keepScheduled (
  query: Query,
  { name, defaults, connectionIds }: { name: string, defaults: ScheduleDefaults, connectionIds: readonly string[] }
): Promise<string[]> {
  const settings = (await readSettings(query, connectionIds)).filter(setting => setting.name === name)
  const enabled = new Map(settings.map(setting => [setting.connectionId, setting.enabled]))
  return connectionIds.filter(id => enabled.get(id) ?? defaults[name]?.enabled ?? true)
}
